/* ChampSim's traces: records of 64 bytes, little-endian, as struct cpu_instruction has them. */
#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/cpu/trace/trace_internal.h"

_Static_assert(sizeof(struct cpu_instruction) == 64 &&
                   offsetof(struct cpu_instruction, target) == 10 &&
                   offsetof(struct cpu_instruction, source) == 12 &&
                   offsetof(struct cpu_instruction, store) == 16 &&
                   offsetof(struct cpu_instruction, load) == 32,
               "the record of the file");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file's byte order");

struct champsim {
    struct trace_input *in;
    uint64_t record; /* of this round, from 0 */
};

void *champsim_open(struct trace_input *in)
{
    struct champsim *c = ALLOC(struct champsim);
    c->in = in;
    return c;
}

static void champsim_close(void *self)
{
    struct champsim *c = self;
    trace_input_close(c->in);
    free(c);
}

static bool champsim_restart(void *self, struct error *err)
{
    struct champsim *c = self;
    c->record = 0;
    return trace_input_rewind(c->in, err);
}

/* Flags other than 0 and 1 come from files of another kind and from damage: the first bad record of
 * the `n`, or n. */
static uint32_t first_bad(const struct cpu_instruction *x, uint32_t n)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < n; i++)
        any |= (uint32_t)(x[i].branch | x[i].taken);
    uint32_t bad = any > 1 ? 0 : n;
    while (bad < n && x[bad].branch <= 1 && x[bad].taken <= 1)
        bad++;
    return bad;
}

static uint32_t champsim_read(void *self, struct cpu_instruction *out, uint32_t n,
                              struct error *err)
{
    struct champsim *c = self;
    const char *path = trace_input_path(c->in);
    size_t bytes = trace_input_read(c->in, out, (size_t)n * sizeof *out, err);
    uint32_t got = (uint32_t)(bytes / sizeof *out);
    uint32_t good = first_bad(out, got);
    uint64_t record = c->record + good;
    c->record = record;
    if (err->set)
        error_prefix(err, "%s: record %llu", path, (unsigned long long)record);
    else if (good < got)
        error_set(
            err,
            "%s: record %llu: branch is %u and taken is %u; both are 0 or 1 in a ChampSim record",
            path, (unsigned long long)record, out[good].branch, out[good].taken);
    else if (bytes % sizeof *out)
        error_set(err,
                  "%s: record %llu: the trace ends after %zu of its %zu bytes; it is truncated",
                  path, (unsigned long long)record, bytes % sizeof *out, sizeof *out);
    return good;
}

const struct cpu_trace_kind champsim_kind = {champsim_read, champsim_restart, champsim_close};
