package cli

import (
	"fmt"
	"syscall"
)

// DiskOf tells of the filesystem that a directory is on.
func DiskOf(dir string) (Disk, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return Disk{}, fmt.Errorf("filesystem of %s: %w", dir, err)
	}
	return Disk{Kind: diskKinds[int64(st.Type)&0xffffffff], Free: int64(st.Bavail) * st.Bsize}, nil
}

// diskKinds are filesystems by the numbers that statfs(2) gives for them.
var diskKinds = map[int64]string{
	0xef53: "ext4", 0x58465342: "xfs", 0x9123683e: "btrfs", 0x2fc12fc1: "zfs", 0xf2f52010: "f2fs", 0x794c7630: "overlay",
	0x01021994: "tmpfs", 0x858458f6: "ramfs", 0x6969: "nfs", 0x517b: "smb", 0xff534d42: "cifs", 0xfe534d42: "smb", 0x65735546: "fuse",
	0x01021997: "9p", 0x00c36400: "ceph", 0x5346414f: "afs", 0x6a656a63: "virtiofs", 0x4d44: "vfat", 0x2011bab0: "exfat", 0x5346544e: "ntfs",
	0xca451a4e: "bcachefs",
}
