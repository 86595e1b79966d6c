// The agent's door to the harness. It has one job by each of its names:
//
//	run DIR MODELS PORT COMMAND…  go into DIR, or where there is none into $LISA_BENCH_OUT, let 127.0.0.1:PORT lead to the
//	                              socket MODELS, and become COMMAND
//	NAME ARGUMENT…                post the arguments, each ended by a null byte, to /commands/NAME at the socket in
//	                              LISA_BENCH_COMMANDS; print what comes back
//	mcp                           post what standard input has to /mcp, as it comes, until that ends
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void die(const char *what) {
	perror(what);
	exit(1);
}

static int dial(const char *path) {
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0 || !path || strlen(path) >= sizeof to.sun_path) die("socket");
	strcpy(to.sun_path, path);
	if (connect(fd, (struct sockaddr *)&to, sizeof to)) die(path);
	return fd;
}

static int put(int fd, const char *data, size_t n) {
	while (n > 0) {
		ssize_t m = write(fd, data, n);
		if (m < 0 && errno == EINTR) continue;
		if (m <= 0) return -1;
		data += m, n -= m;
	}
	return 0;
}

// carry copies both ways, from in to fd and from fd to out, until fd has ended.
static void carry(int in, int fd, int out) {
	char data[64 << 10];
	struct pollfd from[2] = {{.fd = in, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	for (;;) {
		if (poll(from, 2, -1) < 0) {
			if (errno == EINTR) continue;
			die("poll");
		}
		if (from[0].revents) {
			ssize_t n = read(in, data, sizeof data);
			if (n <= 0 || put(fd, data, n)) {
				shutdown(fd, SHUT_WR);
				from[0].fd = -1;
			}
		}
		if (from[1].revents) {
			ssize_t n = read(fd, data, sizeof data);
			if (n <= 0 || put(out, data, n)) return;
		}
	}
}

// lead serves the port until the parent ends.
static void lead(const char *models, int port) {
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on)) die("socket");
	if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 64)) die("port");
	pid_t parent = getpid(), child = fork();
	if (child < 0) die("fork");
	if (child > 0) {
		close(listener);
		return;
	}
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent) exit(1);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (int fd; (fd = accept(listener, NULL, NULL)) >= 0 || errno == EINTR || errno == ECONNABORTED;) {
		if (fd < 0) continue;
		if (fork() == 0) {
			carry(fd, dial(models), fd);
			exit(0);
		}
		close(fd);
	}
	exit(1);
}

int main(int argc, char **argv) {
	const char *name = strrchr(argv[0], '/');
	name = name ? name + 1 : argv[0];
	if (!strcmp(name, "run")) {
		if (argc < 5) return 2;
		const char *out = getenv("LISA_BENCH_OUT");
		if (chdir(argv[1]) && (!out || chdir(out))) die(argv[1]);
		if (argv[2][0]) lead(argv[2], atoi(argv[3]));
		execvp(argv[4], argv + 4);
		die(argv[4]);
	}
	int fd = dial(getenv("LISA_BENCH_COMMANDS"));
	if (!strcmp(name, "mcp")) {
		dprintf(fd, "POST /mcp HTTP/1.1\r\nHost: bench\r\n\r\n");
		carry(0, fd, 1);
		return 0;
	}
	size_t n = 0;
	for (int i = 1; i < argc; i++)
		if (argv[i][0]) n += strlen(argv[i]) + 1;
	dprintf(fd, "POST /commands/%s HTTP/1.0\r\nContent-Length: %zu\r\n\r\n", name, n);
	for (int i = 1; i < argc; i++)
		if (argv[i][0]) put(fd, argv[i], strlen(argv[i]) + 1);
	FILE *in = fdopen(fd, "r");
	int c, end = 0; // how much of the empty line behind the head was read
	while (end < 4 && (c = getc(in)) != EOF) end = c == "\r\n\r\n"[end] ? end + 1 : c == '\r';
	while ((c = getc(in)) != EOF) putchar(c);
	return 0;
}
