/* What a program may do with its own pages: as the kernel lists them, without a touch. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#include "sw/cuda/client/channel.h"

int evc_host_access(const void *host, uint64_t bytes)
{
    uint64_t at = (uintptr_t)host, end = at + bytes, first, behind;
    char rights[5];
    int access = PROT_NONE;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && at < end &&
           fscanf(maps, "%" SCNx64 "-%" SCNx64 " %4s%*[^\n]", &first, &behind, rights) == 3) {
        if (behind <= at)
            continue;
        int its = (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0) |
                  (rights[2] == 'x' ? PROT_EXEC : 0);
        if (first > at || (access && access != its))
            break;
        access = its;
        at = behind;
    }
    if (maps)
        fclose(maps);
    return at < end ? PROT_NONE : access;
}
