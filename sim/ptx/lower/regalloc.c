#include "sim/ptx/lower/regalloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct row {
    uint32_t until; /* busy up to this position, UINT32_MAX when never used */
    uint32_t vreg;
};

struct scan {
    const struct ir *ir;
    const struct interval *intervals;
    const uint8_t *pinned;
    struct allocation *out;
    uint32_t limit; /* rows there are, even */
    uint32_t *hint; /* virtual register whose place a move would like to keep, or NONE */
    struct row regs[MAX_REGS], preds[MAX_PREDS];
};

static bool row_free(const struct row *row, uint32_t start)
{
    return row->vreg == NONE || row->until < start;
}

/* Even pairs for 64 bits and the free neighbour of a busy row for 32 bits keep pairs together. */
static uint32_t find_rows(const struct scan *scan, uint32_t start, bool wide)
{
    uint32_t single = NONE;
    for (uint32_t r = 0; r < scan->limit; r += 2) {
        bool low = row_free(&scan->regs[r], start), high = row_free(&scan->regs[r + 1], start);
        if (wide && low && high)
            return r;
        if (wide || (!low && !high))
            continue;
        if (low != high)
            return low ? r : r + 1;
        if (single == NONE)
            single = r;
    }
    for (uint32_t r = 1; wide && r + 1 < scan->limit; r += 2)
        if (row_free(&scan->regs[r], start) && row_free(&scan->regs[r + 1], start))
            return r;
    return single;
}

static uint32_t find_pred(const struct scan *scan, uint32_t start)
{
    for (uint32_t p = 0; p < MAX_PREDS; p++)
        if (row_free(&scan->preds[p], start))
            return p;
    return NONE;
}

static uint32_t hinted(const struct scan *scan, const struct interval *it, bool wide)
{
    uint32_t from = scan->hint[it->vreg];
    if (from == NONE || scan->ir->vregs[from] != scan->ir->vregs[it->vreg])
        return NONE;
    uint32_t r = scan->out->reg[from];
    if (r >= MAX_REGS || !row_free(&scan->regs[r], it->start) ||
        (wide && !row_free(&scan->regs[r + 1], it->start)))
        return NONE;
    return r;
}

static void add_spill(struct allocation *out, uint32_t vreg)
{
    ARRAY_RESERVE(out->spill, out->n_spill, out->spill_capacity);
    out->spill[out->n_spill++] = vreg;
}

static bool spillable(const struct scan *scan, const struct row *row, uint32_t start)
{
    return !row_free(row, start) && !(scan->pinned && scan->pinned[row->vreg]);
}

/* Gives up the register that is needed longest from here on; its rows become free. */
static bool evict(struct scan *scan, struct row *rows, uint32_t n, const struct interval *it)
{
    uint32_t worst = NONE;
    for (uint32_t r = 0; r < n; r++)
        if (spillable(scan, &rows[r], it->start) &&
            (worst == NONE || rows[r].until > rows[worst].until))
            worst = r;
    if (worst == NONE)
        return false;
    uint32_t vreg = rows[worst].vreg;
    add_spill(scan->out, vreg);
    for (uint32_t r = 0; r < n; r++)
        if (rows[r].vreg == vreg)
            rows[r].vreg = NONE;
    return true;
}

static void place(struct scan *scan, const struct interval *it)
{
    uint8_t class = scan->ir->vregs[it->vreg];
    struct row busy = {it->end, it->vreg};
    uint32_t at;
    if (class == VREG_PRED) {
        while ((at = find_pred(scan, it->start)) == NONE)
            if (!evict(scan, scan->preds, MAX_PREDS, it))
                return add_spill(scan->out, it->vreg);
        scan->preds[at] = busy;
        if (at + 1 > scan->out->preds)
            scan->out->preds = at + 1;
    } else {
        bool wide = class == VREG_64;
        at = hinted(scan, it, wide);
        while (at == NONE && (at = find_rows(scan, it->start, wide)) == NONE)
            if (!evict(scan, scan->regs, scan->limit, it))
                return add_spill(scan->out, it->vreg);
        scan->regs[at] = busy;
        if (wide)
            scan->regs[at + 1] = busy;
        if (at + 1 + wide > scan->out->regs)
            scan->out->regs = at + 1 + wide;
    }
    scan->out->reg[it->vreg] = (uint16_t)at;
}

static int by_start(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->vreg < y->vreg ? -1 : x->vreg > y->vreg;
}

/* A move whose source dies there can share the register. */
static void find_hints(struct scan *scan)
{
    const struct ir *ir = scan->ir;
    memset(scan->hint, 0xFF, ir->n_vregs * sizeof *scan->hint);
    for (size_t i = 0; i < ir->n_code; i++) {
        const struct vinst *v = &ir->code[i];
        if (v->inst.class == INST_ALU && v->dst[0] != NONE && v->src[0] < REF_KONST &&
            v->src[1] == NONE && scan->intervals[v->src[0]].end == 2 * i)
            scan->hint[v->dst[0]] = v->src[0];
    }
}

bool regalloc(struct allocation *allocation, const struct ir *ir, const struct interval *intervals,
              const uint8_t *pinned, uint32_t max_regs)
{
    struct scan *scan = ALLOC(struct scan);
    struct interval *sorted = ALLOC_ARRAY(struct interval, ir->n_vregs);
    size_t n = 0;
    *allocation = (struct allocation){.reg = ALLOC_ARRAY(uint16_t, ir->n_vregs)};
    memset(allocation->reg, 0xFF, ir->n_vregs * sizeof *allocation->reg);
    scan->ir = ir;
    scan->intervals = intervals;
    scan->pinned = pinned;
    scan->out = allocation;
    scan->limit = max_regs;
    scan->hint = ALLOC_ARRAY(uint32_t, ir->n_vregs);
    memset(scan->regs, 0xFF, sizeof scan->regs);
    memset(scan->preds, 0xFF, sizeof scan->preds);
    find_hints(scan);
    for (size_t r = 0; r < ir->n_vregs; r++)
        if (intervals[r].start <= intervals[r].end)
            sorted[n++] = intervals[r];
    qsort(sorted, n, sizeof *sorted, by_start);
    for (size_t i = 0; i < n; i++)
        place(scan, &sorted[i]);
    free(sorted);
    free(scan->hint);
    free(scan);
    return allocation->n_spill == 0;
}

void regalloc_free(struct allocation *allocation)
{
    free(allocation->reg);
    free(allocation->spill);
}
