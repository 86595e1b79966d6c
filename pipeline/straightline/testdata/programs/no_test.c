static int helper(void) { return 1; }
int with(int n) { return n + helper(); }
