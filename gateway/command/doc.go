// Package command holds the chat commands: one table that every platform
// registers and renders from, and that the lane looks an exact command up in.
//
// A command is a decision of its verified author. What is quoted, forwarded,
// edited or written by a model never reaches this package.
package command
