package runfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrNotObject is the error of a text that is JSON, but not an object.
var ErrNotObject = errors.New("not a JSON object")

// Decode reads a run.json, ours or another's. Every field may be missing and
// unknown ones are ignored; a value of a wrong type is left out and counted in
// [File.Skipped], and takes nothing else with it. It fails only if the text as a
// whole is no JSON object, as a half-written one is. Its memory is a small
// multiple of the text, whose size the caller bounds.
func Decode(data []byte) (*File, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	f := &File{}
	c := &codec{skipped: &f.Skipped}
	if !json.Valid(data) {
		return nil, fmt.Errorf("read run.json: %w", json.Unmarshal(data, new(any)))
	}
	var object bool
	if c.members, object = members(bytes.TrimSpace(data)); !object {
		return nil, fmt.Errorf("read run.json: %w", ErrNotObject)
	}
	f.visit(c)
	return f, nil
}
