// makes empty files until it is refused
// outcome: ok
int main(void) {
	for (int i = 0; i < 100000; i++) {
		char name[32];
		snprintf(name, sizeof name, "%d", i);
		int f = open(name, O_CREAT | O_WRONLY, 0600);
		if (f < 0) return errno != ENOSPC;
		close(f);
	}
	return 1;
}
