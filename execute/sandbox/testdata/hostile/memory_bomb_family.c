// takes the memory of one process in each of 16
// outcome: ok
int main(void) {
	for (int i = 0; i < 16; i++) {
		if (fork()) continue;
		for (char *p; (p = malloc(1 << 20));) memset(p, 1, 1 << 20);
		usleep(300000);
		_exit(0);
	}
	while (wait(0) > 0) {}
	return 0;
}
