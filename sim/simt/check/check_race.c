/* Races in shared memory: a cell per byte with its last write and its last readers, a vector clock
 * per warp. An access happened before what a warp does now when the warp's clock has seen it. The
 * write of a copy (cp.async) happens when its warp has waited for its group. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/check/check_internal.h"

#define READERS   2 /* of different warps that are remembered: the last ones */
#define NO_SYNC   0u
#define MAX_BYTES 16u /* of one lane's access */

enum touch_flag { TOUCH_VALID = 1, TOUCH_ATOMIC = 2, TOUCH_COPY = 4 };

struct touch {
    uint32_t line, clock; /* TOUCH_COPY: its group in the place of a clock */
    uint16_t thread;
    uint8_t warp, flags;
};

struct cell {
    struct touch write, read[READERS];
    uint32_t sync; /* 1 + index among the block's atomic words */
};

/* A word that atomics touch: what was before them. */
struct sync {
    uint32_t *clock; /* n_warps */
    bool lock;       /* exchanged or compared */
};

/* Groups of a warp's copies. */
struct copy_groups {
    uint32_t *waited; /* the warp's clock when it waited for the group */
    size_t done, capacity;
    uint32_t open; /* the one that copies belong to */
};

struct race_slot {
    struct cell *cells;
    uint32_t n_cells, cell_capacity;
    uint32_t n_warps;
    uint8_t index_of[SLOTS]; /* by warp slot; an event may be on it meanwhile */
    uint32_t *clock;         /* n_warps x n_warps: row w is what warp w has seen */
    uint32_t *arrived;       /* BARRIERS x n_warps */
    uint32_t *device;        /* n_warps: what was before the block's atomics on device memory */
    struct sync *syncs;
    uint32_t n_syncs, sync_capacity;
    struct copy_groups copies[SLOTS]; /* n_warps */
};

struct race_state {
    struct race_slot *slots; /* cores x blocks */
    uint32_t cores, blocks;
};

struct race_state *race_create(uint32_t cores, uint32_t blocks)
{
    struct race_state *r = ALLOC(struct race_state);
    r->cores = cores;
    r->blocks = blocks;
    r->slots = ALLOC_ARRAY(struct race_slot, (size_t)cores * blocks);
    return r;
}

static void drop_syncs(struct race_slot *s)
{
    for (uint32_t i = 0; i < s->n_syncs; i++)
        free(s->syncs[i].clock);
    s->n_syncs = 0;
}

void race_destroy(struct race_state *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < (size_t)r->cores * r->blocks; i++) {
        drop_syncs(&r->slots[i]);
        free(r->slots[i].cells);
        free(r->slots[i].clock);
        free(r->slots[i].arrived);
        free(r->slots[i].device);
        free(r->slots[i].syncs);
        for (uint32_t w = 0; w < SLOTS; w++)
            free(r->slots[i].copies[w].waited);
    }
    free(r->slots);
    free(r);
}

static struct race_slot *slot_at(struct slots *slots, uint32_t slot)
{
    struct race_state *r = slots->env.check->races;
    return &r->slots[(size_t)slots->env.port * r->blocks + slot];
}

/* --- clocks ----------------------------------------------------------------------------------- */

static uint32_t *clock_of(struct race_slot *s, uint32_t warp)
{
    return &s->clock[(size_t)warp * s->n_warps];
}

static void join(const struct race_slot *s, uint32_t *to, const uint32_t *from)
{
    for (uint32_t i = 0; i < s->n_warps; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

void race_block(struct slots *slots, uint32_t slot, uint32_t warps)
{
    struct race_slot *s = slot_at(slots, slot);
    uint32_t bytes = 0;
    for (uint64_t m = warps_resident(&slots->warps); m; m &= m - 1) {
        const struct warp *warp = warp_of(&slots->warps, lowest(m));
        if (warp->block != slot)
            continue;
        bytes = warp->shared_bytes;
        s->index_of[lowest(m)] = (uint8_t)warp->index;
    }
    drop_syncs(s);
    if (bytes > s->cell_capacity) {
        s->cells = alloc_resize(s->cells, bytes, sizeof *s->cells);
        s->cell_capacity = bytes;
    }
    s->n_cells = bytes;
    if (bytes)
        memset(s->cells, 0, bytes * sizeof *s->cells);
    s->n_warps = warps;
    s->clock = alloc_resize(s->clock, (size_t)warps * warps, sizeof *s->clock);
    memset(s->clock, 0, (size_t)warps * warps * sizeof *s->clock);
    for (uint32_t w = 0; w < warps; w++) {
        clock_of(s, w)[w] = 1;
        s->copies[w].done = s->copies[w].open = 0;
    }
    s->arrived = alloc_resize(s->arrived, (size_t)BARRIERS * warps, sizeof *s->arrived);
    memset(s->arrived, 0, (size_t)BARRIERS * warps * sizeof *s->arrived);
    s->device = alloc_resize(s->device, warps, sizeof *s->device);
    memset(s->device, 0, warps * sizeof *s->device);
}

void race_arrive(struct slots *slots, uint32_t w, uint32_t barrier)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    struct race_slot *s = slot_at(slots, warp->block);
    uint32_t *own = clock_of(s, warp->index);
    join(s, &s->arrived[(size_t)barrier * s->n_warps], own);
    own[warp->index]++;
}

void race_release(struct slots *slots, uint32_t slot, uint32_t barrier, uint64_t waiting)
{
    struct race_slot *s = slot_at(slots, slot);
    uint32_t *arrived = &s->arrived[(size_t)barrier * s->n_warps];
    for (; waiting; waiting &= waiting - 1)
        join(s, clock_of(s, s->index_of[lowest(waiting)]), arrived);
    memset(arrived, 0, s->n_warps * sizeof *arrived);
}

const uint32_t *race_seen(struct slots *slots, uint32_t w)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    return clock_of(slot_at(slots, warp->block), warp->index);
}

void race_device_sync(struct slots *slots, uint32_t w)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    struct race_slot *s = slot_at(slots, warp->block);
    uint32_t *own = clock_of(s, warp->index);
    join(s, own, s->device);
    join(s, s->device, own);
    own[warp->index]++;
}

/* --- accesses --------------------------------------------------------------------------------- */

struct now {
    struct slots *slots;
    struct race_slot *s;
    const struct inst *inst;
    uint32_t w, warp, lane;
    uint32_t *clock;
    bool atomic;
};

static struct touch touch_of(const struct now *n)
{
    bool copy = n->inst->class == INST_COPY;
    return (struct touch){
        .line = n->inst->line,
        .clock = copy ? n->s->copies[n->warp].open : n->clock[n->warp],
        .thread = (uint16_t)(n->warp * WARP_SIZE + n->lane),
        .warp = (uint8_t)n->warp,
        .flags = (uint8_t)(TOUCH_VALID | (n->atomic ? TOUCH_ATOMIC : 0) | (copy ? TOUCH_COPY : 0))};
}

/* A copy that its warp has not waited for conflicts with everything. */
static bool on_its_way(const struct now *n, const struct touch *before)
{
    return before->flags & TOUCH_COPY && before->clock >= n->s->copies[before->warp].done;
}

static bool conflicts(const struct now *n, const struct touch *before)
{
    if (on_its_way(n, before))
        return true;
    if (!(before->flags & TOUCH_VALID) || before->warp == n->warp ||
        (n->atomic && before->flags & TOUCH_ATOMIC))
        return false;
    uint32_t clock = before->flags & TOUCH_COPY ? n->s->copies[before->warp].waited[before->clock]
                                                : before->clock;
    return n->clock[before->warp] < clock;
}

static void found(const struct now *n, enum finding_kind kind, const struct touch *before,
                  uint64_t offset)
{
    if (!(n->slots->env.check->checks & CHECK_RACES))
        return;
    checker_add(n->slots, &(struct finding){.kind = on_its_way(n, before) ? FOUND_COPY : kind,
                                            .writes = kind != FOUND_RAW,
                                            .kernel = warp_of(&n->slots->warps, n->w)->kernel,
                                            .line = n->inst->line,
                                            .other_line = before->line,
                                            .space = SPACE_SHARED,
                                            .warp = n->w,
                                            .lane = n->lane,
                                            .other_thread = before->thread,
                                            .bytes = (uint32_t)n->inst->width * n->inst->vec,
                                            .address = offset});
}

static void note_read(const struct now *n, struct cell *cell)
{
    struct touch t = touch_of(n);
    if (cell->read[0].flags & TOUCH_VALID && cell->read[0].warp != t.warp)
        cell->read[1] = cell->read[0];
    cell->read[0] = t;
}

/* One kind of finding per lane and access is enough. */
static void lane_reads(const struct now *n, uint64_t offset, uint32_t bytes)
{
    bool told = false;
    for (uint32_t i = 0; i < bytes; i++) {
        struct cell *cell = &n->s->cells[offset + i];
        if (!told && conflicts(n, &cell->write)) {
            found(n, FOUND_RAW, &cell->write, offset);
            told = true;
        }
        note_read(n, cell);
    }
}

/* `same`: the bytes are there already. */
static void lane_writes(const struct now *n, uint64_t offset, uint32_t bytes, bool same)
{
    bool told = same;
    for (uint32_t i = 0; i < bytes; i++) {
        struct cell *cell = &n->s->cells[offset + i];
        if (same && cell->write.flags & TOUCH_VALID)
            continue;
        if (!told && conflicts(n, &cell->write)) {
            found(n, FOUND_WAW, &cell->write, offset);
            told = true;
        }
        for (uint32_t r = 0; r < READERS && !told; r++) {
            told = conflicts(n, &cell->read[r]);
            if (told)
                found(n, FOUND_WAR, &cell->read[r], offset);
        }
        cell->write = touch_of(n);
    }
}

/* --- atomics order ---------------------------------------------------------------------------- */

static struct sync *sync_of(struct race_slot *s, uint64_t offset, bool make)
{
    struct cell *cell = &s->cells[offset];
    if (cell->sync == NO_SYNC) {
        if (!make)
            return NULL;
        ARRAY_RESERVE(s->syncs, s->n_syncs, s->sync_capacity);
        s->syncs[s->n_syncs++] = (struct sync){.clock = ALLOC_ARRAY(uint32_t, s->n_warps)};
        cell->sync = s->n_syncs;
    }
    return &s->syncs[cell->sync - 1];
}

static void order(const struct now *n, struct sync *sync)
{
    join(n->s, n->clock, sync->clock);
    join(n->s, sync->clock, n->clock);
}

/* --- whole instructions ----------------------------------------------------------------------- */

/* Lanes of one instruction that write different values to the same place. */
static void same_instruction(struct now *n, const struct lane_addresses *p,
                             uint8_t value[WARP_SIZE][MAX_BYTES], uint32_t bytes)
{
    for (uint32_t a = p->shared; a; a &= a - 1)
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

static void stores(struct now *n, const struct lane_addresses *p, uint32_t bytes)
{
    uint8_t value[WARP_SIZE][MAX_BYTES];
    uint8_t *at[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        at[i] = value[i];
    isa_store(n->inst, warp_ctx(&n->slots->warps, n->w), p->shared, at);
    same_instruction(n, p, value, bytes);
    for (uint32_t m = p->shared; m; m &= m - 1) {
        n->lane = lowest(m);
        uint64_t offset = p->address[n->lane];
        struct sync *sync = sync_of(n->s, offset, false);
        n->atomic = sync && sync->lock;
        if (n->atomic)
            order(n, sync);
        lane_writes(n, offset, bytes, !memcmp(value[n->lane], p->at[n->lane], bytes));
    }
    if (n->atomic)
        n->clock[n->warp]++;
}

static void loads(struct now *n, const struct lane_addresses *p, uint32_t bytes)
{
    for (uint32_t m = p->shared; m; m &= m - 1) {
        n->lane = lowest(m);
        uint64_t offset = p->address[n->lane];
        struct sync *sync = n->inst->flags & INST_VOLATILE ? sync_of(n->s, offset, false) : NULL;
        n->atomic = sync && sync->lock;
        if (n->atomic)
            order(n, sync);
        lane_reads(n, offset, bytes);
    }
}

static void atomics(struct now *n, const struct lane_addresses *p, uint32_t bytes)
{
    n->atomic = true;
    for (uint32_t m = p->shared; m; m &= m - 1) {
        n->lane = lowest(m);
        uint64_t offset = p->address[n->lane];
        struct sync *sync = sync_of(n->s, offset, true);
        sync->lock |= isa_exchanges(n->inst);
        order(n, sync);
        lane_reads(n, offset, bytes);
        lane_writes(n, offset, bytes, false);
    }
    n->clock[n->warp]++;
}

static struct now now_of(struct slots *slots, uint32_t w, const struct inst *inst)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    struct race_slot *s = slot_at(slots, warp->block);
    return (struct now){.slots = slots,
                        .s = s,
                        .inst = inst,
                        .w = w,
                        .warp = warp->index,
                        .clock = clock_of(s, warp->index)};
}

void race_copy(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask,
               const struct lane_addresses *p)
{
    struct now n = now_of(slots, w, inst);
    uint32_t bytes = (uint32_t)inst->width * inst->vec;
    for (uint32_t m = mask; m; m &= m - 1) {
        n.lane = lowest(m);
        lane_writes(&n, p->address[n.lane], bytes, false);
    }
}

void race_copy_group(struct slots *slots, uint32_t w, const struct inst *inst)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    if (warp->block == NO_BLOCK)
        return;
    struct now n = now_of(slots, w, inst);
    struct copy_groups *g = &n.s->copies[n.warp];
    g->open += inst->op.sub != COPY_WAIT;
    if (inst->op.sub == COPY_COMMIT)
        return;
    while (g->done + (uint64_t)inst->op.imm < g->open) {
        ARRAY_RESERVE(g->waited, g->done, g->capacity);
        g->waited[g->done++] = n.clock[n.warp];
    }
}

void race_access(struct slots *slots, uint32_t w, const struct inst *inst,
                 const struct lane_addresses *p)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    uint32_t bytes = (uint32_t)inst->width * inst->vec;
    if (warp->block == NO_BLOCK || bytes > MAX_BYTES)
        return;
    struct now n = now_of(slots, w, inst);
    if (inst->class == INST_LOAD)
        loads(&n, p, bytes);
    else if (inst->class == INST_STORE)
        stores(&n, p, bytes);
    else
        atomics(&n, p, bytes);
}

bool race_written(struct slots *slots, uint32_t w, uint64_t offset, uint32_t bytes)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    if (warp->block == NO_BLOCK)
        return true;
    const struct race_slot *s = slot_at(slots, warp->block);
    for (uint32_t i = 0; i < bytes; i++)
        if (s->cells[offset + i].write.flags & TOUCH_VALID)
            return true;
    return false;
}
