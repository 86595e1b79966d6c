// In the place of the generator's header of this name.
#ifndef FDSAN_H
#define FDSAN_H
#include <stdio.h>
#define assert_file_closed(file) (*(file) ? fclose(*(file)), *(file) = 0 : 0)
#endif
