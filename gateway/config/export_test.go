package config

// Parse is Load of a document, without environment.
func Parse(name string, doc []byte) (Config, []Problem, error) {
	l := loader{cfg: Default(), name: name, origins: map[string]origin{}}
	l.file(doc)
	l.check()
	return l.cfg, l.warnings, l.problems.err()
}
