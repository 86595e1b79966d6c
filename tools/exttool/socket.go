package exttool

import (
	"errors"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/net/netutil"
)

// maxConnections bounds those of one socket at a time; a command that opens more waits.
const maxConnections = 64

// listenIn makes a Unix socket of that name in a directory of its own, which a sandbox can show to a command, also of
// another user. The directory is in /tmp: a socket's path has at most 107 bytes (unix(7)).
func listenIn(name string) (l net.Listener, dir string, err error) {
	if dir, err = os.MkdirTemp("/tmp", "bench-socket-"); err != nil {
		return nil, "", err
	}
	path := filepath.Join(dir, name)
	if l, err = net.Listen("unix", path); err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), os.Chmod(path, 0o666))
	}
	if err != nil {
		return nil, "", errors.Join(err, os.RemoveAll(dir))
	}
	return netutil.LimitListener(l, maxConnections), dir, nil
}
