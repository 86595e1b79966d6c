// leaves a key in the kernel
// outcome: ok
#include <sys/syscall.h>
int main(void) { return syscall(SYS_add_key, "user", "mark", "1", 1, -4) >= 0 || syscall(SYS_keyctl, 0, -4, 1) >= 0; }
