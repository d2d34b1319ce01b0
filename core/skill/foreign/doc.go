// Package foreign reads what other assistants keep: a skill, a folder or a ZIP
// archive of skills as Claude and OpenClaw have them, and the home of a Hermes
// agent with its skills, memories, jobs and pending changes.
//
// It only reads, and it judges nothing: what is found is a plain value, with a
// sentence for everything that was odd or stayed behind. Whether and in whose
// name it is kept is for the packages that own skills, cards and jobs. Of
// the configuration it takes what is about skills, and it never opens the files
// that are there for credentials.
//
// # Decisions
//
// The layout is followed as it is on disk, not asked of the program that made
// it: homes outlive their programs, come as backups and from several versions.
// So nothing but the presence of files decides what a folder is, and a broken
// file costs its own contents alone.
//
// Jobs and pending changes keep their JSON beside the few fields that are read.
// They name tools and platforms that do not exist here; who takes one over needs
// all of it.
package foreign
