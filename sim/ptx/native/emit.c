#include "sim/ptx/native/emit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/execute/lanes.h"

#define ROWS        256u  /* registers of a thread, at most */
#define MOST_SPAN   65536 /* bytes between accesses that are looked up together */
#define USES_OF_OWN 3u    /* of a register, on average */
#define LONGEST_RUN 256u  /* instructions: what the compiler takes grows faster than a function */

/* The linker collects them: LANE_NAME (execute/vector.h). */
extern const struct lane_name __start_lane_names[], __stop_lane_names[];

static const char *name_of(exec_fn function)
{
    for (const struct lane_name *l = __start_lane_names; l < __stop_lane_names; l++)
        if (l->function == function)
            return l->name;
    return NULL;
}

/* Where a warp may come to other than from the instruction before. */
static bool *find_starts(const struct kernel *k)
{
    bool *start = ALLOC_ARRAY(bool, k->n_inst + 1);
    start[0] = true;
    for (uint32_t i = 0; i < k->n_inst; i++) {
        const struct inst *inst = &k->code[i];
        if (inst_straight(inst))
            continue;
        start[i + 1] = true;
        if (inst->class == INST_BRANCH && inst->target < k->n_inst)
            start[inst->target] = true;
        if (inst->reconv < k->n_inst)
            start[inst->reconv] = true;
    }
    return start;
}

/* The instructions of each run, by its first one; 0: none starts here. */
static void find_lengths(const struct kernel *k, uint32_t *length)
{
    bool *start = find_starts(k);
    uint32_t first = 0;
    for (uint32_t i = 0; i <= k->n_inst; i++) {
        bool over = i == k->n_inst || !inst_straight(&k->code[i]);
        if (over || start[i] || i - first == LONGEST_RUN) {
            if (i > first)
                length[first] = i - first;
            first = over ? i + 1 : i;
        }
    }
    free(start);
}

static void emit_constant(const struct inst *inst, uint32_t at, FILE *text)
{
    fprintf(text,
            "static const struct inst i%" PRIu32
            "={.class=%d,.guard=%d,.guard_negated=%d,.flags=%d,.space=%d,.width=%d,.vec=%d,",
            at, inst->class, inst->guard, inst->guard_negated, inst->flags, inst->space,
            inst->width, inst->vec);
    fprintf(text,
            ".op={.dst={%d,%d,%d,%d},.src={%" PRIu32 "u,%" PRIu32 "u,%" PRIu32 "u,%" PRIu32 "u},",
            inst->op.dst[0], inst->op.dst[1], inst->op.dst[2], inst->op.dst[3], inst->op.src[0],
            inst->op.src[1], inst->op.src[2], inst->op.src[3]);
    fprintf(text,
            ".base=%" PRIu32 "u,.mods=%" PRIu32 "u,.imm=(long)%" PRIu64 "ull,.pdst={%d,%d},"
            ".psrc=%d,.psrc2=%d,.type=%d,.type2=%d,.round=%d,.sub=%d}};\n",
            inst->op.base, inst->op.mods, (uint64_t)inst->op.imm, inst->op.pdst[0],
            inst->op.pdst[1], inst->op.psrc, inst->op.psrc2, inst->op.type, inst->op.type2,
            inst->op.round, inst->op.sub);
}

/* Accesses of one kind whose addresses differ by constants: their place is looked up once. */
struct group {
    uint32_t size;       /* bytes of a lane; 0: no group, the access is made by the slow version */
    uint32_t leader;     /* the first of them */
    int64_t least, most; /* offsets from the base */
};

/* While a run is written. */
struct run {
    const struct kernel *kernel;
    FILE *text;
    uint32_t first, end, at; /* its instructions, and the one to be written */
    uint32_t own_end;        /* instructions before it have registers of their own; 0: none */
    bool slow;               /* the version that makes every access */
    bool polled;             /* an access of all lanes in the fast version has polled */
    struct group *group;     /* by instruction from `first` on; that of the leader counts */
};

static bool is_whole_access(const struct inst *inst)
{
    bool whole = inst->width == 8 || (inst->width == 4 && !(inst->op.mods & OP_DST64));
    return whole && inst->vec * inst->width <= 16 && inst->space != SPACE_LOCAL &&
           !(inst->flags & INST_FRAME) && (inst->class == INST_LOAD || inst->class == INST_STORE);
}

static bool defines(const struct inst *inst, uint32_t row)
{
    return row < ROWS && inst->def_set[row / 64] >> row % 64 & 1;
}

static bool touches(const struct inst *inst, uint32_t row)
{
    return inst->use_set[row / 64] >> row % 64 & 1;
}

static bool changes_base(const struct inst *inst, const struct inst *access)
{
    uint32_t base = access->op.base;
    return defines(inst, base) || (!(access->op.mods & OP_BASE32) && defines(inst, base + 1));
}

static bool alike(const struct inst *a, const struct inst *b)
{
    return a->class == b->class && a->space == b->space && a->op.base == b->op.base &&
           (a->op.mods & OP_BASE32) == (b->op.mods & OP_BASE32) &&
           a->width * a->vec == b->width * b->vec;
}

/* Variables at fixed addresses lie in allocations of their own. */
static bool leads(const struct inst *inst)
{
    return inst->guard == NO_GUARD &&
           (inst->op.base != NO_ROW || inst->space == SPACE_PARAM || inst->space == SPACE_SHARED);
}

/* The group that access `at` leads: the later ones up to a change of the base. */
static void gather(struct run *r, uint32_t at)
{
    const struct inst *leader = &r->kernel->code[at];
    struct group *g = &r->group[at - r->first];
    uint32_t size = (uint32_t)leader->width * leader->vec;
    *g = (struct group){size, at, leader->op.imm, leader->op.imm};
    for (uint32_t i = at + 1; i < r->end && leads(leader); i++) {
        const struct inst *inst = &r->kernel->code[i];
        if (changes_base(&r->kernel->code[i - 1], leader))
            break;
        if (!inst_accesses(inst) || !alike(leader, inst) || !is_whole_access(inst) ||
            (inst->op.imm - leader->op.imm) % size)
            continue;
        int64_t least = inst->op.imm < g->least ? inst->op.imm : g->least;
        int64_t most = inst->op.imm > g->most ? inst->op.imm : g->most;
        if (most - least > MOST_SPAN)
            continue;
        g->least = least;
        g->most = most;
        r->group[i - r->first] = (struct group){size, at, 0, 0};
    }
}

static void find_groups(struct run *r)
{
    for (uint32_t at = r->first; at < r->end; at++) {
        const struct inst *inst = &r->kernel->code[at];
        if (inst_accesses(inst) && is_whole_access(inst) && !r->group[at - r->first].size)
            gather(r, at);
    }
}

/* Leaves the fast version at access `at`, which the slow one makes, and what follows of the run. */
static void emit_leave(const struct run *r)
{
    fprintf(r->text, "{at=%" PRIu32 ";goto s%" PRIu32 ";}\n", r->at, r->first);
}

/* Whose registers instruction `at` has. */
static const char *context(const struct run *r)
{
    return r->own_end ? "&t" : "&k";
}

static void emit_slow_access(const struct run *r, const char *mask)
{
    fprintf(r->text, "if(!l->access(l->f,l->w,&l->code[%" PRIu32 "],%s))return %" PRIu32 ";\n",
            r->at, mask, r->at);
}

static void emit_access(const struct run *r, const char *mask)
{
    const struct inst *inst = &r->kernel->code[r->at];
    const struct group *g = &r->group[r->at - r->first];
    const struct group *led = &r->group[g->leader - r->first];
    if (!g->size) {
        emit_leave(r);
        return;
    }
    if (inst->guard != NO_GUARD) {
        fprintf(r->text, "if(%s!=FULL)", mask);
        emit_leave(r);
    }
    if (g->leader == r->at) {
        fprintf(r->text,
                "struct usual g%" PRIu32 ";if(!native_group(l,&i%" PRIu32 ",%" PRIu32
                ",(long)%" PRIu64 "ull,%" PRIu64 ",&g%" PRIu32 "))",
                r->at, r->at, r->at, (uint64_t)led->least,
                (uint64_t)(led->most - led->least) + g->size, r->at);
        emit_leave(r);
    }
    fprintf(r->text, "native_access%s(%s,&i%" PRIu32 ",&g%" PRIu32 ",%" PRIu64 ");\n",
            r->own_end ? "_own" : "", context(r), r->at, g->leader,
            (uint64_t)(inst->op.imm - led->least));
}

/* An operation whose result is the same whichever NaN an operand is, and which has a version that
 * leaves its own NaN as it comes (native_prelude.c). */
static bool takes_any_nan(const struct inst *inst)
{
    static const char *const names[] = {"add_f32", "sub_f32", "mul_f32", "fma_f32"};
    const char *name = inst->class == INST_ALU ? name_of(inst->exec) : NULL;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static bool reads(const struct inst *inst, uint32_t row)
{
    bool found = inst->op.base == row || inst->op.base + 1 == row;
    for (int n = 0; n < 4; n++)
        found |= inst->op.src[n] == row || inst->op.src[n] + 1 == row;
    return found;
}

/* All that look at the result of this instruction take any NaN: then nobody waits until it has
 * become the one that PTX wants. */
static bool stays_raw(const struct run *r)
{
    const struct inst *inst = &r->kernel->code[r->at];
    const uint32_t row = inst->op.dst[0];
    if (!r->own_end || inst->guard != NO_GUARD || !takes_any_nan(inst))
        return false;
    for (uint32_t i = r->at + 1; i < r->own_end; i++) {
        const struct inst *later = &r->kernel->code[i];
        if (!touches(later, row))
            continue;
        if (!takes_any_nan(later) && (reads(later, row) || !defines(later, row)))
            return false;
        if (defines(later, row))
            return later->guard == NO_GUARD;
    }
    return false;
}

/* Executes the instruction for the lanes that `mask` names in the text. */
static void emit_work(struct run *r, const struct inst *inst, const char *mask)
{
    if (inst_accesses(inst)) {
        if (inst_polls(inst) && !r->polled)
            fprintf(r->text, "stack_polls(&l->f->slots->stacks,l->w);\n");
        r->polled |= inst_polls(inst) && inst->guard == NO_GUARD && !r->slow;
        (r->slow ? emit_slow_access : emit_access)(r, mask);
        return;
    }
    const char *name = name_of(inst->exec);
    if (name)
        fprintf(r->text, "%s%s(&i%" PRIu32 ",%s,%s);\n", name, stays_raw(r) ? "_raw" : "", r->at,
                context(r), mask);
    else
        fprintf(r->text, "l->code[%" PRIu32 "].exec(&l->code[%" PRIu32 "],l->ctx,%s);\n", r->at,
                r->at, mask);
}

static void emit_instruction(struct run *r)
{
    const struct inst *inst = &r->kernel->code[r->at];
    if (inst_accesses(inst) && r->slow)
        fprintf(r->text, "case %" PRIu32 ":\n", r->at);
    if (inst->guard == NO_GUARD) {
        emit_work(r, inst, "FULL");
    } else {
        fprintf(r->text, "{uint32_t m=inst_guard(&i%" PRIu32 ",&k,FULL);if(m){", r->at);
        emit_work(r, inst, "m");
        fprintf(r->text, "}less+=%u-lanes_count(m);}\n", WARP_SIZE);
    }
}

static bool is_product(const struct inst *inst)
{
    return inst->unit == UNIT_TENSOR && inst->guard == NO_GUARD;
}

/* Products one after the other: isa_products. */
static void emit_products(struct run *r)
{
    const uint32_t first = r->at;
    while (r->at + 1 < r->end && is_product(&r->kernel->code[r->at + 1]))
        r->at++;
    fprintf(r->text,
            "for(uint32_t p=%" PRIu32 ";p<%" PRIu32 ";)p+=l->products(&l->code[p],%" PRIu32
            "-p,l->ctx);\n",
            first, r->at + 1, r->at + 1);
}

static void emit_instructions(struct run *r)
{
    for (r->at = r->first; r->at < r->end; r->at++)
        (is_product(&r->kernel->code[r->at]) ? emit_products : emit_instruction)(r);
}

/* The fast version may leave the run here, or calls what looks at the warp's registers. */
static bool is_in_view(const struct run *r, uint32_t at)
{
    const struct inst *inst = &r->kernel->code[at];
    const struct group *g = &r->group[at - r->first];
    if (inst_accesses(inst))
        return !g->size || g->leader == at || inst->guard != NO_GUARD;
    return !name_of(inst->exec);
}

/* Where somebody next looks at the warp's registers. */
static uint32_t next_view(const struct run *r, uint32_t at)
{
    while (at < r->end && !is_in_view(r, at))
        at++;
    return at;
}

/* Instructions use registers again and again: it is worth it to copy these. */
static bool is_worth_own(const struct run *r, uint32_t first, uint32_t end)
{
    uint32_t uses = 0, rows = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        uint32_t of_row = 0;
        for (uint32_t i = first; i < end; i++)
            of_row += touches(&r->kernel->code[i], row);
        uses += of_row;
        rows += of_row != 0;
    }
    return uses > USES_OF_OWN * rows;
}

/* The rows that instructions touch, or those that they change. */
static void emit_copies(const struct run *r, uint32_t first, bool changed, const char *text)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        bool copied = false;
        for (uint32_t i = first; i < r->own_end; i++)
            copied |= (changed ? defines : touches)(&r->kernel->code[i], row);
        if (copied)
            fprintf(r->text, text, row, row);
    }
}

/* From r->at on, where nobody else looks at the warp's registers: there the compiler may keep them
 * in its own. */
static void emit_own(struct run *r, uint32_t end)
{
    const uint32_t first = r->at;
    r->own_end = end;
    fprintf(r->text,
            "{uint32_t own[%u][%u]__attribute__((aligned(64)));struct lane_ctx t;t.reg=own;"
            "t.pred=k.pred;t.konst=k.konst;\n",
            ROWS, WARP_SIZE);
    emit_copies(r, first, false, "native_copy(t.reg[%" PRIu32 "],k.reg[%" PRIu32 "]);\n");
    for (; r->at < end; r->at++)
        emit_instruction(r);
    emit_copies(r, first, true, "native_copy(k.reg[%" PRIu32 "],t.reg[%" PRIu32 "]);\n");
    fprintf(r->text, "}\n");
    r->own_end = 0;
}

static void emit_fast_instructions(struct run *r)
{
    for (r->at = r->first; r->at < r->end;) {
        const uint32_t view = next_view(r, r->at);
        if (is_worth_own(r, r->at, view))
            emit_own(r, view);
        for (; r->at < view || (r->at < r->end && is_in_view(r, r->at)); r->at++)
            (is_product(&r->kernel->code[r->at]) ? emit_products : emit_instruction)(r);
    }
}

static bool has_access(const struct kernel *k, uint32_t first, uint32_t length)
{
    for (uint32_t i = first; i < first + length; i++)
        if (inst_accesses(&k->code[i]))
            return true;
    return false;
}

/* What of a context the functions with names look at, where the compiler knows that nobody else
 * changes it. */
static const char start[] = "struct lane_ctx k;k.reg=l->ctx->reg;k.pred=l->ctx->pred;"
                            "k.konst=l->ctx->konst;\n";

/* The rest of a run from an access on: its last instruction and one, or the access that has not
 * taken place. */
static void emit_slow(struct run r)
{
    r.slow = true;
    fprintf(r.text,
            "static __attribute__((noinline,hot)) uint32_t slow_%" PRIu32
            "(struct native_call*l,uint32_t at){%suint64_t less=0;switch(at){\n",
            r.first, start);
    emit_instructions(&r);
    fprintf(r.text, "}l->less+=less;return %" PRIu32 ";}\n", r.end);
}

static void emit_goto(const struct run *r, const uint32_t *length, uint32_t to)
{
    if (to < r->kernel->n_inst && length[to])
        fprintf(r->text, "goto r%" PRIu32 ";\n", to);
    else
        fprintf(r->text, "{at=%" PRIu32 ";goto out;}\n", to);
}

/* All lanes or none take it, or the interpreter does; and a loop that polls. */
static void emit_branch(const struct run *r, const uint32_t *length)
{
    const struct inst *inst = &r->kernel->code[r->end];
    emit_constant(inst, r->end, r->text);
    fprintf(r->text,
            "if(!left){at=%" PRIu32 ";goto out;}uint32_t m=inst_guard(&i%" PRIu32 ",&k,FULL);",
            r->end, r->end);
    fprintf(r->text, "if(m==FULL%s){left--;", inst->target <= r->end ? "&&native_loops(l)" : "");
    emit_goto(r, length, inst->target);
    fprintf(r->text, "}if(!m){left--;less+=%u;", WARP_SIZE);
    emit_goto(r, length, r->end + 1);
    fprintf(r->text, "}at=%" PRIu32 ";goto out;", r->end);
}

static void emit_fast(struct run r, const uint32_t *length)
{
    uint32_t n = r.end - r.first;
    fprintf(r.text, "r%" PRIu32 ":if(left<%" PRIu32 "){at=%" PRIu32 ";goto out;}{\n", r.first, n,
            r.first);
    emit_fast_instructions(&r);
    if (has_access(r.kernel, r.first, n))
        fprintf(r.text,
                "if(0){s%" PRIu32 ":at=slow_%" PRIu32 "(l,at);if(at<%" PRIu32 "){left-=at-%" PRIu32
                ";l->failed=1;goto out;}}\n",
                r.first, r.first, r.end, r.first);
    fprintf(r.text, "left-=%" PRIu32 ";\n", n);
    if (r.end < r.kernel->n_inst && r.kernel->code[r.end].class == INST_BRANCH)
        emit_branch(&r, length);
    else
        emit_goto(&r, length, r.end);
    fprintf(r.text, "}\n");
}

static void emit_runs(const struct kernel *k, const uint32_t *length, bool slow, FILE *text)
{
    for (uint32_t i = 0; i < k->n_inst; i++) {
        if (!length[i])
            continue;
        struct run r = {.kernel = k, .text = text, .first = i, .end = i + length[i]};
        r.group = ALLOC_ARRAY(struct group, length[i]);
        find_groups(&r);
        if (!slow)
            emit_fast(r, length);
        else if (has_access(k, i, length[i]))
            emit_slow(r);
        free(r.group);
    }
}

void native_emit(const struct kernel *k, FILE *text)
{
    uint32_t *length = ALLOC_ARRAY(uint32_t, k->n_inst);
    find_lengths(k, length);
    fprintf(text, "#define FULL %uu\n", FULL_MASK);
    for (uint32_t i = 0; i < k->n_inst; i++) {
        if (inst_straight(&k->code[i]))
            emit_constant(&k->code[i], i, text);
    }
    emit_runs(k, length, true, text);
    fprintf(text,
            "__attribute__((hot)) void run_kernel(struct native_call*l){%suint32_t "
            "at=l->at;uint64_t left=l->left,"
            "less=0;switch(at){\n",
            start);
    for (uint32_t i = 0; i < k->n_inst; i++) {
        if (length[i])
            fprintf(text, "case %" PRIu32 ":goto r%" PRIu32 ";\n", i, i);
    }
    fprintf(text, "default:return;}\n");
    emit_runs(k, length, false, text);
    fprintf(text, "out:l->at=at;l->left=left;l->less+=less;}\n");
    free(length);
}
