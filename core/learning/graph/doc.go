// Package graph draws up what was learned as a graph: skills and remembered
// statements, and what ties them together. It reads no store and draws nothing;
// one payload feeds the text in chat, the picture and the document for programs.
package graph
