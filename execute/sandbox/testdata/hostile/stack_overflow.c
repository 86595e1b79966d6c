// recurses for ever
// outcome: crash
static int deeper(int n) {
	volatile char frame[4096];
	frame[0] = n;
	return n < 0 ? 0 : deeper(n + 1) + frame[0];
}
int main(void) { return deeper(1); }
