package manifest

// Compose writes a new SKILL.md. What [Read] makes of it are the same fields,
// with the body ending in a line break.
func Compose(f Fields) []byte { return nil }
