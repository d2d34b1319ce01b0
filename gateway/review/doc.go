// Package review is how people see and steer the background review in chat:
// the line that says what was learned, its buttons, and /reflect. The review
// itself is core/learning/reflect.
package review
