// sleeps for ever
// outcome: timeout
int main(void) {
	for (;;) sleep(1000);
}
