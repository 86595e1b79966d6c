int blocks_a(void);
int blocks_b(void);
/*
     A and B are alike.
*/

int blocks_c(void);
