// writes 1 GB to standard output
// outcome: ok
int main(void) {
	static char block[1 << 20];
	memset(block, 'x', sizeof block);
	for (int i = 0; i < 1000; i++) {
		for (size_t at = 0; at < sizeof block;) {
			long n = write(1, block + at, sizeof block - at);
			if (n <= 0) return 1;
			at += n;
		}
	}
	return 0;
}
