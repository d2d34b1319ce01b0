package manifest

import (
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// supportFolders are the folders beside a SKILL.md that the bot may write into.
var supportFolders = []string{"references", "templates", "scripts", "assets"}

const (
	maxPath     = 240 // bytes, so that a folder in front of it still fits everywhere
	maxSegments = 10
)

// SafePath complains about a path that can't belong to a bundle: absolute, above
// its folder, not in its shortest form, or with characters that hide or break it.
// The error wraps [ErrRefused].
func SafePath(p string) error {
	switch {
	case !utf8.ValidString(p) || strings.ContainsFunc(p, unsafeRune):
		return refusal("The path %q holds characters that no path may have", clip(strings.ToValidUTF8(p, "?")))
	case len(p) > maxPath, strings.Count(p, "/") >= maxSegments:
		return refusal("The path %q is too long", clip(p))
	case !fs.ValidPath(p), p == ".":
		return refusal("The path %q leads out of the skill's folder or is not in its plain form", clip(p))
	}
	for part := range strings.SplitSeq(p, "/") {
		if strings.Trim(part, " .") == "" || strings.HasSuffix(part, " ") || strings.HasSuffix(part, ".") {
			return refusal("The path %q has a part that ends in a blank or a full stop", clip(p))
		}
	}
	return nil
}

// unsafeRune reports what no path may have: control characters, invisible ones
// that reorder or hide text, and what separates paths on Windows.
func unsafeRune(c rune) bool {
	return unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || strings.ContainsRune(`\:*?"<>|`, c)
}

// WritablePath complains about a path that the bot may not write on its own:
// anything but the main file and files in the [supportFolders]. Whether a link
// lies on the way is for whoever opens the file to see; a bundle holds none.
func WritablePath(p string) error {
	if err := SafePath(p); err != nil {
		return err
	}
	folder, _, inside := strings.Cut(p, "/")
	if p == MainFile || inside && slices.Contains(supportFolders, folder) {
		return nil
	}
	return refusal("%q is neither %s nor in %s/", clip(p), MainFile, strings.Join(supportFolders, "/, "))
}
