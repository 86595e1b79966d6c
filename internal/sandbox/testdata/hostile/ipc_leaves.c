// leaves shared memory, semaphores and message queues
// outcome: ok
#include <fcntl.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
int main(void) {
	if (shmget(4711, 4096, IPC_CREAT | IPC_EXCL | 0600) < 0 || semget(4711, 1, IPC_CREAT | IPC_EXCL | 0) < 0 || msgget(4711, IPC_CREAT | IPC_EXCL | 0600) < 0) return 1;
	for (int i = 0; i < 300; i++) shmget(IPC_PRIVATE, 4096, 0);
	return syscall(SYS_mq_open, "queue", O_CREAT | O_RDWR, 0, 0) < 0;
}
