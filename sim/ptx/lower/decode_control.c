#include "sim/ptx/lower/decode.h"

#include <string.h>

static struct vinst *control(struct decoder *d, enum inst_class class)
{
    struct vinst *v = decode_emit(d);
    v->inst.class = (uint8_t) class;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_CONTROL;
    v->inst.timing = TIMING_CONTROL;
    return v;
}

static bool decode_bra(struct decoder *d)
{
    if (!decode_count(d, 1, 1))
        return false;
    if (d->operands[0].kind != OPERAND_LABEL)
        return decode_error(d, "label expected");
    struct vinst *v = control(d, INST_BRANCH);
    v->inst.flags = decode_has(d, M_uni) ? INST_UNIFORM : 0;
    v->label = d->frame->label_base + d->operands[0].index;
    return true;
}

/* brx.idx: a chain of comparisons; an index outside of the list is undefined in PTX and takes the
 * last label here. */
static bool decode_brx(struct decoder *d)
{
    uint32_t index;
    bool uniform = decode_has(d, M_uni);
    if (!decode_has(d, M_idx) || !decode_count(d, 2, 2) || !decode_src(d, 0, PTX_U32, &index))
        return decode_error(d, "brx.idx needs an index and a list of labels");
    if (d->operands[1].kind != OPERAND_TARGETS)
        return decode_error(d, "list of labels (.branchtargets) expected");
    if (d->ast->guard != NONE)
        return decode_error(d, "a guarded brx.idx is not supported");
    const struct label_list *list = &d->ir->unit->targets[d->operands[1].index];
    for (size_t i = 0; i < list->count; i++) {
        uint32_t p = NONE;
        if (i + 1 < list->count) {
            p = ir_vreg(d->ir, VREG_PRED);
            struct vinst *compare = decode_emit(d);
            compare->inst.exec = lanes_compare(COMPARE_EQ, PTX_U32, false);
            compare->src[0] = index;
            compare->src[1] = ir_konst(d->ir, i, false);
            compare->pdst[0] = p;
        }
        struct vinst *v = control(d, INST_BRANCH);
        v->guard = p;
        v->inst.flags = uniform ? INST_UNIFORM : 0;
        v->label = d->frame->label_base + list->labels[i];
    }
    return true;
}

/* pmevent a: event number a. */
static bool decode_mark(struct decoder *d)
{
    if (!decode_count(d, 1, 1))
        return false;
    const struct ast_operand *o = &d->operands[0];
    if (o->kind != OPERAND_INT || o->value < 0 || o->value > 15)
        return decode_error(d, "pmevent needs the number of an event, 0 to 15");
    struct vinst *v = decode_emit(d);
    v->inst.class = INST_MARK;
    v->inst.op.imm = (int64_t)1 << o->value;
    return true;
}

/* --- barriers ------------------------------------------------------------------------------------
 */

static bool decode_bar_red(struct decoder *d)
{
    unsigned n = d->ast->n_operands;
    uint32_t dst = NONE, p = NONE, q, src[2] = {NONE, NONE}, c;
    bool negated, popc = decode_has(d, M_popc), and = decode_has(d, M_and);
    uint8_t type;
    if (!popc && !and&&!decode_has(d, M_or))
        return decode_error(d, "bar.red needs .popc, .and or .or");
    if (!decode_count(d, 3, 4) || !decode_type(d, 0, &type) ||
        !decode_type_in(d, type, popc ? BITS(PTX_U32) : BITS(PTX_PRED)) ||
        !(popc ? decode_dst(d, 0, PTX_U32, &dst) : decode_pred_dst(d, 0, &p, &q)) ||
        !decode_src(d, 1, PTX_U32, &src[0]) || (n == 4 && !decode_src(d, 2, PTX_U32, &src[1])) ||
        !decode_pred(d, &d->operands[n - 1], &c, &negated))
        return false;
    struct vinst *v = control(d, INST_BARRIER);
    v->inst.bar_kind = popc ? BAR_RED_POPC : and? BAR_RED_AND : BAR_RED_OR;
    v->inst.flags = INST_HAS_DST | INST_CONVERGENT;
    v->dst[0] = dst;
    v->pdst[0] = p;
    v->psrc = c;
    v->inst.op.mods = negated ? OP_PSRC_NOT : 0;
    memcpy(v->src, src, sizeof src);
    return true;
}

static bool decode_barrier(struct decoder *d)
{
    uint32_t src[2] = {NONE, NONE};
    (void)(decode_has(d, M_cta) | decode_has(d, M_aligned));
    if (decode_has(d, M_warp)) {
        if (!decode_has(d, M_sync) || !decode_count(d, 1, 1) || !decode_src(d, 0, PTX_B32, src))
            return decode_error(d, "bar.warp.sync needs a member mask");
        struct vinst *v = control(d, INST_BARRIER);
        v->inst.bar_kind = BAR_WARP;
        v->inst.flags = INST_CONVERGENT;
        v->src[0] = src[0];
        return true;
    }
    if (decode_has(d, M_red))
        return decode_bar_red(d);
    bool arrive = decode_has(d, M_arrive);
    if (!arrive && !decode_has(d, M_sync))
        return decode_error(d, "a barrier needs .sync, .arrive or .red");
    if (!decode_count(d, arrive ? 2 : 1, 2))
        return false;
    for (unsigned i = 0; i < d->ast->n_operands; i++)
        if (!decode_src(d, i, PTX_U32, &src[i]))
            return false;
    struct vinst *v = control(d, INST_BARRIER);
    v->inst.bar_kind = arrive ? BAR_ARRIVE : BAR_SYNC;
    v->inst.flags = INST_CONVERGENT;
    memcpy(v->src, src, sizeof src);
    return true;
}

/* Between ways to the same memory: there is one here. */
static bool decode_proxy(struct decoder *d)
{
    if (decode_has(d, M_alias))
        return true;
    if (!decode_has(d, M_async))
        return decode_error(d, "fence.proxy is for .alias and .async");
    (void)(decode_has(d, M_global) || decode_has(d, M_shared_cta) ||
           decode_has(d, M_shared_cluster));
    return true;
}

static bool decode_fence(struct decoder *d)
{
    if (!decode_count(d, 0, 0))
        return false;
    (void)(decode_has(d, M_sc) | decode_has(d, M_acq_rel));
    if (decode_has(d, M_mbarrier_init))
        (void)decode_has(d, M_release);
    if (decode_has(d, M_proxy)) {
        if (!decode_proxy(d))
            return false;
    } else if (!(decode_has(d, M_cta) | decode_has(d, M_gl) | decode_has(d, M_gpu) |
                 decode_has(d, M_sys) | decode_has(d, M_cluster))) {
        return decode_error(d, "a fence needs a scope");
    }
    struct vinst *v = control(d, INST_FENCE);
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    return true;
}

/* A grid starts when those that it follows have ended, so there is nothing to wait for. */
static bool decode_griddepcontrol(struct decoder *d)
{
    if (!decode_count(d, 0, 0))
        return false;
    if (!decode_has(d, M_wait) && !decode_has(d, M_launch_dependents))
        return decode_error(d, "griddepcontrol needs .wait or .launch_dependents");
    (void)decode_emit(d);
    return true;
}

static bool decode_end(struct decoder *d, enum inst_class class)
{
    (void)decode_has(d, M_uni);
    if (!decode_count(d, 0, 0))
        return false;
    (void)control(d, class);
    return true;
}

bool decode_control(struct decoder *d)
{
    switch (d->op->operation) {
    case OP_bra:
        return decode_bra(d);
    case OP_brx:
        return decode_brx(d);
    case OP_ret:
    case OP_exit:
        return decode_end(d, INST_EXIT);
    case OP_trap:
    case OP_brkpt:
        return decode_end(d, INST_TRAP);
    case OP_bar:
    case OP_barrier:
        return decode_barrier(d);
    case OP_griddepcontrol:
        return decode_griddepcontrol(d);
    case OP_membar:
    case OP_fence:
        return decode_fence(d);
    case OP_nanosleep: {
        uint32_t src;
        (void)decode_has(d, M_u32);
        if (!decode_count(d, 1, 1) || !decode_src(d, 0, PTX_U32, &src))
            return false;
        struct vinst *v = control(d, INST_SLEEP);
        v->src[0] = src;
        return true;
    }
    default:
        return decode_mark(d);
    }
}

/* --- across the lanes of a warp ------------------------------------------------------------------
 */

static bool decode_vote(struct decoder *d)
{
    bool sync = decode_has(d, M_sync), negated;
    unsigned n = sync ? 3 : 2;
    uint32_t dst = NONE, p = NONE, q, src, member = NONE;
    enum modifier m = decode_range(d, M_all, M_ballot);
    if (m == MODIFIER_COUNT)
        return decode_error(d, "vote needs a mode");
    bool ballot = m == M_ballot;
    if (!decode_has(d, ballot ? M_b32 : M_pred))
        return decode_error(d, "the type does not match the mode");
    if (!decode_count(d, n, n) ||
        !(ballot ? decode_dst(d, 0, PTX_B32, &dst) : decode_pred_dst(d, 0, &p, &q)) ||
        !decode_pred(d, &d->operands[1], &src, &negated) ||
        (sync && !decode_src(d, 2, PTX_B32, &member)))
        return false;
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_vote;
    v->inst.flags = INST_CONVERGENT;
    v->inst.op.sub = (uint8_t)(m - M_all);
    v->inst.op.mods = negated ? OP_PSRC_NOT : 0;
    v->dst[0] = dst;
    v->pdst[0] = p;
    v->psrc = src;
    v->src[0] = member;
    return true;
}

static bool decode_shfl(struct decoder *d)
{
    bool sync = decode_has(d, M_sync);
    unsigned n = sync ? 5 : 4;
    uint32_t dst, p, src[4] = {NONE, NONE, NONE, NONE};
    enum modifier m = decode_range(d, M_up, M_idx);
    if (m == MODIFIER_COUNT || !decode_has(d, M_b32))
        return decode_error(d, "shfl needs a mode and .b32");
    if (!decode_count(d, n, n) || !decode_dst_pred(d, 0, PTX_B32, &dst, &p))
        return false;
    for (unsigned i = 0; i + 1 < n; i++)
        if (!decode_src(d, i + 1, PTX_B32, &src[i]))
            return false;
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_shuffle;
    v->inst.flags = INST_CONVERGENT;
    v->inst.timing = TIMING_INT_MUL;
    v->inst.op.sub = (uint8_t)(m - M_up);
    v->dst[0] = dst;
    v->pdst[0] = p;
    memcpy(v->src, src, sizeof src);
    return true;
}

static bool decode_match(struct decoder *d)
{
    bool all = decode_has(d, M_all);
    uint8_t type;
    uint32_t dst, p, src, member;
    if ((!all && !decode_has(d, M_any)) || !decode_has(d, M_sync))
        return decode_error(d, "match needs .any.sync or .all.sync");
    if (!decode_count(d, 3, 3) || !decode_type(d, 0, &type) ||
        !decode_type_in(d, type, BITS(PTX_B32) | BITS(PTX_B64)) ||
        !decode_dst_pred(d, 0, PTX_B32, &dst, &p) || !decode_src(d, 1, type, &src) ||
        !decode_src(d, 2, PTX_B32, &member))
        return false;
    if (p != NONE && !all)
        return decode_error(d, "match.any has no predicate beside the destination");
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_match;
    v->inst.flags = INST_CONVERGENT;
    v->inst.timing = TIMING_INT_MUL;
    v->inst.op.sub = all;
    v->inst.op.mods = type_bytes(type) == 8 ? OP_SRC64 : 0;
    v->dst[0] = dst;
    v->pdst[0] = p;
    v->src[0] = src;
    v->src[1] = member;
    return true;
}

static bool decode_redux(struct decoder *d)
{
    uint8_t type;
    enum modifier m = decode_range(d, M_and, M_max);
    if (m == MODIFIER_COUNT || m == M_inc || m == M_dec || !decode_has(d, M_sync))
        return decode_error(d, "redux needs .sync and an operation");
    if (!decode_count(d, 3, 3) || !decode_type(d, 0, &type) ||
        !decode_type_in(d, type, m <= M_xor ? BITS(PTX_B32) : BITS(PTX_U32) | BITS(PTX_S32)))
        return false;
    struct alu alu = {.exec = lanes_redux,
                      .type = type,
                      .dst_type = type,
                      .src_types = {type, PTX_B32},
                      .n_src = 2,
                      .timing = TIMING_INT_MUL,
                      .extra = (uint8_t)(m - M_and)};
    struct vinst *v = decode_alu(d, &alu);
    if (v)
        v->inst.flags |= INST_CONVERGENT;
    return v != NULL;
}

static bool decode_elect(struct decoder *d)
{
    uint32_t dst, p, member;
    if (!decode_has(d, M_sync) || !decode_count(d, 2, 2) ||
        !decode_dst_pred(d, 0, PTX_B32, &dst, &p) || p == NONE ||
        !decode_src(d, 1, PTX_B32, &member))
        return decode_error(d, "elect.sync needs a destination (or _) | a predicate, and a mask");
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_elect;
    v->inst.flags = INST_CONVERGENT;
    v->dst[0] = dst;
    v->pdst[0] = p;
    v->src[0] = member;
    return true;
}

bool decode_warp(struct decoder *d)
{
    uint32_t dst;
    switch (d->op->operation) {
    case OP_vote:
        return decode_vote(d);
    case OP_shfl:
        return decode_shfl(d);
    case OP_match:
        return decode_match(d);
    case OP_redux:
        return decode_redux(d);
    case OP_elect:
        return decode_elect(d);
    default:
        if (!decode_has(d, M_b32) || !decode_count(d, 1, 1) || !decode_dst(d, 0, PTX_B32, &dst))
            return decode_error(d, "activemask.b32 needs one destination");
        struct vinst *v = decode_emit(d);
        v->inst.exec = lanes_activemask;
        v->dst[0] = dst;
        return true;
    }
}
