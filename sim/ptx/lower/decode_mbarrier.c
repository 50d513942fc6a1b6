/* mbarrier: barriers that are a word of 64 bits in shared memory. Arrivals are atomics, a test is a
 * load and a comparison of phases (lanes_atomic.c has the word). */
#include "sim/ptx/lower/decode.h"

struct place {
    struct tile_place at;
    uint8_t space;
};

static bool place_of(struct decoder *d, unsigned n, struct place *p)
{
    (void)(decode_has(d, M_relaxed) | decode_has(d, M_acquire) | decode_has(d, M_release));
    (void)(decode_has(d, M_cta) | decode_has(d, M_cluster));
    if (!decode_has(d, M_b64))
        return decode_error(d, "an mbarrier is a .b64");
    if (!decode_place(d, &d->operands[n], &p->space, &p->at))
        return false;
    return p->space == SPACE_SHARED || p->space == SPACE_GENERIC ||
           decode_error(d, "an mbarrier is in shared memory");
}

static struct vinst *access_to(struct decoder *d, const struct place *p, enum inst_class class)
{
    struct vinst *v = decode_emit(d);
    v->inst.class = (uint8_t) class;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = p->space;
    v->inst.width = 8;
    v->inst.vec = 1;
    v->inst.op.type = PTX_B64;
    v->inst.op.imm = p->at.offset;
    v->inst.op.mods = p->at.mods;
    v->base = p->at.base;
    return v;
}

/* count: a register of 32 bits, or NONE for one; bytes: of 32 bits, or NONE for none; state: what
 * the word was, or NONE. */
struct arrival {
    uint32_t count, bytes, state;
};

static void change(struct decoder *d, const struct place *p, enum mbarrier_change kind,
                   const struct arrival *a)
{
    struct vinst *v = access_to(d, p, INST_ATOMIC);
    uint32_t state = a->state;
    v->inst.op.sub = (uint8_t)kind;
    v->src[0] = a->count;
    v->src[1] = a->bytes;
    v->dst[0] = state;
    if (state == NONE)
        return;
    v->inst.flags |= INST_HAS_DST;
    v->inst.op.mods |= OP_DST64;
}

static bool decode_arrive(struct decoder *d, bool drop)
{
    struct place p;
    struct arrival a = {NONE, NONE, NONE};
    bool expects = decode_has(d, M_expect_tx), counts = d->ast->n_operands == 3;
    if ((decode_has(d, M_noComplete) || expects) && !counts)
        return decode_error(d, expects ? "mbarrier.arrive.expect_tx needs a number of bytes"
                                       : "mbarrier.arrive.noComplete needs a count");
    if (!decode_count(d, 2, 3) || !place_of(d, 1, &p) ||
        (counts && !decode_src(d, 2, PTX_U32, expects ? &a.bytes : &a.count)))
        return false;
    if (d->operands[0].kind != OPERAND_SINK && !decode_dst(d, 0, PTX_B64, &a.state))
        return false;
    change(d, &p, drop ? MBARRIER_DROP : MBARRIER_ARRIVE, &a);
    return true;
}

/* .expect_tx and .complete_tx: bytes without an arrival. */
static bool decode_bytes(struct decoder *d, enum mbarrier_change kind)
{
    struct place p;
    struct arrival a = {ir_konst(d->ir, 0, false), NONE, NONE};
    if (!decode_count(d, 2, 2) || !place_of(d, 0, &p) || !decode_src(d, 1, PTX_U32, &a.bytes))
        return false;
    change(d, &p, kind, &a);
    return true;
}

/* try_wait may wait for as long as it wants, and does not. */
static bool decode_test(struct decoder *d, bool may_wait)
{
    struct place place;
    uint32_t p, q, state, limit, word = ir_vreg(d->ir, VREG_64);
    bool parity = decode_has(d, M_parity);
    if (!decode_count(d, 3, may_wait ? 4 : 3) || !decode_pred_dst(d, 0, &p, &q) ||
        !place_of(d, 1, &place) || !decode_src(d, 2, parity ? PTX_U32 : PTX_B64, &state) ||
        (d->ast->n_operands == 4 && !decode_src(d, 3, PTX_U32, &limit)))
        return false;
    if (p == NONE || q != NONE)
        return decode_error(d, "one destination expected");
    struct vinst *v = access_to(d, &place, INST_LOAD);
    v->inst.flags = INST_VOLATILE;
    v->inst.op.type2 = 8;
    v->inst.op.mods |= OP_DST64;
    v->dst[0] = word;
    v = decode_emit(d);
    v->inst.exec = lanes_mbarrier_test;
    v->inst.op.sub = parity;
    v->inst.op.mods = OP_SRC64 | (parity ? 0 : OP_SRC64 << 1);
    v->src[0] = word;
    v->src[1] = state;
    v->pdst[0] = p;
    return true;
}

static bool decode_pending(struct decoder *d)
{
    uint32_t dst, state;
    if (!decode_has(d, M_b64) || !decode_count(d, 2, 2) || !decode_dst(d, 0, PTX_U32, &dst) ||
        !decode_src(d, 1, PTX_B64, &state))
        return decode_error(d, "mbarrier.pending_count is .b64, of a register and a state");
    struct vinst *v = decode_emit(d);
    v->inst.exec = lanes_mbarrier_pending;
    v->inst.op.mods = OP_SRC64;
    v->dst[0] = dst;
    v->src[0] = state;
    return true;
}

/* cp.async.mbarrier.arrive: the warp waits for its copies, and then arrives; without .noinc the
 * arrival has been added to those expected, and takes nothing from them. */
bool decode_copy_arrive(struct decoder *d)
{
    struct place p;
    if (!decode_has(d, M_arrive))
        return decode_error(d, "only cp.async.mbarrier.arrive is known");
    bool arrives = decode_has(d, M_noinc);
    if (!decode_count(d, 1, 1) || !place_of(d, 0, &p))
        return false;
    decode_copies_wait(d);
    if (arrives)
        change(d, &p, MBARRIER_ARRIVE, &(struct arrival){NONE, NONE, NONE});
    return true;
}

bool decode_mbarrier(struct decoder *d)
{
    struct place p;
    struct arrival a = {NONE, NONE, NONE};
    if (decode_has(d, M_arrive))
        return decode_arrive(d, false);
    if (decode_has(d, M_arrive_drop))
        return decode_arrive(d, true);
    if (decode_has(d, M_test_wait))
        return decode_test(d, false);
    if (decode_has(d, M_try_wait))
        return decode_test(d, true);
    if (decode_has(d, M_pending_count))
        return decode_pending(d);
    if (decode_has(d, M_expect_tx))
        return decode_bytes(d, MBARRIER_ARRIVE);
    if (decode_has(d, M_complete_tx))
        return decode_bytes(d, MBARRIER_COMPLETE);
    bool init = decode_has(d, M_init);
    if (!init && !decode_has(d, M_inval))
        return decode_error(d, "of mbarrier, .init, .inval, .arrive, .arrive_drop, .expect_tx, "
                               ".complete_tx, .test_wait, .try_wait and .pending_count are known");
    if (!decode_count(d, 1 + init, 1 + init) || !place_of(d, 0, &p) ||
        (init && !decode_src(d, 1, PTX_U32, &a.count)))
        return false;
    change(d, &p, init ? MBARRIER_INIT : MBARRIER_INVALIDATE, &a);
    return true;
}
