// forks for ever, in every process
// outcome: timeout
int main(void) { for (;;) fork(); }
