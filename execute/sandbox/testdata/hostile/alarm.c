// lets a timer kill it
// outcome: crash
int main(void) {
	alarm(1);
	for (;;) pause();
}
