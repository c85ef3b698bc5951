package main

import "context"

// leastFree is what a disk must have left: one write may need half of it.
const leastFree = 64 << 20

// diskCheck looks whether the data directory can grow.
func diskCheck(dir string) check {
	return check{"disk", func(context.Context) string {
		if free, err := freeBytes(dir); err == nil && free < leastFree {
			return "full"
		}
		return fine
	}}
}
