"""Which file system a path is on, from what Linux says of its mounts. SQLite's locks and shared
memory do not hold over a network, where two hosts would each believe to be the only writer."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

MOUNTS = Path("/proc/self/mountinfo")

_NETWORK = frozenset(
    """9p afs beegfs ceph cifs coda davfs gfs2 glusterfs gpfs lustre ncpfs nfs nfs4 ocfs2 orangefs
    pvfs2 smb2 smb3 smbfs""".split()
)
_NETWORK_FUSE = frozenset(
    """blobfuse blobfuse2 ceph-fuse ceph cifs davfs2 gcsfuse glusterfs goofys juicefs moosefs
    mountpoint-s3 nfs rclone s3fs seaweedfs smbnetfs sshfs""".split()
)
_ESCAPE = re.compile(rb"\\([0-7]{3})")


def network_type(path: Path, mounts: Path = MOUNTS) -> str | None:
    """The type of the network file system that *path*, which is absolute and has no links, is on;
    None on a local one, and where the system does not say."""
    try:
        text = mounts.read_bytes()
    except OSError:
        return None  # not a Linux
    type = mount_type(text, path)
    family, _, helper = type.partition(".")
    is_network = helper in _NETWORK_FUSE if family == "fuse" else type in _NETWORK
    return type if is_network else None


def mount_type(mountinfo: bytes, path: PurePath) -> str:
    """The file system's type of *path* by the text of a mountinfo; empty where it has no mount."""
    best, type = -1, ""
    for line in mountinfo.splitlines():
        before, separator, after = line.partition(b" - ")
        fields, source = before.split(), after.split()
        if not separator or len(fields) < 5 or not source:
            continue
        point = PurePath(_unescaped(fields[4]))
        # A later mount at the same place lies over an earlier one.
        if path.is_relative_to(point) and len(point.parts) >= best:
            best, type = len(point.parts), source[0].decode()
    return type


def _unescaped(field: bytes) -> str:
    """Spaces and the like stand as octal numbers."""
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 8) & 0xFF]), field).decode(
        "utf-8", "surrogateescape"
    )
