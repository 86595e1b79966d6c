// makes files outside its two directories
// outcome: ok
int main(void) {
	static const char *const files[] = {"/x", "/dev/x", "/dev/shm/x", "/usr/x", "/etc/x", "/var/tmp/x", "/run/x", "/home/x", "/opt/x", "/mnt/x"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (open(files[i], O_CREAT | O_WRONLY, 0600) >= 0) return puts(files[i]), 1;
	}
	return 0;
}
