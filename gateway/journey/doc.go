// Package journey shows people in chat what was learned and whether it helps:
// /journey draws the graph of skills and memories, /curve the success over time.
// Both are text that any platform shows, with a picture where there are
// pictures, and a document for programs. What is counted and drawn comes from
// core/learning/graph, core/learning/curve and gateway/picture.
package journey
