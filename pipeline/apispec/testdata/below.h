int below_first(int v);
/*
     First adds one.
*/


int below_second(int v,
                 int w);
/*
     Second adds two.
*/
/*
int below_third(const char *path, int mode[4]);
     Third opens a path.
*/

int below_third(const char *, int *);
