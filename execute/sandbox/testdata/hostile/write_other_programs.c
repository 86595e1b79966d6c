// writes to its own file and next to it, and moves the directories above
// outcome: ok
int main(void) {
	char dir[] = OTHER;
	if (open(OTHER, O_WRONLY) >= 0 || unlink(OTHER) == 0) return 1;
	while (strlen(dir) > 1) { // every directory above, up to the root
		char *slash = strrchr(dir, '/');
		*(slash == dir ? slash + 1 : slash) = 0;
		char moved[600];
		snprintf(moved, sizeof moved, "%s-moved", dir);
		rename(dir, moved), chmod(dir, 0), rmdir(dir); // may work where they are its own copies
	}
	return 0;
}
