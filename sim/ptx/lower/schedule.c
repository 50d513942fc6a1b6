/* List scheduling from the end of a block: of the instructions whose readers are all placed, the
 * one goes next that leaves the fewest registers live above it. */
#include "sim/ptx/lower/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/lower/liveness.h"
#include "sim/ptx/special.h"

#define MAX_BLOCK  2048 /* instructions; longer blocks keep their order */
#define MAX_ROUNDS 8

/* Must be before, from one instruction of the block to another. */
struct order {
    uint32_t before, after;
};

struct scheduler {
    struct ir *ir;
    const struct liveness *liveness;
    struct live_set live;
    uint32_t first, n; /* the block, without its last instruction if that must stay there */
    struct order *orders;
    size_t n_orders, capacity;
    uint32_t *waits; /* by instruction: successors that are not placed yet */
    uint32_t *start; /* orders of instruction i: by_after[start[i]] .. */
    uint32_t *by_after;
    uint32_t *ready;
    struct vinst *placed; /* the new order */
    uint32_t *reader,
        *writer; /* by virtual register: the last one + 1, above which all is ordered */
};

/* Keeps its place among all others. */
static bool is_fixed(const struct vinst *v)
{
    bool moves =
        v->inst.class == INST_ALU || v->inst.class == INST_LOAD || v->inst.class == INST_STORE;
    bool clock =
        v->inst.exec == lanes_special &&
        (v->inst.op.sub == SPECIAL_CLOCK || v->inst.op.sub == SPECIAL_CLOCK_HI ||
         v->inst.op.sub == SPECIAL_CLOCK64 || v->inst.op.sub == SPECIAL_GLOBALTIMER ||
         v->inst.op.sub == SPECIAL_GLOBALTIMER_LO || v->inst.op.sub == SPECIAL_GLOBALTIMER_HI);
    return !moves || clock || v->inst.flags & (INST_CONVERGENT | INST_VOLATILE | INST_FRAME) ||
           v->inst.exec == lanes_nothing || v->inst.exec == lanes_leave_frame ||
           v->inst.exec == lanes_activemask;
}

static void add_order(struct scheduler *s, uint32_t before, uint32_t after)
{
    if (before == after)
        return;
    ARRAY_RESERVE(s->orders, s->n_orders, s->capacity);
    s->orders[s->n_orders++] = (struct order){before, after};
}

static bool names(const struct vinst *v, uint32_t vreg, bool writes)
{
    uint32_t list[LIVENESS_OPERANDS];
    unsigned n = writes ? liveness_defs(v, list) : liveness_uses(v, list);
    while (n-- > 0)
        if (list[n] == vreg)
            return true;
    return false;
}

/* After the last writer; a writer also after all readers since. */
static void order_registers(struct scheduler *s, uint32_t i)
{
    const struct vinst *code = s->ir->code + s->first;
    uint32_t list[LIVENESS_OPERANDS];
    for (unsigned k = liveness_uses(&code[i], list); k-- > 0;)
        if (s->writer[list[k]])
            add_order(s, s->writer[list[k]] - 1, i);
    for (unsigned k = liveness_defs(&code[i], list); k-- > 0;) {
        uint32_t since = s->writer[list[k]];
        if (since)
            add_order(s, since - 1, i);
        if (s->reader[list[k]])
            for (uint32_t j = since; j < i; j++)
                if (names(&code[j], list[k], false))
                    add_order(s, j, i);
    }
    for (unsigned k = liveness_uses(&code[i], list); k-- > 0;)
        s->reader[list[k]] = i + 1;
    for (unsigned k = liveness_defs(&code[i], list); k-- > 0;) {
        s->writer[list[k]] = i + 1;
        s->reader[list[k]] = 0;
    }
}

/* Loads keep their side of stores, and everything that of fixed instructions. */
static void order_memory(struct scheduler *s)
{
    const struct vinst *code = s->ir->code + s->first;
    uint32_t fixed = NONE, store = NONE;
    for (uint32_t i = 0; i < s->n; i++) {
        if (fixed != NONE)
            add_order(s, fixed, i);
        if (is_fixed(&code[i])) {
            for (uint32_t j = fixed == NONE ? 0 : fixed + 1; j < i; j++)
                add_order(s, j, i);
            fixed = i;
            store = NONE;
            continue;
        }
        if (code[i].inst.class == INST_LOAD && store != NONE)
            add_order(s, store, i);
        if (code[i].inst.class != INST_STORE)
            continue;
        for (uint32_t j = store == NONE ? (fixed == NONE ? 0 : fixed + 1) : store; j < i; j++)
            if (code[j].inst.class == INST_LOAD || code[j].inst.class == INST_STORE)
                add_order(s, j, i);
        store = i;
    }
}

static void find_orders(struct scheduler *s)
{
    uint32_t list[LIVENESS_OPERANDS];
    s->n_orders = 0;
    for (uint32_t i = 0; i < s->n; i++)
        order_registers(s, i);
    for (uint32_t i = 0; i < s->n; i++) {
        for (unsigned k = liveness_uses(&s->ir->code[s->first + i], list); k-- > 0;)
            s->reader[list[k]] = s->writer[list[k]] = 0;
        for (unsigned k = liveness_defs(&s->ir->code[s->first + i], list); k-- > 0;)
            s->reader[list[k]] = s->writer[list[k]] = 0;
    }
    order_memory(s);
    s->by_after = alloc_resize(s->by_after, s->n_orders + 1, sizeof *s->by_after);
    memset(s->start, 0, (s->n + 2) * sizeof *s->start);
    memset(s->waits, 0, s->n * sizeof *s->waits);
    for (size_t i = 0; i < s->n_orders; i++) {
        s->start[s->orders[i].after + 2]++;
        s->waits[s->orders[i].before]++;
    }
    for (uint32_t i = 2; i < s->n + 2; i++)
        s->start[i] += s->start[i - 1];
    for (size_t i = 0; i < s->n_orders; i++)
        s->by_after[s->start[s->orders[i].after + 1]++] = s->orders[i].before;
}

/* Rows that are live above the instruction, less those below it. */
static int32_t growth(const struct scheduler *s, const struct vinst *v)
{
    uint32_t uses[LIVENESS_OPERANDS], defs[LIVENESS_OPERANDS];
    unsigned n = liveness_uses(v, uses), m = liveness_defs(v, defs);
    int32_t rows = 0;
    for (unsigned k = 0; k < m && v->guard == NONE; k++)
        if (s->live.at[defs[k]] != NONE && !ir_banked(s->ir, defs[k]) && !names(v, defs[k], false))
            rows -= s->ir->vregs[defs[k]];
    for (unsigned k = 0; k < n; k++) {
        bool again = false;
        for (unsigned j = 0; j < k; j++)
            again |= uses[j] == uses[k];
        if (!again && s->live.at[uses[k]] == NONE && !ir_banked(s->ir, uses[k]))
            rows += s->ir->vregs[uses[k]];
    }
    return rows;
}

static uint32_t block_rows(struct scheduler *s, const struct vinst *code, uint32_t n)
{
    uint32_t most = 0;
    for (uint32_t i = n; i-- > 0;) {
        uint32_t after = liveness_rows(s->ir, &s->live, &code[i]);
        live_set_step(&s->live, &code[i]);
        uint32_t before = liveness_rows(s->ir, &s->live, NULL);
        most = after > most ? after : most;
        most = before > most ? before : most;
    }
    return most;
}

static void place_all(struct scheduler *s)
{
    const struct vinst *code = s->ir->code + s->first;
    uint32_t n_ready = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->waits[i])
            s->ready[n_ready++] = i;
    for (uint32_t at = s->n; at-- > 0;) {
        uint32_t best = 0;
        int32_t least = INT32_MAX;
        for (uint32_t k = 0; k < n_ready; k++) {
            int32_t rows = growth(s, &code[s->ready[k]]);
            if (rows < least || (rows == least && s->ready[k] > s->ready[best])) {
                least = rows;
                best = k;
            }
        }
        uint32_t i = s->ready[best];
        s->ready[best] = s->ready[--n_ready];
        s->placed[at] = code[i];
        live_set_step(&s->live, &code[i]);
        for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++)
            if (--s->waits[s->by_after[k]] == 0)
                s->ready[n_ready++] = s->by_after[k];
    }
}

/* True: the block now needs fewer rows. */
static bool reorder(struct scheduler *s, const struct cfg *cfg, uint32_t b)
{
    const struct block *block = &cfg->blocks[b];
    s->first = block->first;
    s->n = block->end - block->first;
    const struct vinst *last = &s->ir->code[block->end - 1];
    bool ends = last->inst.class == INST_BRANCH || last->inst.class == INST_EXIT ||
                last->inst.class == INST_RET || last->inst.class == INST_TRAP;
    if (s->n < 3 || s->n > MAX_BLOCK)
        return false;
    live_set_start(&s->live, s->liveness, b);
    uint32_t before = block_rows(s, s->ir->code + s->first, s->n);
    s->n -= ends;
    find_orders(s);
    live_set_start(&s->live, s->liveness, b);
    if (ends)
        live_set_step(&s->live, last);
    place_all(s);
    live_set_start(&s->live, s->liveness, b);
    if (ends)
        live_set_step(&s->live, last);
    if (block_rows(s, s->placed, s->n) >= before)
        return false;
    memcpy(s->ir->code + s->first, s->placed, s->n * sizeof *s->placed);
    return true;
}

/* The blocks that need the most rows; true: all of them need fewer now. */
static bool reorder_worst(struct scheduler *s, const struct cfg *cfg, uint32_t enough)
{
    uint32_t *rows = ALLOC_ARRAY(uint32_t, cfg->n_blocks), most = 0;
    bool better = true;
    for (uint32_t b = 0; b < cfg->n_blocks; b++) {
        live_set_start(&s->live, s->liveness, b);
        rows[b] = block_rows(s, s->ir->code + cfg->blocks[b].first,
                             cfg->blocks[b].end - cfg->blocks[b].first);
        most = rows[b] > most ? rows[b] : most;
    }
    for (uint32_t b = 0; b < cfg->n_blocks && most > enough; b++)
        if (rows[b] == most && !reorder(s, cfg, b))
            better = false;
    free(rows);
    return better && most > enough;
}

void schedule_for_registers(struct ir *ir, uint32_t enough)
{
    struct cfg cfg;
    struct liveness liveness;
    cfg_build(&cfg, ir);
    liveness_build(&liveness, ir, &cfg);
    struct scheduler s = {.ir = ir,
                          .liveness = &liveness,
                          .waits = ALLOC_ARRAY(uint32_t, MAX_BLOCK + 1),
                          .start = ALLOC_ARRAY(uint32_t, MAX_BLOCK + 2),
                          .ready = ALLOC_ARRAY(uint32_t, MAX_BLOCK + 1),
                          .placed = ALLOC_ARRAY(struct vinst, MAX_BLOCK + 1),
                          .reader = ALLOC_ARRAY(uint32_t, ir->n_vregs + 1),
                          .writer = ALLOC_ARRAY(uint32_t, ir->n_vregs + 1)};
    live_set_init(&s.live, ir->n_vregs);
    for (uint32_t round = 0; round < MAX_ROUNDS && reorder_worst(&s, &cfg, enough); round++)
        ;
    live_set_free(&s.live);
    free(s.orders);
    free(s.waits);
    free(s.start);
    free(s.by_after);
    free(s.ready);
    free(s.placed);
    free(s.reader);
    free(s.writer);
    liveness_free(&liveness);
    cfg_free(&cfg);
}
