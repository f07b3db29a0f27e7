package tree

import (
	"testing"
	"time"
)

// The numbers are those of statfs(2).
func TestRemotes(t *testing.T) {
	for number, name := range map[uint32]string{
		0x6969: "nfs", 0xff534d42: "cifs", 0xfe534d42: "smb", 0x65735546: "fuse", 0x01021997: "9p", 0x00c36400: "ceph",
		0xef53: "", 0x01021994: "", 0x58465342: "", 0x9123683e: "", 0x794c7630: "",
	} {
		if got := remotes[number]; got != name {
			t.Errorf("%#x is %q, want %q", number, got, name)
		}
	}
	if err := remote("/proc"); err != nil {
		t.Errorf("/proc: %v", err)
	}
}

func TestDefaults(t *testing.T) {
	if o := New(Options{}).options; o.Safety != 5*time.Minute || o.Poll != time.Second || o.Workers < 2 {
		t.Errorf("%+v", o)
	}
}
