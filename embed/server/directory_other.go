//go:build !unix

package main

// keepFilesPrivate does nothing where folders hand their rules down.
func keepFilesPrivate() {}

func isOpenToOthers(string) bool { return false }
