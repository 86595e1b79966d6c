// leaves shared memory, semaphores and message queues
// outcome: ok
#include <fcntl.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
int main(void) {
	// An ordinary user's bubblewrap refuses them; the next program looks for them everywhere.
	shmget(4711, 4096, IPC_CREAT | 0600), semget(4711, 1, IPC_CREAT), msgget(4711, IPC_CREAT | 0600);
	for (int i = 0; i < 300; i++) shmget(IPC_PRIVATE, 4096, 0);
	return syscall(SYS_mq_open, "queue", O_CREAT | O_RDWR, 0, 0) < 0;
}
