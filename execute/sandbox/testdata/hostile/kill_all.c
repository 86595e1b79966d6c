// kills every process it can
// outcome: ok
int main(void) {
	if (!fork()) pause();
	kill(-1, SIGKILL);
	return kill(getppid(), SIGKILL), kill(1, SIGKILL), 0;
}
