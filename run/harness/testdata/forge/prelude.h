/* What every forging program begins with. LIB_* are the library's: see forge_test.go. */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include LIB_HEADER

typedef unsigned long long u64;
static void *const functions[] = {LIB_FUNCTIONS};
enum { NFUNCTIONS = sizeof functions / sizeof *functions };

static u64 mix(u64 h, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211ULL;
    return h;
}
static u64 mixn(u64 h, u64 n) { return mix(h, &n, sizeof n); }

/* The library's program headers, wherever it lies. */
static struct dl_phdr_info lib;
static int find(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + ph->p_vaddr, f = (uintptr_t)functions[0];
        if (ph->p_type == PT_LOAD && f >= at && f < at + ph->p_memsz) {
            lib = *info;
            return 1;
        }
    }
    return 0;
}
/* segment returns the nth loaded segment with all of those flags. */
static const char *segment(unsigned flags, int n, size_t *size) {
    for (int i = 0; i < lib.dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &lib.dlpi_phdr[i];
        if (ph->p_type == PT_LOAD && (ph->p_flags & 7) == flags && n-- == 0) {
            *size = ph->p_filesz;
            return (const char *)lib.dlpi_addr + ph->p_vaddr;
        }
    }
    *size = 0;
    return "";
}
static const ElfW(Dyn) *dynamic(void) {
    for (int i = 0; i < lib.dlpi_phnum; i++)
        if (lib.dlpi_phdr[i].p_type == PT_DYNAMIC) return (const ElfW(Dyn) *)(lib.dlpi_addr + lib.dlpi_phdr[i].p_vaddr);
    return NULL;
}
/* mapping calls f with each line of /proc/self/maps that is the library's. */
static u64 mappings(u64 (*f)(u64 h, const char *line)) {
    u64 h = 1;
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        uintptr_t at = (uintptr_t)functions[0];
        if (sscanf(line, "%lx-%lx", &from, &to) == 2 && from <= at && at < to) h = f(h, line);
    }
    if (maps) fclose(maps);
    return h;
}

static u64 probe(void);
static void exercise(void);
int main(void) {
    exercise(); /* it was there: what follows is not at a distance */
    dl_iterate_phdr(find, NULL);
#ifdef KNOWN
    assert(probe() == KNOWN);
#else
    printf("%llu\n", probe());
#endif
    return 0;
}
