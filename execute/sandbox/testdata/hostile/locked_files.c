// leaves files and directories without permissions
// outcome: ok
#include <sys/xattr.h>
int main(void) {
	mkdir("locked", 0700), mkdir("locked/in", 0700), mkdir("/tmp/locked", 0700);
	close(open("locked/in/f", O_CREAT, 0)), close(open("/tmp/locked/f", O_CREAT, 0));
	setxattr(".", "user.mark", "1", 1, 0);
	chmod("locked/in", 0), chmod("locked", 0), chmod("/tmp/locked", 0);
	return chmod(".", 0);
}
