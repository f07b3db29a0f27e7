package policy

// Draw gives a number in [0, 1) that depends on nothing but its arguments, so
// that what one lane does cannot change what another draws.
func Draw(seed uint64, lane, attempt int, kind string) float64 {
	h := mix(seed ^ 0x9e3779b97f4a7c15)
	h = mix(h ^ uint64(lane))
	h = mix(h ^ uint64(attempt))
	for _, b := range []byte(kind) {
		h = mix(h ^ uint64(b))
	}
	return float64(h>>11) / (1 << 53)
}

// mix is the finalizer of splitmix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
