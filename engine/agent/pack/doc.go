// Package pack writes values small, and reads them back: what a reader remembers of a
// stream between two looks at it.
//
// It owns the [Codec], which goes through values in a fixed order for writing and for
// reading, so that they are listed once, and the seal around them: a version and a sum.
// What is torn, or was written for another version, is refused. All input is hostile:
// nothing here panics, or takes more memory than a few times the size of its input.
package pack
