//go:build !unix

package main

// keepFilesPrivate does nothing on systems where files inherit the rules of
// their folder.
func keepFilesPrivate() {}

func isOpenToOthers(string) bool { return false }
