#include "sim/cpu/trace/record_code.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/cpu/trace/x86_registers.h"

enum { FIRST_SLOTS = 1 << 14, MAX_PIECE = 256 << 20, MAX_INSTRUCTION = 15 };

struct decoded {
    uint64_t ip; /* 0: free */
    uint64_t registers;
    uint32_t size;
    bool known;
};

struct piece {
    uint64_t begin, end;
    uint8_t *bytes;
};

struct process_code {
    pid_t pid;
    int memory; /* file descriptor; -1: cannot be read */
    struct piece *piece;
    uint32_t pieces, piece_room;
    struct decoded *slot; /* hashed by ip, a power of two */
    uint64_t slots, used;
};

struct process_code *process_code_open(pid_t pid)
{
    struct process_code *c = ALLOC(struct process_code);
    c->pid = pid;
    c->memory = -1;
    c->slots = FIRST_SLOTS;
    c->slot = ALLOC_ARRAY(struct decoded, c->slots);
    return c;
}

void process_code_close(struct process_code *c)
{
    for (uint32_t i = 0; i < c->pieces; i++)
        free(c->piece[i].bytes);
    if (c->memory >= 0)
        close(c->memory);
    free(c->piece);
    free(c->slot);
    free(c);
}

/* valgrind replaces the address space when it starts, so this is not done before the first
 * instruction. */
static bool open_memory(struct process_code *c)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)c->pid);
    if (c->memory < 0)
        c->memory = open(path, O_RDONLY | O_CLOEXEC);
    return c->memory >= 0;
}

static bool read_piece(struct process_code *c, uint64_t begin, uint64_t end)
{
    uint64_t n = end - begin, done = 0;
    uint8_t *bytes = alloc_array(n, 1);
    while (done < n) {
        ssize_t got = pread(c->memory, bytes + done, n - done, (off_t)(begin + done));
        if (got <= 0)
            break;
        done += (uint64_t)got;
    }
    if (!done) {
        free(bytes);
        return false;
    }
    ARRAY_RESERVE(c->piece, c->pieces, c->piece_room);
    c->piece[c->pieces++] = (struct piece){begin, begin + done, bytes};
    return true;
}

/* The executable piece around `ip`, from the process. */
static bool find_piece(struct process_code *c, uint64_t ip)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)c->pid);
    FILE *maps = open_memory(c) ? fopen(path, "r") : NULL;
    bool found = false;
    while (maps && !found && fgets(line, sizeof line, maps)) {
        uint64_t begin, end;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64, &begin, &end) == 2 && ip >= begin && ip < end &&
            end - begin <= MAX_PIECE)
            found = read_piece(c, begin, end);
    }
    if (maps)
        fclose(maps);
    return found;
}

static const uint8_t *bytes_at(struct process_code *c, uint64_t ip, uint32_t size)
{
    for (uint32_t tries = 0; tries < 2; tries++) {
        for (uint32_t i = c->pieces; i-- > 0;) {
            if (ip >= c->piece[i].begin && ip + size <= c->piece[i].end)
                return c->piece[i].bytes + (ip - c->piece[i].begin);
        }
        if (!find_piece(c, ip))
            break;
    }
    return NULL;
}

/* Code that was written since its piece was read has another length, or is none. */
static bool decode(struct process_code *c, uint32_t size, struct cpu_instruction *out)
{
    uint8_t fresh[MAX_INSTRUCTION];
    const uint8_t *bytes = bytes_at(c, out->ip, size);
    if (bytes && x86_registers(bytes, size, out))
        return true;
    return size <= sizeof fresh && c->memory >= 0 &&
           pread(c->memory, fresh, size, (off_t)out->ip) == (ssize_t)size &&
           x86_registers(fresh, size, out);
}

static struct decoded *slot_of(struct process_code *c, uint64_t ip)
{
    uint64_t at = ip * 0x9E3779B97F4A7C15ull >> 20;
    while (c->slot[at & (c->slots - 1)].ip && c->slot[at & (c->slots - 1)].ip != ip)
        at++;
    return &c->slot[at & (c->slots - 1)];
}

static void grow(struct process_code *c)
{
    struct decoded *old = c->slot;
    uint64_t n = c->slots;
    c->slots = 2 * n;
    c->slot = ALLOC_ARRAY(struct decoded, c->slots);
    for (uint64_t i = 0; i < n; i++) {
        if (old[i].ip)
            *slot_of(c, old[i].ip) = old[i];
    }
    free(old);
}

bool process_code_decode(struct process_code *c, uint32_t size, struct cpu_instruction *out)
{
    struct decoded *d = slot_of(c, out->ip);
    if (d->ip && d->size == size) {
        memcpy(&out->branch, &d->registers, sizeof d->registers);
        return d->known;
    }
    c->used += !d->ip;
    d->ip = out->ip;
    d->size = size;
    d->known = decode(c, size, out);
    memcpy(&d->registers, &out->branch, sizeof d->registers);
    bool known = d->known;
    if (2 * c->used > c->slots)
        grow(c);
    return known;
}
