/* Blocks that run apart (core_untimed.h): which kernels may, and which accesses may be made. The
 * bounds that instructions remember are of granted accesses only, so that those in them are made
 * without another look. */
#include "sim/simt/functional/functional.h"

/* An access by which blocks may wait for each other: one that is made again until it finds
 * something. */
static bool waits(const struct inst *inst)
{
    return inst->space != SPACE_SHARED && inst_polls(inst) &&
           (inst->class != INST_ATOMIC || isa_exchanges(inst));
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
            if (waits(inst))
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

static bool is_in(const struct apart_span *span, uint64_t address)
{
    return span && address >= span->low && address < span->high;
}

static const struct apart_span *find(const struct apart_spans *spans, uint64_t address)
{
    for (uint32_t i = 0; i < spans->count; i++)
        if (is_in(&spans->span[i], address))
            return &spans->span[i];
    return NULL;
}

static enum apart_use use_of(const struct inst *inst)
{
    return inst->class == INST_ATOMIC ? APART_IN_TURN
           : inst_reads(inst)         ? APART_LOADS
                                      : APART_STORES;
}

/* What the core asks for. */
static void ask(struct functional *f, uint32_t w, const struct inst *inst, uint64_t address)
{
    const struct image *image = f->slots->env.image;
    struct apart_span *asks = &f->share->asks;
    *asks = (struct apart_span){.use = use_of(inst)};
    if (!image_span(image, warp_of(&f->slots->warps, w)->kernel->owner, address, false,
                    !inst_reads(inst), &asks->low, &asks->high))
        asks->low = asks->high = 0;
    f->asks = true;
}

bool apart_granted(struct functional *f, uint32_t w, const struct inst *inst,
                   const struct lane_addresses *p)
{
    if (inst->space == SPACE_CONST || inst->space == SPACE_PARAM)
        return true;
    const struct apart_span *span = NULL; /* of the lane before */
    bool in_turn = false;
    for (uint32_t m = p->regular ? 1 : p->global; m; m &= m - 1) {
        uint64_t address = p->regular ? p->pattern.first : p->address[lowest(m)];
        span = is_in(span, address) ? span : find(f->share->spans, address);
        bool ordered = span && span->use == APART_IN_TURN;
        in_turn |= ordered;
        if (ordered || (span && span->use == use_of(inst)))
            continue;
        bounds_forget(&f->bounds, inst);
        ask(f, w, inst, address);
        return false;
    }
    if (!in_turn)
        return true;
    bounds_forget(&f->bounds, inst);
    f->in_turn |= BIT(w);
    return false;
}
