package scripted

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"
)

// draw is a hash of the seed and of what the draw is for: as good as random, and
// the same whatever else happened in the world.
func (w World) draw(what ...any) uint64 {
	h := sha256.New()
	fmt.Fprintf(h, "%d", w.Seed)
	for _, part := range what {
		s := fmt.Sprint(part)
		fmt.Fprintf(h, "|%d:%s", len(s), s)
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// chance is a draw from 0 up to but not including 1.
func (w World) chance(what ...any) float64 {
	return float64(w.draw(what...)>>11) / (1 << 53)
}

// between is a draw from least to most, both included.
func (w World) between(least, most int, what ...any) int {
	return least + int(w.draw(what...)%uint64(most-least+1))
}

// spread is a length of time drawn evenly from d·(1 ± jitter).
func (w World) spread(d time.Duration, jitter float64, what ...any) time.Duration {
	return time.Duration(float64(d) * (1 + jitter*(2*w.chance(what...)-1)))
}

// uuid is a drawn identifier of the given version.
func (w World) uuid(version byte, what ...any) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], w.draw(append([]any{"high"}, what...)...))
	binary.BigEndian.PutUint64(b[8:], w.draw(append([]any{"low"}, what...)...))
	b[6] = b[6]&0x0f | version<<4
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func hexOf(n uint64) string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	return hex.EncodeToString(b[:])
}
