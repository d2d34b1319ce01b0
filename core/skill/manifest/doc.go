// Package manifest reads and writes skills as files: the SKILL.md with its YAML
// front matter and Markdown body, and the folders beside it.
//
// It reads what the world writes: the format of agentskills.io, the metadata
// that Hermes keeps, the fields of Claude and OpenClaw, and the usual mistakes
// in all of them. What is odd is said in messages; what can't be used is
// refused with a reason. The bytes are kept as they came, so that writing a
// skill back gives the same file.
//
// It is not the library of skills: it knows neither scopes, revisions nor
// states, judges no contents, and touches nothing but the files it is given.
//
// # Decisions
//
// A file is never written from what was read. A skill of somebody else holds
// comments, an order of keys and keys we don't know; a reader that writes from
// its values loses them one by one. [Compose] is for skills that are made here.
//
// A broken front matter is repaired line by line in a copy, and only where the
// YAML as it stands can't be read. A reader that splits every line at its first
// colon, the other way to be tolerant, reads well-formed files wrongly.
//
// Paths in a bundle may lie anywhere below the skill's folder, because public
// skills keep files beside their SKILL.md; what the bot itself writes goes into
// the four support folders alone ([WritablePath]).
package manifest
