// ignores every signal it can, and waits
// outcome: timeout
int main(void) {
	for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
	for (;;) pause();
}
