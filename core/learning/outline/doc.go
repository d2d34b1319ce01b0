// Package outline knows the parts that the body of a learned skill has, finds
// them by their headings, in English and Chinese, adds lines to them, and puts
// one last. It reads Markdown by its lines and rewrites nothing of what is there:
// a heading inside a block of code is code.
package outline
