// takes and fills memory until it is refused
// outcome: ok
int main(void) {
	for (long mb = 0; mb < 4096; mb++) {
		char *p = malloc(1 << 20);
		if (!p) return mb > MEMORY_MB;
		memset(p, 1, 1 << 20);
	}
	return 1;
}
