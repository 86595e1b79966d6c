// prints a failed assertion, a sanitizer's report and a reply, and fails otherwise
// outcome: nonzero_exit
int main(void) {
	fprintf(stderr, "test: test.c:1: main: Assertion `0' failed.\n==1==ERROR: AddressSanitizer: heap-use-after-free\n");
	printf("asil%52s\nPASSED\n", "");
	return 86;
}
