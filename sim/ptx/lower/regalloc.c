/* Colouring of the interference graph. Registers get their places one after the other, in the order
 * of the program; one that finds none goes to the front of the order, and everything starts again.
 * The number of rows begins with what is needed at one time and grows in steps of what a kernel's
 * size is rounded up to. */
#include "sim/ptx/lower/regalloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define ROW_WORDS (MAX_REGS / 64)
#define STEP      4           /* rows: kernel.regs is a multiple of this */
#define MAX_TRIES 24          /* orders for one number of rows */
#define MAX_WORK  (16u << 20) /* edges looked at for more than one order */
#define EVEN_ROWS 0x5555555555555555u
#define NO_PLACE  UINT16_MAX

struct rows {
    uint64_t word[ROW_WORDS];
};

struct colouring {
    const struct ir *ir;
    const struct interference *g;
    const uint8_t *pinned;
    const uint32_t *cost; /* of a spill, by virtual register */
    struct allocation *out;
    uint32_t limit;  /* rows to use */
    uint32_t *order; /* virtual registers in use */
    size_t n;
    uint64_t work;
};

static void take(struct rows *busy, uint32_t row)
{
    busy->word[row / 64] |= 1ull << (row % 64);
}

static bool is_busy(const struct rows *busy, uint32_t row)
{
    return busy->word[row / 64] >> (row % 64) & 1;
}

/* Rows of the neighbours that have a place. */
static void find_busy(struct colouring *c, uint32_t vreg, struct rows *busy)
{
    memset(busy, 0, sizeof *busy);
    for (uint32_t i = c->g->start[vreg]; i < c->g->start[vreg + 1]; i++) {
        uint32_t other = c->g->with[i], at = c->out->reg[other];
        if (at == NO_PLACE)
            continue;
        take(busy, at);
        if (c->ir->vregs[other] == VREG_64)
            take(busy, at + 1);
    }
    c->work += c->g->start[vreg + 1] - c->g->start[vreg];
}

static bool fits(const struct colouring *c, const struct rows *busy, uint32_t row, bool wide)
{
    return row + wide < c->limit && !is_busy(busy, row) && !(wide && is_busy(busy, row + 1));
}

/* The place of a partner of a move, if it is free. */
static uint32_t partner(const struct colouring *c, uint32_t vreg, const struct rows *busy)
{
    for (uint32_t i = c->g->move_start[vreg]; i < c->g->move_start[vreg + 1]; i++) {
        uint32_t at = c->out->reg[c->g->moved[i]];
        if (at != NO_PLACE && fits(c, busy, at, c->ir->vregs[vreg] == VREG_64))
            return at;
    }
    return NONE;
}

static uint32_t first_row(const struct colouring *c, const struct rows *busy, bool wide,
                          uint64_t (*of)(uint64_t free))
{
    for (uint32_t w = 0; w < ROW_WORDS; w++)
        for (uint64_t bits = of(~busy->word[w]); bits; bits &= bits - 1) {
            uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(bits);
            return fits(c, busy, row, wide) ? row : NONE;
        }
    return NONE;
}

static uint64_t even_pairs(uint64_t free)
{
    return free & free >> 1 & EVEN_ROWS;
}

static uint64_t halves(uint64_t free)
{
    uint64_t swapped = (free & EVEN_ROWS) << 1 | (free >> 1 & EVEN_ROWS);
    return free & ~swapped;
}

static uint64_t any(uint64_t free)
{
    return free;
}

/* Even pairs for 64 bits and the free neighbour of a busy row for 32 bits keep pairs together. */
static uint32_t find_row(const struct colouring *c, const struct rows *busy, bool wide)
{
    uint32_t row = first_row(c, busy, wide, wide ? even_pairs : halves);
    if (row == NONE && !wide)
        row = first_row(c, busy, wide, any);
    for (uint32_t r = 1; row == NONE && wide && r + 1 < c->limit; r += 2)
        if (fits(c, busy, r, true))
            row = r;
    return row;
}

static bool place(struct colouring *c, uint32_t vreg)
{
    struct rows busy;
    find_busy(c, vreg, &busy);
    uint32_t at = partner(c, vreg, &busy);
    if (at == NONE)
        at = find_row(c, &busy, c->ir->vregs[vreg] == VREG_64);
    if (at == NONE)
        return false;
    c->out->reg[vreg] = (uint16_t)at;
    return true;
}

static void forget_places(struct colouring *c)
{
    memset(c->out->reg, 0xFF, (c->ir->n_vregs + 1) * sizeof *c->out->reg);
}

/* One order after the other, until all fit in the limit. */
static bool try_orders(struct colouring *c)
{
    for (uint32_t tries = 0; tries < MAX_TRIES && (tries == 0 || c->work < MAX_WORK); tries++) {
        forget_places(c);
        size_t i = 0;
        while (i < c->n && place(c, c->order[i]))
            i++;
        if (i == c->n)
            return true;
        uint32_t failed = c->order[i];
        memmove(c->order + 1, c->order, i * sizeof *c->order);
        c->order[0] = failed;
    }
    return false;
}

/* --- when the file is too small ------------------------------------------------------------------
 */

static void spill(struct colouring *c, uint32_t vreg)
{
    ARRAY_RESERVE(c->out->spill, c->out->n_spill, c->out->spill_capacity);
    c->out->spill[c->out->n_spill++] = vreg;
    c->out->reg[vreg] = NO_PLACE;
}

static uint32_t degree(const struct colouring *c, uint32_t vreg)
{
    return c->g->start[vreg + 1] - c->g->start[vreg] + 1;
}

/* Is it better to spill a than b? Fewer accesses for each register that gets room. */
static bool cheaper(const struct colouring *c, uint32_t a, uint32_t b)
{
    uint64_t left = (uint64_t)c->cost[a] * degree(c, b) * (1u + (c->ir->vregs[b] == VREG_64));
    uint64_t right = (uint64_t)c->cost[b] * degree(c, a) * (1u + (c->ir->vregs[a] == VREG_64));
    return left != right ? left < right : a < b;
}

/* Gives up a neighbour, or the register itself. */
static void evict(struct colouring *c, uint32_t vreg)
{
    uint32_t best = c->pinned && c->pinned[vreg] ? NONE : vreg;
    for (uint32_t i = c->g->start[vreg]; i < c->g->start[vreg + 1]; i++) {
        uint32_t other = c->g->with[i];
        if (c->out->reg[other] != NO_PLACE && !(c->pinned && c->pinned[other]) &&
            (best == NONE || cheaper(c, other, best)))
            best = other;
    }
    spill(c, best == NONE ? vreg : best);
}

static void place_or_spill(struct colouring *c)
{
    forget_places(c);
    for (size_t i = 0; i < c->n; i++) {
        uint32_t vreg = c->order[i];
        size_t before = c->out->n_spill;
        while (!place(c, vreg)) {
            evict(c, vreg);
            if (c->out->spill[c->out->n_spill - 1] == vreg)
                break;
        }
        (void)before;
    }
}

/* --- the two files -------------------------------------------------------------------------------
 */

static int by_position(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The registers of one file in the order in which the program comes to them. */
static void sort_registers(struct colouring *c, bool preds)
{
    uint64_t *keys = ALLOC_ARRAY(uint64_t, c->ir->n_vregs + 1);
    c->n = 0;
    for (uint32_t r = 0; r < c->ir->n_vregs; r++)
        if (c->g->first[r] != NONE && !ir_banked(c->ir, r) &&
            (c->ir->vregs[r] == VREG_PRED) == preds)
            keys[c->n++] = (uint64_t)c->g->first[r] << 32 | r;
    qsort(keys, c->n, sizeof *keys, by_position);
    for (size_t i = 0; i < c->n; i++)
        c->order[i] = (uint32_t)keys[i];
    free(keys);
}

static uint32_t rows_used(const struct colouring *c)
{
    uint32_t rows = 0;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t at = c->out->reg[c->order[i]];
        uint32_t end = at + 1 + (c->ir->vregs[c->order[i]] == VREG_64);
        if (at != NO_PLACE && end > rows)
            rows = end;
    }
    return rows;
}

/* Behind the registers, each in rows of its own; regalloc_place_bank adds where that is. */
static uint32_t number_bank(const struct colouring *c)
{
    uint32_t rows = 0;
    for (uint32_t r = 0; r < c->ir->n_banked; r++)
        if (c->ir->banked[r] && c->g->first[r] != NONE) {
            c->out->reg[r] = (uint16_t)rows;
            rows += c->ir->vregs[r];
        }
    return rows;
}

void regalloc_place_bank(struct allocation *allocation, const struct ir *ir, uint32_t first)
{
    for (uint32_t r = 0; r < ir->n_banked; r++)
        if (ir->banked[r] && allocation->reg[r] != NO_PLACE)
            allocation->reg[r] = (uint16_t)(allocation->reg[r] + first);
}

bool regalloc(struct allocation *allocation, const struct ir *ir, const struct interference *g,
              const struct spill_choice *choice, uint32_t max_regs)
{
    struct colouring c = {.ir = ir, .g = g, .pinned = choice->pinned, .cost = choice->cost};
    *allocation = (struct allocation){.reg = ALLOC_ARRAY(uint16_t, ir->n_vregs + 1)};
    uint16_t *preds = ALLOC_ARRAY(uint16_t, ir->n_vregs + 1);
    c.out = allocation;
    c.order = ALLOC_ARRAY(uint32_t, ir->n_vregs + 1);
    c.limit = MAX_PREDS;
    sort_registers(&c, true);
    if (!try_orders(&c))
        place_or_spill(&c);
    allocation->preds = rows_used(&c);
    memcpy(preds, allocation->reg, ir->n_vregs * sizeof *preds);
    sort_registers(&c, false);
    c.work = 0;
    bool ok = false;
    for (c.limit = (g->rows + STEP - 1) / STEP * STEP; c.limit <= max_regs && !ok; c.limit += STEP)
        ok = try_orders(&c);
    if (!ok) {
        c.limit = max_regs;
        place_or_spill(&c);
    }
    allocation->regs = rows_used(&c);
    for (size_t r = 0; r < ir->n_vregs; r++)
        if (ir->vregs[r] == VREG_PRED)
            allocation->reg[r] = preds[r];
    allocation->bank = number_bank(&c);
    free(preds);
    free(c.order);
    return allocation->n_spill == 0;
}

void regalloc_free(struct allocation *allocation)
{
    free(allocation->reg);
    free(allocation->spill);
}
