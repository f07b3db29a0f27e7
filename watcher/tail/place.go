package tail

import (
	"io/fs"
	"syscall"
	"time"
)

// markSize is how many bytes before the place reached are remembered, as their sum.
const markSize = 256

// Identity is what a file keeps when its name changes. The zero value is that of no
// file. A number is used again once a file is deleted.
type Identity struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
}

// IdentityOf gives the identity of what was looked at by the functions of package os.
func IdentityOf(info fs.FileInfo) Identity {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{}
	}
	return Identity{Device: uint64(st.Dev), Inode: st.Ino}
}

// Place is how far a file has been read, to be kept and taken up, also by a later
// process. The zero value is the beginning of whatever file there is.
type Place struct {
	Identity
	// Offset is how many bytes of the file were delivered.
	Offset int64 `json:"offset"`
	// Size and Modified are those that the file had when it was looked at, before it
	// was read: while they stay so there is nothing new.
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	// Mark is the sum (FNV-1a, 64 bits) of the bytes before Offset, 256 at most.
	Mark uint64 `json:"mark"`
}

// marked is how many bytes the mark is the sum of.
func (p Place) marked() int { return int(min(p.Offset, markSize)) }

// Fits reports whether a file that looks like this has nothing new beyond the place.
func (p Place) Fits(info fs.FileInfo) bool {
	return p.Identity == IdentityOf(info) && p.Size == info.Size() && p.Modified.Equal(info.ModTime())
}

// sum is FNV-1a, without the allocation of package hash/fnv.
func sum(p []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range p {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}
