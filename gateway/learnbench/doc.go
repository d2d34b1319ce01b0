// Package learnbench measures the learning loop: what it extracts from tasks,
// finds again, shows, refines and takes back. It does not measure a model's wit.
//
// A world of tasks is made up from a seed: reports that lie behind an API which
// moves them and fails now and then, files, and conventions about formats that
// nobody is told of but by a correction. A scripted agent does the tasks with
// real tools. It plans only from what its prompt holds: it knows a step, an
// address or a format only if the prompt says so, and else it tries its way
// through. Recorder, review (with the rehearsal model), proposals, library,
// curator and briefing are the program's own, and none of them knows anything of
// the world.
//
// TestTheLoopLearns is the short form. TALARIA_LEARNBENCH=1 runs the long one
// ("make learnbench"), which prints the table and draws the picture.
package learnbench
