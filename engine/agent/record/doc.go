// Package record reads what agents print: lines of JSON, however they come.
//
// It owns the [Splitter], which parts a stream into lines and keeps the ends of those that
// are too long; the finding of the records of a line ([EachRecord]), be they glued, in an
// array or between terminal sequences; the [Extractor], which takes the wanted values of a
// record in one pass and only compares those whose form it knows; values as they stand
// in a record ([Raw]); and what of them may be shown to people ([Act], [Printable]).
//
// It knows no agent, never recurses, and holds no more of a stream than a few lines of
// [MaxLine]. All input is hostile.
package record
