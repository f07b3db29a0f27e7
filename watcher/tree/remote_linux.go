package tree

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// remotes are the file systems that others write to as well, by the number that statfs(2)
// gives: of what they do there is no notice. One in user space may be any.
var remotes = map[uint32]string{
	unix.AFS_FS_MAGIC:      "afs",
	unix.AFS_SUPER_MAGIC:   "afs",
	unix.CEPH_SUPER_MAGIC:  "ceph",
	unix.CIFS_SUPER_MAGIC:  "cifs",
	unix.CODA_SUPER_MAGIC:  "coda",
	unix.FUSE_SUPER_MAGIC:  "fuse",
	unix.NCP_SUPER_MAGIC:   "ncp",
	unix.NFS_SUPER_MAGIC:   "nfs",
	unix.OCFS2_SUPER_MAGIC: "ocfs2",
	unix.SMB2_SUPER_MAGIC:  "smb",
	unix.SMB_SUPER_MAGIC:   "smb",
	unix.V9FS_MAGIC:        "9p",
}

// remote says why notices do not tell of all that happens in a directory; nil if they do.
func remote(path string) error {
	var fs unix.Statfs_t
	if unix.Statfs(path, &fs) != nil {
		return nil // whoever reads it will see
	}
	if name, is := remotes[uint32(fs.Type)]; is {
		return fmt.Errorf("%s is on a file system (%s) that others may write to without notice", path, name)
	}
	return nil
}
