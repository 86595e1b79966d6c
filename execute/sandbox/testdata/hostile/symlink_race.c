// leaves links to the library, to its directory and to the root, and swaps them
// outcome: ok
int main(void) {
	char dir[] = LIBRARY, cwd[600];
	*strrchr(dir, '/') = 0;
	getcwd(cwd, sizeof cwd);
	symlink(LIBRARY, "lib"), symlink(dir, "dir"), symlink("/", "root"), symlink(dir, "/tmp/dir"), symlink("loop", "loop");
	mkdir("swap", 0700), close(open("swap/f", O_CREAT, 0600));
	if (!fork()) {
		for (;;) rename("swap", "gone"), symlink(dir, "swap"), unlink("swap"), rename("gone", "swap");
	}
	usleep(50000);
	chdir("/");
	if (rename(cwd, "/sandbox/elsewhere") == 0 || rmdir(cwd) == 0) symlink(dir, cwd); // in the directory's own place
	return 0;
}
