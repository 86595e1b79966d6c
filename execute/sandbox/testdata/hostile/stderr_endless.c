// writes to standard error for ever
// outcome: timeout
int main(void) {
	static char block[1 << 16];
	for (;;) write(2, block, sizeof block);
}
