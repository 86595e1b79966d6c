// ends with status 0 before its assertion
// outcome: ok
// note: passes, as it would alone: a process decides on its own exit status
int main(void) {
	_exit(0);
	assert(twice(2) == 5);
}
