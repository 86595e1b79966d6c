// sends every signal to pid 1 and to its parent
// outcome: ok
int main(void) {
	if (getppid() != 1) return 1; // then there would be others to send them to
	for (int round = 0; round < 3; round++) {
		for (int s = 1; s < 65; s++) kill(1, s), usleep(100);
	}
	return 0;
}
