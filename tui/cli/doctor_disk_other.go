//go:build !linux

package cli

import "errors"

// DiskOf tells of the filesystem that a directory is on, which is not known on this
// system.
func DiskOf(string) (Disk, error) { return Disk{}, errors.ErrUnsupported }
