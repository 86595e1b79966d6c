// closes every descriptor it has, and goes on
// outcome: ok
int main(void) {
	fclose(stdin), fclose(stdout), fclose(stderr);
	for (int i = 0; i < 256; i++) close(i);
	return twice(1) - 2;
}
