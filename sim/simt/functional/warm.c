/* Caches stay warm for the kernels that are timed: what is executed without time leaves the lines
 * of device memory that it touches in L1 and L2, in the order in which it runs. Local memory,
 * parameters and constants leave none; they are small, or the kernel's own. */
#include "sim/mem/memsys.h"
#include "sim/simt/functional/functional.h"
#include "sim/simt/pipeline/pipeline.h"

#define LINE_MASK (~(uint64_t)(LINE_BYTES - 1))

struct touched {
    uint64_t line;
    uint32_t words;
};

/* Words of the lines that the lanes touch; how many lines. */
static uint32_t find_lines(const struct image *image, const uint64_t address[WARP_SIZE],
                           uint32_t mask, uint32_t bytes, struct touched touched[WARP_SIZE])
{
    uint32_t n = 0, words = bytes < 4 ? 1 : (1u << bytes / 4) - 1;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t at = address[lowest(m)], line = at & LINE_MASK;
        uint32_t i = n;
        if (!(image_valid(image, at, bytes) || image_is_far(image, at)) || at % bytes)
            continue; /* of another memory, or an error that is found later */
        while (i && touched[i - 1].line != line)
            i--;
        if (!i) {
            touched[n] = (struct touched){.line = line};
            i = ++n;
        }
        touched[i - 1].words |= words << (at % LINE_BYTES / 4);
    }
    return n;
}

void warm_access(struct functional *f, uint32_t w, const struct inst *inst, uint32_t mask)
{
    const struct slots *slots = f->slots;
    bool direct = inst->space == SPACE_CONST || inst->class == INST_ATOMIC ||
                  inst->flags & (INST_VOLATILE | INST_CACHE_GLOBAL);
    uint64_t address[WARP_SIZE];
    struct touched touched[WARP_SIZE];
    if (inst->space != SPACE_GLOBAL && inst->space != SPACE_GENERIC && inst->space != SPACE_CONST)
        return;
    isa_address(inst, warp_ctx(&slots->warps, w), mask, address);
    uint32_t n =
        find_lines(slots->env.image, address, mask, (uint32_t)inst->width * inst->vec, touched);
    bool store = inst->class == INST_STORE;
    for (uint32_t i = 0; i < n; i++) {
        struct touched *t = &touched[i];
        if ((direct && !store) || l1_warm(&f->lsu->l1, t->line, &t->words, store))
            memsys_warm(slots->env.memsys, t->line, t->words, !inst_reads(inst));
    }
}

void warm_code(struct functional *f, const struct kernel *kernel)
{
    if (f->fetched == kernel)
        return;
    f->fetched = kernel;
    uint64_t end = kernel->code_address + (uint64_t)kernel->n_inst * INST_BYTES;
    for (uint64_t line = kernel->code_address & LINE_MASK; line < end; line += LINE_BYTES) {
        fetch_warm(&f->pipeline->fetch, line);
        memsys_warm(f->slots->env.memsys, line, FULL_MASK, false);
    }
}
