// forks until it is refused
// outcome: ok
int main(void) {
	for (int n = 0; n < 1000; n++) {
		pid_t p = fork();
		if (p < 0) return errno != EAGAIN;
		if (p == 0) pause();
	}
	return 1;
}
