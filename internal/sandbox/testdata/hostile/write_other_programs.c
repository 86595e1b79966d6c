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
		if (strcmp(dir, "/tmp") && (rename(dir, moved) == 0 || chmod(dir, 0) == 0 || rmdir(dir) == 0)) return 1;
	}
	return 0;
}
