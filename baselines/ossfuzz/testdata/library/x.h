int x(const char *text);
