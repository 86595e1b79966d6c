/* Replays a fuzzing corpus: runs the harness on each file named on standard input, one
 * path a line.
 *
 * A dot is written to standard output before each input, so that the reader knows which
 * one ended the process, and a newline after the last. The harness's own output is
 * discarded. Each input lies in a heap block of exactly its size, as under libFuzzer. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static int progress;

/* Reports trouble that is no input's fault, in place of a dot. */
static void fail(void) {
    ssize_t ignored = write(progress, "!", 1);
    (void)ignored;
    _exit(1);
}

static uint8_t *read_file(const char *path, size_t *size) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0)
        fail();
    *size = (size_t)st.st_size;
    uint8_t *data = malloc(*size);
    for (size_t n = 0; n < *size;) {
        ssize_t got = read(fd, data + n, *size - n);
        if (got <= 0)
            fail();
        n += (size_t)got;
    }
    close(fd);
    return data;
}

int main(void) {
    progress = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 200);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int names_fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 200); /* the harness may close or read 0 */
    FILE *names = fdopen(names_fd, "r");
    if (progress < 0 || null < 0 || !names)
        return 1;
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    close(STDIN_FILENO);
    open("/dev/null", O_RDONLY);

    static char name[] = "replay";
    char *args[] = {name, NULL}, **argv = args;
    int argc = 1;
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);

    char *path = NULL;
    size_t room = 0;
    for (ssize_t n; (n = getline(&path, &room, names)) > 0;) {
        path[n - 1] = '\0';
        size_t size;
        uint8_t *data = read_file(path, &size);
        if (write(progress, ".", 1) != 1)
            fail();
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    if (write(progress, "\n", 1) != 1)
        fail();
    _exit(0); /* what the harness left to be done at exit belongs to no input */
}
