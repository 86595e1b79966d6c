// fills its directories with large files
// outcome: ok
static long fill(const char *dir) {
	static char block[1 << 16];
	long total = 0;
	for (int i = 0; i < 100; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s/f%d", dir, i);
		int f = open(name, O_CREAT | O_WRONLY, 0600);
		for (int k = 0; f >= 0 && k < 128; k++) {
			long n = write(f, block, sizeof block);
			if (n <= 0) return total;
			total += n;
		}
		close(f);
	}
	return total;
}
int main(void) { return fill(".") > 128L << 20 || fill("/tmp") > 128L << 20; }
