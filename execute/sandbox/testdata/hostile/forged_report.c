// writes a link error to every descriptor
// outcome: nonzero_exit
__attribute__((constructor)) static void forge(void) {
	for (int i = 3; i < 256; i++) write(i, "undefined symbol: f\n", 20);
}
int main(void) { return 3; }
