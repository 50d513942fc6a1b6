/* Blocks that run apart (core_untimed.h): which kernels may, and which accesses are granted. The
 * bounds that instructions remember are of granted accesses only, so that those in them are made
 * without another look. */
#include "sim/simt/functional/functional.h"

/* An access by which blocks may wait for each other, or whose result depends on their order. */
static bool is_common(const struct inst *inst)
{
    return inst->space != SPACE_SHARED && inst_polls(inst);
}

bool apart_kernel(const struct kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->n_inst; i++) {
        const struct inst *inst = &kernel->code[i];
        switch (inst->class) {
        case INST_LOAD:
        case INST_STORE:
        case INST_ATOMIC:
        case INST_COPY:
            if (is_common(inst))
                return false;
            break;
        case INST_FENCE:
        case INST_SYSTEM_CALL:
        case INST_SLEEP:
        case INST_MARK:
            return false;
        default:
            break;
        }
    }
    return true;
}

static const struct apart_span *find(const struct apart_spans *spans, uint64_t address)
{
    for (uint32_t i = 0; i < spans->count; i++)
        if (address >= spans->span[i].low && address < spans->span[i].high)
            return &spans->span[i];
    return NULL;
}

/* What the core asks for; what its instruction remembers is not granted. */
static void ask(struct functional *f, uint32_t w, const struct inst *inst, uint64_t address)
{
    const struct image *image = f->slots->env.image;
    struct apart_span *asks = &f->share->asks;
    *asks = (struct apart_span){.written = !inst_reads(inst)};
    if (inst->class != INST_ATOMIC &&
        !image_span(image, warp_of(&f->slots->warps, w)->kernel->owner, address, false,
                    asks->written, &asks->low, &asks->high))
        asks->low = asks->high = 0;
    bounds_forget(&f->bounds, inst);
    f->asks = true;
}

static bool may(const struct functional *f, const struct inst *inst, uint64_t address)
{
    const struct apart_span *span = find(f->share->spans, address);
    return span && inst->class != INST_ATOMIC && span->written == !inst_reads(inst);
}

bool apart_granted(struct functional *f, uint32_t w, const struct inst *inst,
                   const struct lane_addresses *p)
{
    if (inst->space == SPACE_CONST || inst->space == SPACE_PARAM)
        return true;
    for (uint32_t m = p->regular ? 1 : p->global; m; m &= m - 1) {
        uint64_t address = p->regular ? p->pattern.first : p->address[lowest(m)];
        if (!may(f, inst, address)) {
            ask(f, w, inst, address);
            return false;
        }
    }
    return true;
}
