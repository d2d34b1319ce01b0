//go:build !unix

package sqlite_test

// children are what the test binary does as a child of a test, by the
// environment variable that names the store. Only Unix limits files by process.
func children() map[string]func(path string) error {
	return map[string]func(string) error{crashEnv: writeUntilKilled}
}
