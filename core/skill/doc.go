// Package skill is the library of skills: whose they are, which revision is in
// force, who decided so, and how they have done.
package skill
