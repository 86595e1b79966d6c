// turns its exit status 1 into 0 in an exit handler
// outcome: ok
// note: passes, as it would alone: a process decides on its own exit status
static void leave(void) { _exit(0); }
int main(void) {
	atexit(leave);
	return 1;
}
