#include "sim/ptx/lower/decode.h"

#include <string.h>

struct access { /* what the modifiers of a memory instruction say */
    uint8_t space, type, vec;
    uint8_t flags;
    bool acquire, release;
};

static void fence(struct decoder *d)
{
    struct vinst *v = decode_emit(d);
    v->inst.class = INST_FENCE;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.exec = NULL;
}

static uint8_t space_of(struct decoder *d)
{
    static const struct {
        enum modifier m;
        uint8_t space;
    } spaces[] = {
        {M_global, SPACE_GLOBAL},         {M_shared, SPACE_SHARED}, {M_shared_cta, SPACE_SHARED},
        {M_shared_cluster, SPACE_SHARED}, /* of a cluster that is one block */
        {M_local, SPACE_LOCAL},           {M_const, SPACE_CONST},   {M_param, SPACE_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (decode_has(d, spaces[i].m))
            return spaces[i].space;
    (void)decode_has(d, M_generic);
    return SPACE_GENERIC;
}

/* .volatile, .relaxed.gpu, .acquire.sys and the like; caching hints. */
static void access_order(struct decoder *d, struct access *a)
{
    bool atomic = d->op->operation == OP_atom || d->op->operation == OP_red;
    bool both = decode_has(d, M_acq_rel);
    bool strong = decode_has(d, M_volatile) | decode_has(d, M_relaxed) | decode_has(d, M_mmio);
    a->acquire = decode_has(d, M_acquire) | both;
    a->release = decode_has(d, M_release) | both;
    (void)decode_has(d, M_weak);
    if (strong || a->acquire || a->release)
        (void)(decode_has(d, M_cta) | decode_has(d, M_gpu) | decode_has(d, M_sys) |
               decode_has(d, M_cluster));
    if (atomic) {
        (void)(decode_has(d, M_cta) | decode_has(d, M_gpu) | decode_has(d, M_sys) |
               decode_has(d, M_cluster));
        (void)decode_has(d, M_noftz);
        return;
    }
    enum modifier cache = decode_range(d, M_ca, M_wt);
    (void)decode_has(d, M_nc);
    (void)decode_range(d, M_L1_hint, M_L1_none);
    (void)decode_range(d, M_L2_64, M_L2_256);
    if (strong || a->acquire || a->release || cache == M_cv)
        a->flags |= INST_VOLATILE;
    if (cache == M_cg)
        a->flags |= INST_CACHE_GLOBAL;
}

static bool access_of(struct decoder *d, struct access *a)
{
    bool atomic = d->op->operation == OP_atom || d->op->operation == OP_red;
    uint32_t types = ~(uint32_t)(BITS(PTX_PRED) | (atomic ? 0 : HALF_TYPES));
    *a = (struct access){.space = space_of(d), .vec = 1};
    access_order(d, a);
    if (decode_has(d, M_v2))
        a->vec = 2;
    if (decode_has(d, M_v4))
        a->vec = 4;
    return decode_type(d, 0, &a->type) && decode_type_in(d, a->type, types);
}

/* The address operand into base and offset. */
static bool address(struct decoder *d, const struct ast_operand *o, uint8_t space, uint32_t *base,
                    int64_t *offset, uint32_t *mods)
{
    const struct variable *v;
    uint8_t type;
    *base = NONE;
    *offset = o->value;
    if (o->kind != OPERAND_ADDRESS)
        return decode_error(d, "address in brackets expected");
    switch (o->base_kind) {
    case OPERAND_REG:
        *base = d->frame->reg_base + o->index;
        type = d->frame->function->regs[o->index];
        if (type == PTX_PRED || type_bytes(type) < 4)
            return decode_error(d, "an address register has 32 or 64 bits");
        *mods |= type_bytes(type) == 4 ? OP_BASE32 : 0;
        return true;
    case OPERAND_SYMBOL:
        v = &d->ir->unit->variables[o->index];
        if (v->space != space &&
            !(space == SPACE_GENERIC && (v->space == SPACE_GLOBAL || v->space == SPACE_CONST)))
            return decode_error(d, "'%.*s' is in another address space",
                                (int)(v->name_length < 80 ? v->name_length : 80), v->name);
        *offset = 0;
        return decode_symbol(d, o->index, o->value, true, base);
    default:
        return true;
    }
}

bool decode_place(struct decoder *d, const struct ast_operand *o, uint8_t *space,
                  struct tile_place *place)
{
    *space = space_of(d);
    place->mods = 0;
    if (!address(d, o, *space, &place->base, &place->offset, &place->mods))
        return false;
    return place->base != NONE || decode_error(d, "the address must be a register or a variable");
}

/* ld.param and st.param of device functions and calls become moves; see params.c. */
static bool is_object(struct decoder *d, const struct access *a, const struct ast_operand *o)
{
    return a->space == SPACE_PARAM && o->kind == OPERAND_ADDRESS &&
           o->base_kind == OPERAND_SYMBOL &&
           d->ir->unit->variables[o->index].space == SPACE_PARAM &&
           !decode_kernel_param(d, o->index);
}

static const struct ast_operand *element(const struct decoder *d, const struct ast_operand *o,
                                         unsigned i)
{
    return o->kind == OPERAND_VECTOR ? &d->ir->unit->elements[o->index + i] : o;
}

static bool check_vector(struct decoder *d, const struct ast_operand *o, unsigned vec)
{
    unsigned n = o->kind == OPERAND_VECTOR ? o->count : 1;
    if (n != vec || (vec > 1 && o->kind != OPERAND_VECTOR))
        return decode_error(d, "%u elements expected", vec);
    return true;
}

static void fill(struct vinst *v, const struct access *a, enum inst_class class)
{
    v->inst.class = (uint8_t) class;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_LDST;
    v->inst.timing = TIMING_MEM;
    v->inst.space = a->space;
    v->inst.flags = a->flags;
    v->inst.width = (uint8_t)type_bytes(a->type);
    v->inst.vec = a->vec;
    v->inst.op.type = a->type;
}

/* One element of a parameter object, as an access to local memory that params.c completes. */
static struct vinst *object_access(struct decoder *d, const struct access *a,
                                   const struct ast_operand *where, unsigned i,
                                   enum inst_class class)
{
    struct access one = *a;
    one.space = SPACE_LOCAL;
    one.vec = 1;
    one.flags = 0;
    struct vinst *v = decode_emit(d);
    fill(v, &one, class);
    v->object = (uint32_t)decode_variable(d, where->index);
    v->inst.op.imm = where->value + (int64_t)(i * type_bytes(a->type));
    return v;
}

static bool object_range(struct decoder *d, const struct access *a, const struct ast_operand *o)
{
    const struct variable *v = &d->ir->unit->variables[o->index];
    uint64_t bytes = (uint64_t)type_bytes(a->type) * a->vec;
    if (o->value < 0 || bytes > v->size || (uint64_t)o->value > v->size - bytes)
        return decode_error(d, "the access lies outside the parameter");
    return true;
}

bool decode_ld(struct decoder *d)
{
    struct access a;
    uint32_t dst[4], bytes[4], base, mods = 0;
    int64_t offset;
    if (!decode_count(d, 2, 2) || !access_of(d, &a) || !check_vector(d, &d->operands[0], a.vec))
        return false;
    for (unsigned i = 0; i < a.vec; i++) {
        if (!decode_dst_loose(d, element(d, &d->operands[0], i), a.type, &dst[i], &bytes[i]))
            return false;
        if ((bytes[i] == 8) != (bytes[0] == 8))
            return decode_error(d, "the elements have different sizes");
    }
    if (is_object(d, &a, &d->operands[1])) {
        if (!object_range(d, &a, &d->operands[1]))
            return false;
        for (unsigned i = 0; i < a.vec; i++) {
            struct vinst *v = object_access(d, &a, &d->operands[1], i, INST_LOAD);
            v->dst[0] = dst[i];
            v->inst.op.type2 = (uint8_t)bytes[i];
            v->inst.op.mods = bytes[i] == 8 ? OP_DST64 : 0;
        }
        return true;
    }
    if (a.space == SPACE_PARAM && !d->frame->function->is_entry)
        a.space = SPACE_LOCAL; /* through a register: the object is in local memory */
    if (!address(d, &d->operands[1], a.space, &base, &offset, &mods))
        return false;
    if (a.release)
        return decode_error(d, "a load cannot be .release");
    struct vinst *v = decode_emit(d);
    fill(v, &a, INST_LOAD);
    memcpy(v->dst, dst, a.vec * sizeof *dst);
    v->base = base;
    v->inst.op.imm = offset;
    v->inst.op.type2 = (uint8_t)bytes[0];
    v->inst.op.mods = mods | (bytes[0] == 8 ? OP_DST64 : 0);
    if (a.acquire)
        fence(d);
    return true;
}

bool decode_st(struct decoder *d)
{
    struct access a;
    uint32_t src[4], base, mods = 0;
    int64_t offset;
    if (!decode_count(d, 2, 2) || !access_of(d, &a) || !check_vector(d, &d->operands[1], a.vec))
        return false;
    for (unsigned i = 0; i < a.vec; i++)
        if (!decode_source(d, element(d, &d->operands[1], i), a.type, true, &src[i]))
            return false;
    if (a.space == SPACE_CONST)
        return decode_error(d, "a store cannot write constant memory");
    if (is_object(d, &a, &d->operands[0])) {
        if (!object_range(d, &a, &d->operands[0]))
            return false;
        for (unsigned i = 0; i < a.vec; i++)
            object_access(d, &a, &d->operands[0], i, INST_STORE)->src[0] = src[i];
        return true;
    }
    if (a.space == SPACE_PARAM && d->frame->function->is_entry)
        return decode_error(d, "a store cannot write parameters of a kernel");
    if (a.space == SPACE_PARAM)
        a.space = SPACE_LOCAL;
    if (!address(d, &d->operands[0], a.space, &base, &offset, &mods))
        return false;
    if (a.acquire)
        return decode_error(d, "a store cannot be .acquire");
    if (a.release)
        fence(d);
    struct vinst *v = decode_emit(d);
    fill(v, &a, INST_STORE);
    memcpy(v->src, src, a.vec * sizeof *src);
    v->base = base;
    v->inst.op.imm = offset;
    v->inst.op.mods = mods;
    return true;
}

/* --- atomics -------------------------------------------------------------------------------------
 */

static uint32_t atomic_types(enum modifier m)
{
    uint32_t ints = BITS(PTX_U32) | BITS(PTX_S32) | BITS(PTX_U64) | BITS(PTX_S64);
    switch (m) {
    case M_and:
    case M_or:
    case M_xor:
    case M_exch:
        return BITS(PTX_B32) | BITS(PTX_B64);
    case M_cas:
        return BITS(PTX_B16) | BITS(PTX_B32) | BITS(PTX_B64);
    case M_add:
        return ints | FLOAT_TYPES | HALF_TYPES;
    case M_inc:
    case M_dec:
        return BITS(PTX_U32);
    default:
        return ints;
    }
}

bool decode_atom(struct decoder *d)
{
    struct access a;
    bool red = d->op->operation == OP_red;
    uint32_t dst = NONE, base, b, c = NONE, mods = 0;
    int64_t offset;
    if (!access_of(d, &a))
        return false;
    enum modifier m = decode_range(d, M_and, M_cas);
    if (m == MODIFIER_COUNT)
        return decode_error(d, "an atomic operation is needed");
    unsigned first = red ? 0 : 1, n = first + 2 + (m == M_cas);
    if (a.vec != 1 || (red && (m == M_exch || m == M_cas)) ||
        (a.space != SPACE_GLOBAL && a.space != SPACE_SHARED && a.space != SPACE_GENERIC))
        return decode_error(d, "the instruction does not exist in this form");
    if (!decode_type_in(d, a.type, atomic_types(m)) || !decode_count(d, n, n) ||
        (!red && !decode_dst(d, 0, a.type, &dst)) ||
        !address(d, &d->operands[first], a.space, &base, &offset, &mods) ||
        !decode_src(d, first + 1, a.type, &b) ||
        (m == M_cas && !decode_src(d, first + 2, a.type, &c)))
        return false;
    if (a.release)
        fence(d);
    struct vinst *v = decode_emit(d);
    fill(v, &a, INST_ATOMIC);
    v->inst.op.sub = (uint8_t)(m - M_and);
    v->inst.flags |= red ? 0 : INST_HAS_DST;
    v->dst[0] = dst;
    v->base = base;
    v->src[0] = b;
    v->src[1] = c;
    v->inst.op.imm = offset;
    v->inst.op.mods = mods | (type_bytes(a.type) == 8 ? OP_DST64 | OP_SRC64 | OP_SRC64 << 1 : 0);
    if (a.acquire)
        fence(d);
    return true;
}

/* Hints: the address is checked, nothing happens. */
bool decode_prefetch(struct decoder *d)
{
    uint32_t base, mods = 0;
    int64_t offset;
    uint8_t space = space_of(d);
    (void)(decode_has(d, M_L1) | decode_has(d, M_L2));
    (void)decode_range(d, M_L1_hint, M_L1_none);
    if (!decode_count(d, 1, 2) || !address(d, &d->operands[0], space, &base, &offset, &mods))
        return false;
    (void)decode_emit(d);
    return true;
}

/* --- copies to shared memory ---------------------------------------------------------------------
 */

static void copy_group(struct decoder *d, enum copy_group kind, int64_t left)
{
    struct vinst *v = decode_emit(d);
    v->inst.class = INST_COPY_GROUP;
    v->inst.exec = NULL;
    v->inst.unit = UNIT_CONTROL;
    v->inst.timing = TIMING_CONTROL;
    v->inst.op.sub = (uint8_t)kind;
    v->inst.op.imm = left;
}

void decode_copies_wait(struct decoder *d)
{
    copy_group(d, COPY_WAIT_ALL, 0);
}

static bool decode_copy_group(struct decoder *d, enum copy_group kind)
{
    int64_t left = 0;
    bool counts = kind == COPY_WAIT;
    if (!decode_count(d, counts, counts))
        return false;
    if (counts) {
        left = d->operands[0].value;
        if (d->operands[0].kind != OPERAND_INT || left < 0 || left > INT32_MAX)
            return decode_error(d, "cp.async.wait_group needs a number of groups");
    }
    copy_group(d, kind, left);
    return true;
}

/* The bytes of a lane, and the operand that says how many of them are read, or that none is. */
static bool copy_size(struct decoder *d, bool l2_only, struct vinst *v)
{
    const struct ast_operand *size = &d->operands[2], *less = &d->operands[3];
    bool negated;
    uint8_t type;
    if (size->kind != OPERAND_INT || (size->value != 4 && size->value != 8 && size->value != 16) ||
        (l2_only && size->value != 16))
        return decode_error(d, l2_only ? "cp.async.cg copies 16 bytes"
                                       : "cp.async.ca copies 4, 8 or 16 bytes");
    v->inst.width = size->value == 8 ? 8 : 4;
    v->inst.vec = size->value == 16 ? 4 : 1;
    uint32_t hint, n = d->ast->n_operands - decode_has(d, M_L2_hint);
    if (n < 3 || n > 4)
        return decode_error(d, "the operands are [to], [from], bytes, bytes that are read or a "
                               "predicate, and with .L2::cache_hint a policy");
    if (n < d->ast->n_operands && !decode_src(d, n, PTX_B64, &hint))
        return false;
    if (n == 3)
        return true;
    if (decode_register(d, less, &hint, &type) && type == PTX_PRED) {
        bool ok = decode_pred(d, less, &v->psrc, &negated);
        v->inst.op.mods |= ok && negated ? OP_PSRC_NOT : 0;
        return ok;
    }
    return decode_src(d, 3, PTX_U32, &v->src[1]);
}

static bool decode_copy(struct decoder *d)
{
    uint32_t to_mods = 0;
    int64_t offset;
    bool l2_only = decode_has(d, M_cg);
    if ((!l2_only && !decode_has(d, M_ca)) || !decode_has(d, M_global) ||
        !(decode_has(d, M_shared) | decode_has(d, M_shared_cta)))
        return decode_error(d, "cp.async needs .ca or .cg, .shared and .global");
    (void)decode_range(d, M_L2_64, M_L2_256);
    struct vinst copy = {.psrc = NONE, .src = {NONE, NONE, NONE, NONE}};
    if (!decode_count(d, 3, 5) || !copy_size(d, l2_only, &copy) ||
        !address(d, &d->operands[0], SPACE_SHARED, &copy.src[0], &offset, &to_mods) ||
        !address(d, &d->operands[1], SPACE_GLOBAL, &copy.base, &copy.inst.op.imm,
                 &copy.inst.op.mods))
        return false;
    if (copy.src[0] == NONE)
        return decode_error(d, "the address in shared memory must be a register or a variable");
    struct access a = {.space = SPACE_GLOBAL,
                       .type = copy.inst.width == 8 ? PTX_B64 : PTX_B32,
                       .vec = copy.inst.vec,
                       .flags = l2_only ? INST_CACHE_GLOBAL : 0};
    struct vinst *v = decode_emit(d);
    fill(v, &a, INST_COPY);
    v->inst.op.imm = copy.inst.op.imm;
    v->inst.op.mods = copy.inst.op.mods | (to_mods & OP_BASE32 ? 0 : OP_SRC64);
    v->inst.target = (uint32_t)offset;
    memcpy(v->src, copy.src, sizeof v->src);
    v->base = copy.base;
    v->psrc = copy.psrc;
    return true;
}

bool decode_cp(struct decoder *d)
{
    if (!decode_has(d, M_async))
        return decode_error(d, "only cp.async is supported");
    if (decode_has(d, M_mbarrier))
        return decode_copy_arrive(d);
    if (decode_has(d, M_commit_group))
        return decode_copy_group(d, COPY_COMMIT);
    if (decode_has(d, M_wait_group))
        return decode_copy_group(d, COPY_WAIT);
    return decode_has(d, M_wait_all) ? decode_copy_group(d, COPY_WAIT_ALL) : decode_copy(d);
}
