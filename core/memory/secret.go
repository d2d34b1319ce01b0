package memory

import "talaria/core/secret"

// Secret says why a text may not be remembered because it looks like it holds
// a secret, or returns "".
func Secret(s string) string { return secret.In(s) }
