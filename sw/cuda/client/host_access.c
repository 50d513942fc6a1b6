/* What a program may do with its own pages, and whose they are: as the kernel lists them, without a
 * touch. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#include "sw/cuda/client/channel.h"

struct mapping {
    uint64_t first, behind, inode;
    int access;
};

static bool next_mapping(FILE *maps, struct mapping *m)
{
    char rights[5];
    if (fscanf(maps, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64 "%*[^\n]", &m->first,
               &m->behind, rights, &m->inode) != 4)
        return false;
    m->access = (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0) |
                (rights[2] == 'x' ? PROT_EXEC : 0);
    return true;
}

/* The first mapping is that of the first page; others follow it without a gap, as long as they are
 * `like` it. True: up to the last page. */
static bool are_alike(const void *host, uint64_t bytes,
                      bool (*like)(const struct mapping *, const struct mapping *),
                      struct mapping *first)
{
    uint64_t at = (uintptr_t)host, end = at + bytes;
    struct mapping m;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && at < end && next_mapping(maps, &m)) {
        if (m.behind <= at)
            continue;
        if (at == (uintptr_t)host)
            *first = m;
        if (m.first > at || !like(first, &m))
            break;
        at = m.behind;
    }
    if (maps)
        fclose(maps);
    return at >= end;
}

static bool same_access(const struct mapping *a, const struct mapping *b)
{
    return a->access == b->access;
}

static bool same_file(const struct mapping *a, const struct mapping *b)
{
    return a->inode == b->inode && b->access & PROT_READ;
}

int evc_host_access(const void *host, uint64_t bytes)
{
    struct mapping first = {0};
    return are_alike(host, bytes, same_access, &first) ? first.access : PROT_NONE;
}

bool evc_host_shows(const void *host, uint64_t bytes, uint64_t inode)
{
    struct mapping first = {0};
    return inode && are_alike(host, bytes, same_file, &first) && first.inode == inode;
}
