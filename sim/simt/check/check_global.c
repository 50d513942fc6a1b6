/* Races in device memory between threads of one grid. Within a block, barriers order accesses, by
 * the clocks of check_race.c; between blocks, atomics and volatile accesses do: one of the first
 * block after its access, and one of the second block later than that, whichever words they are on.
 * So what is found is a race, and some races stay unfound. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/check/check_internal.h"

#define PAGE_BYTES 1024u
#define WORD       4u
#define READERS    2  /* of different warps that are remembered: the last ones */
#define GRIDS      64 /* that are remembered: the youngest */
#define MAX_BYTES  16u

enum touch_flag { TOUCH_VALID = 1, TOUCH_ATOMIC = 2 };

struct touch {
    uint32_t grid, block, line;
    uint32_t clock; /* of its warp, for its own block */
    uint32_t turn;  /* of the checker, for other blocks */
    uint16_t thread;
    uint8_t warp, flags;
};

struct cell {
    struct touch write, read[READERS];
    bool lock; /* exchanged or compared */
};

/* Cells by word, or by byte once an access is smaller than a word. */
struct page {
    uint64_t number; /* address / PAGE_BYTES */
    bool bytes;
    struct cell *cells; /* NULL: the place in the table is free */
};

/* When each block of a grid released last. */
struct grid_turns {
    uint32_t grid;
    uint64_t n_blocks;
    uint32_t *released; /* NULL: no block has yet */
};

struct global_state {
    struct page *pages; /* open addressing; capacity is a power of two */
    size_t n_pages, capacity;
    struct grid_turns grids[GRIDS];
    uint32_t next_grid;
    uint32_t turn;      /* counts what orders blocks */
    uint32_t *acquired; /* cores x blocks: the turn of the block's last acquire */
    uint32_t blocks;
};

struct global_state *global_state_create(uint32_t cores, uint32_t blocks)
{
    struct global_state *g = ALLOC(struct global_state);
    g->capacity = 1024;
    g->pages = ALLOC_ARRAY(struct page, g->capacity);
    g->acquired = ALLOC_ARRAY(uint32_t, (size_t)cores * blocks);
    g->blocks = blocks;
    return g;
}

void global_state_destroy(struct global_state *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->capacity; i++)
        free(g->pages[i].cells);
    for (uint32_t i = 0; i < GRIDS; i++)
        free(g->grids[i].released);
    free(g->pages);
    free(g->acquired);
    free(g);
}

/* --- pages ------------------------------------------------------------------------------------ */

static struct page *find(const struct global_state *g, uint64_t number)
{
    size_t at = (size_t)(number * 0x9e3779b97f4a7c15u >> 20) & (g->capacity - 1);
    while (g->pages[at].cells && g->pages[at].number != number)
        at = (at + 1) & (g->capacity - 1);
    return &g->pages[at];
}

static void grow(struct global_state *g)
{
    struct page *old = g->pages;
    size_t capacity = g->capacity;
    g->capacity *= 2;
    g->pages = ALLOC_ARRAY(struct page, g->capacity);
    for (size_t i = 0; i < capacity; i++) {
        if (old[i].cells)
            *find(g, old[i].number) = old[i];
    }
    free(old);
}

static void split(struct page *page)
{
    struct cell *words = page->cells;
    page->cells = ALLOC_ARRAY(struct cell, PAGE_BYTES);
    for (uint32_t i = 0; i < PAGE_BYTES; i++)
        page->cells[i] = words[i / WORD];
    page->bytes = true;
    free(words);
}

/* The cells of an aligned access, which never crosses a page. */
static struct cell *cells_of(struct global_state *g, uint64_t address, uint32_t bytes,
                             uint32_t *count)
{
    if (2 * g->n_pages > g->capacity)
        grow(g);
    struct page *page = find(g, address / PAGE_BYTES);
    if (!page->cells) {
        *page =
            (struct page){address / PAGE_BYTES, false, ALLOC_ARRAY(struct cell, PAGE_BYTES / WORD)};
        g->n_pages++;
    }
    if (bytes < WORD && !page->bytes)
        split(page);
    uint32_t offset = (uint32_t)(address % PAGE_BYTES);
    *count = page->bytes ? bytes : bytes / WORD;
    return &page->cells[page->bytes ? offset : offset / WORD];
}

void global_fresh(struct slots *slots, uint64_t address, uint64_t bytes)
{
    struct global_state *g = slots->env.check->global;
    for (uint64_t end = address + bytes; address < end; address += WORD) {
        struct page *page = find(g, address / PAGE_BYTES);
        uint32_t count = 0;
        if (page->cells) {
            struct cell *cell = cells_of(g, address, WORD, &count);
            memset(cell, 0, count * sizeof *cell);
        }
    }
}

/* --- order between blocks --------------------------------------------------------------------- */

struct now {
    struct slots *slots;
    struct global_state *g;
    const struct inst *inst;
    const uint32_t *seen; /* by the warp, of the warps of its block */
    const struct grid *grid;
    uint32_t *acquired;
    uint32_t w, warp, lane, block;
    bool atomic;
};

static struct grid_turns *turns_of(struct global_state *g, uint32_t grid)
{
    for (uint32_t i = 0; i < GRIDS; i++) {
        if (g->grids[i].grid == grid && g->grids[i].released)
            return &g->grids[i];
    }
    return NULL;
}

static void release(const struct now *n)
{
    struct global_state *g = n->g;
    struct grid_turns *turns = turns_of(g, n->grid->id);
    if (!turns) {
        turns = &g->grids[g->next_grid++ % GRIDS];
        free(turns->released);
        *turns = (struct grid_turns){n->grid->id, n->grid->total_blocks,
                                     ALLOC_ARRAY(uint32_t, (size_t)n->grid->total_blocks)};
    }
    turns->released[n->block] = ++g->turn;
}

static void acquire(const struct now *n)
{
    *n->acquired = ++n->g->turn;
}

static bool ordered_blocks(const struct now *n, const struct touch *before)
{
    const struct grid_turns *turns = turns_of(n->g, before->grid);
    return turns && turns->released[before->block] > before->turn && *n->acquired > before->turn;
}

/* --- accesses --------------------------------------------------------------------------------- */

static struct touch touch_of(const struct now *n)
{
    return (struct touch){.grid = n->grid->id,
                          .block = n->block,
                          .line = n->inst->line,
                          .clock = n->seen[n->warp],
                          .turn = n->g->turn,
                          .thread = (uint16_t)(n->warp * WARP_SIZE + n->lane),
                          .warp = (uint8_t)n->warp,
                          .flags = (uint8_t)(TOUCH_VALID | (n->atomic ? TOUCH_ATOMIC : 0))};
}

/* Between grids nothing is looked for: streams and events order most of them. */
static bool conflicts(const struct now *n, const struct touch *before)
{
    if (!(before->flags & TOUCH_VALID) || before->grid != n->grid->id ||
        (n->atomic && before->flags & TOUCH_ATOMIC))
        return false;
    if (before->block != n->block)
        return !ordered_blocks(n, before);
    return before->warp != n->warp && n->seen[before->warp] < before->clock;
}

static void found(const struct now *n, enum finding_kind kind, const struct touch *before,
                  uint64_t address)
{
    checker_add(n->slots, &(struct finding){.kind = kind,
                                            .kernel = warp_of(&n->slots->warps, n->w)->kernel,
                                            .line = n->inst->line,
                                            .other_line = before->line,
                                            .space = SPACE_GLOBAL,
                                            .warp = n->w,
                                            .lane = n->lane,
                                            .other_thread = before->thread,
                                            .other_block = before->block,
                                            .between_blocks = before->block != n->block,
                                            .bytes = (uint32_t)n->inst->width * n->inst->vec,
                                            .address = address});
}

static bool same_warp(const struct touch *a, const struct touch *b)
{
    return a->grid == b->grid && a->block == b->block && a->warp == b->warp;
}

static void note_read(const struct now *n, struct cell *cell)
{
    struct touch t = touch_of(n);
    if (cell->read[0].flags & TOUCH_VALID && !same_warp(&cell->read[0], &t))
        cell->read[1] = cell->read[0];
    cell->read[0] = t;
}

/* One kind of finding per lane and access is enough. */
static void lane_reads(const struct now *n, uint64_t address, uint32_t bytes)
{
    bool told = false;
    uint32_t count;
    struct cell *cell = cells_of(n->g, address, bytes, &count);
    for (; count; count--, cell++) {
        if (!told && conflicts(n, &cell->write)) {
            found(n, FOUND_RAW, &cell->write, address);
            told = true;
        }
        note_read(n, cell);
    }
}

static void lane_writes(const struct now *n, uint64_t address, uint32_t bytes)
{
    bool told = false;
    uint32_t count;
    struct cell *cell = cells_of(n->g, address, bytes, &count);
    for (; count; count--, cell++) {
        if (!told && conflicts(n, &cell->write)) {
            found(n, FOUND_WAW, &cell->write, address);
            told = true;
        }
        for (uint32_t r = 0; r < READERS && !told; r++) {
            told = conflicts(n, &cell->read[r]);
            if (told)
                found(n, FOUND_WAR, &cell->read[r], address);
        }
        cell->write = touch_of(n);
    }
}

static bool is_lock(const struct now *n, uint64_t address, uint32_t bytes, bool make)
{
    uint32_t count;
    struct cell *cell = cells_of(n->g, address, bytes, &count);
    cell->lock |= make;
    return cell->lock;
}

/* --- whole instructions ----------------------------------------------------------------------- */

/* Lanes of one instruction that write different values to the same place. */
static void same_instruction(struct now *n, const struct lane_addresses *p,
                             uint8_t value[WARP_SIZE][MAX_BYTES], uint32_t bytes)
{
    for (uint32_t a = p->global; a; a &= a - 1)
        for (uint32_t b = a & (a - 1); b; b &= b - 1) {
            uint32_t i = lowest(a), j = lowest(b);
            if (p->address[i] != p->address[j] || !memcmp(value[i], value[j], bytes))
                continue;
            n->lane = i;
            struct touch first = touch_of(n);
            n->lane = j;
            found(n, FOUND_WAW, &first, p->address[j]);
            return;
        }
}

/* A write of what is there already is no race. */
static void stores(struct now *n, const struct lane_addresses *p, uint32_t bytes)
{
    uint8_t value[WARP_SIZE][MAX_BYTES];
    uint8_t *at[WARP_SIZE];
    bool is_volatile = n->inst->flags & INST_VOLATILE, released = false;
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        at[i] = value[i];
    isa_store(n->inst, warp_ctx(&n->slots->warps, n->w), p->global, at);
    bool apart = p->regular && p->pattern.step >= bytes && p->pattern.half >= 16 * p->pattern.step;
    if (!apart)
        same_instruction(n, p, value, bytes);
    for (uint32_t m = p->global; m; m &= m - 1) {
        n->lane = lowest(m);
        uint64_t address = p->address[n->lane];
        n->atomic = is_volatile || is_lock(n, address, bytes, false);
        if (n->atomic || memcmp(value[n->lane], p->at[n->lane], bytes))
            lane_writes(n, address, bytes);
        released |= n->atomic;
    }
    if (released) {
        race_device_sync(n->slots, n->w);
        release(n);
    }
}

static void loads(struct now *n, const struct lane_addresses *p, uint32_t bytes)
{
    n->atomic = n->inst->flags & INST_VOLATILE;
    if (n->atomic) {
        race_device_sync(n->slots, n->w);
        acquire(n);
    }
    for (uint32_t m = p->global; m; m &= m - 1) {
        n->lane = lowest(m);
        lane_reads(n, p->address[n->lane], bytes);
    }
}

static void atomics(struct now *n, const struct lane_addresses *p, uint32_t bytes)
{
    bool lock = isa_exchanges(n->inst);
    n->atomic = true;
    race_device_sync(n->slots, n->w);
    acquire(n);
    for (uint32_t m = p->global; m; m &= m - 1) {
        n->lane = lowest(m);
        is_lock(n, p->address[n->lane], bytes, lock);
        lane_reads(n, p->address[n->lane], bytes);
        lane_writes(n, p->address[n->lane], bytes);
    }
    release(n);
}

void global_block(struct slots *slots, uint32_t slot)
{
    struct global_state *g = slots->env.check->global;
    g->acquired[(size_t)slots->env.port * g->blocks + slot] = 0;
}

void global_access(struct slots *slots, uint32_t w, const struct inst *inst,
                   const struct lane_addresses *p)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    struct global_state *g = slots->env.check->global;
    uint32_t bytes = (uint32_t)inst->width * inst->vec;
    if (warp->block == NO_BLOCK || !warp->grid || bytes > MAX_BYTES || inst->space == SPACE_PARAM ||
        inst->space == SPACE_CONST)
        return;
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    const uint32_t *dims = warp->grid->dims;
    struct now n = {
        .slots = slots,
        .g = g,
        .inst = inst,
        .seen = race_seen(slots, w),
        .grid = warp->grid,
        .acquired = &g->acquired[(size_t)slots->env.port * g->blocks + warp->block],
        .w = w,
        .warp = warp->index,
        .block = ctx->ctaid[0] + dims[0] * (ctx->ctaid[1] + dims[1] * ctx->ctaid[2]),
    };
    if (inst_reads(inst))
        loads(&n, p, bytes);
    else if (inst->class == INST_STORE)
        stores(&n, p, bytes);
    else
        atomics(&n, p, bytes);
}
