// stops itself for ever
// outcome: timeout
int main(void) {
	for (;;) raise(SIGSTOP);
}
