// leaves a daemon: two forks, a session of its own, standard output kept open
// outcome: ok
#include <sys/prctl.h>
int main(void) {
	if (fork()) {
		wait(0);
		usleep(20000);
		return 0;
	}
	setsid();
	if (fork()) _exit(0);
	signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_NAME, "lisadaemon");
	for (;;) write(1, ".", 1), usleep(100000);
}
