// makes names of 255 odd bytes, 600 directories deep
// outcome: ok
int main(void) {
	char name[256];
	for (int i = 0; i < 255; i++) name[i] = "\n\x01\xff\\*-"[i % 6];
	name[255] = 0;
	for (int i = 0; i < 600; i++) {
		close(open(name, O_CREAT, 0));
		unlink(name);
		if (mkdir(name, 0700) || chdir(name)) return 1;
		close(open("f", O_CREAT, 0));
		chmod("..", i % 3 ? 0700 : 0500);
	}
	return 0;
}
