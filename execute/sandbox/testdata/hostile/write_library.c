// writes to the library, replaces it, removes it
// outcome: ok
int main(void) {
	char dir[] = LIBRARY;
	*strrchr(dir, '/') = 0;
	return open(LIBRARY, O_WRONLY) >= 0 || truncate(LIBRARY, 0) == 0 || unlink(LIBRARY) == 0 || rename(LIBRARY, "x") == 0 ||
	       rename(dir, "y") == 0 || chmod(LIBRARY, 0777) == 0 || link(LIBRARY, "z") == 0;
}
