#include <stdlib.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <sys/socket.h>
#include <pthread.h>
#include <setjmp.h>
#include "kv.h"

static void *run(void *p) { return p; }
static jmp_buf back;
int (*hidden)(const char *) = system;
static int early = 1;
static void before(void) __attribute__((constructor));
static void before(void) { kv_len("before"); }
static int count(int n) { return n ? count(n - 1) : 0; }
static int ping(int n);
static int pong(int n) { return ping(n); }
static int ping(int n) { return pong(n); }
static void tidy(int *p) { kv_len("tidy"); (void)p; }
int renamed(int) __asm__("abort");

int test_banned(void) {
    pthread_t t;
    int watched __attribute__((cleanup(tidy))) = 0;
    system("true");
    int (*f)(const char *) = system;
    if (fork() == 0) exit(3);
    socket(AF_INET, SOCK_STREAM, 0);
    pthread_create(&t, NULL, run, NULL);
    srand((unsigned)time(NULL));
    printf("%d %s\n", rand(), __TIME__);
    __asm__("nop");
    longjmp(back, 1);
    kv_clock();
    count(3);
    return early + watched + renamed(1) + f("x") + hidden("y");
}
int main(void) { return test_banned(); }
