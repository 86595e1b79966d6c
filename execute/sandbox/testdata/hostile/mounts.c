// mounts, unmounts, changes its root
// outcome: ok
#include <sys/mount.h>
#include <sys/syscall.h>
int main(void) {
	return mount("t", ".", "tmpfs", 0, 0) == 0 || mount("/", ".", 0, MS_BIND, 0) == 0 || mount(0, "/", 0, MS_REMOUNT, 0) == 0 ||
	       umount2("/proc", MNT_DETACH) == 0 || syscall(SYS_pivot_root, ".", ".") == 0 || syscall(SYS_fsopen, "tmpfs", 0) >= 0 ||
	       syscall(SYS_open_tree, -100, "/", 1) >= 0;
}
