#include "sim/mem/region/fe.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mem_frontend.h"
#include "sim/mem/bank.h"
#include "sim/mem/region/fe_internal.h"
#include "tb/serial.h"

#define NEVER UINT64_MAX

/* A request takes at most two runs of sectors; an atomic reads and writes them. */
#define ACCESSES_OF_ONE 4u
#define LINE_WORDS      (LINE_BYTES / EVG_FE_WORD_BYTES)

/* --- set-up ----------------------------------------------------------------------------------- */

uint32_t fe_lines(const struct fe *f)
{
    return (uint32_t)(f->config.settings.bytes / f->config.map->channels / LINE_BYTES);
}

struct fe *fe_create(const struct fe_config *config, struct error *err)
{
    struct fe *f = ALLOC(struct fe);
    f->config = *config;
    const struct fe_settings *s = &config->settings;
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        f->n_slots += s->places[q];
        f->list[q] = (struct fe_list){.first = FE_NONE, .last = FE_NONE};
        f->control.timeout[q] = q == FE_QUEUE_NON ? 0 : s->timeout;
    }
    if (f->n_slots > 1u << EVG_FE_ID_BITS) {
        error_set(err, "full/empty: %" PRIu32 " requests of a partition; the most is %u",
                  f->n_slots, 1u << EVG_FE_ID_BITS);
        fe_destroy(f);
        return NULL;
    }
    f->slots = ALLOC_ARRAY(struct fe_slot, f->n_slots);
    for (uint32_t i = 0; i < f->n_slots; i++)
        f->slots[i].next = i + 1 < f->n_slots ? i + 1 : FE_NONE;
    struct place place = map_place(config->map, s->base);
    f->first_line =
        (uint32_t)(map_channel_address(config->map, place.bank, place.bank_line) / LINE_BYTES);
    return f;
}

void fe_destroy(struct fe *f)
{
    if (!f)
        return;
    tile_destroy(f->tile);
    free(f->slots);
    free(f->full);
    free(f);
}

/* A board has the tile itself and none of its variants, so its golden model is the tile's, too. */
static struct tile *create_tile(const struct fe *f, const struct tile_place *place,
                                struct error *err)
{
    char name[24];
    bool on_board = place->board && serial_link_has(place->board, &mem_frontend_kind);
    snprintf(name, sizeof name, "partition%" PRIu32, f->config.partition);
    return tile_create_on(on_board ? &mem_frontend_kind : f->config.settings.kind,
                          f->config.settings.backend, place, name, err);
}

/* One register access, in the cycles before the first. */
static bool boot_access(struct fe *f, bool write, uint8_t reg, uint32_t *data, struct error *err)
{
    f->in = (struct mem_frontend_in){
        .reg_valid = 1, .reg_write = write, .reg_addr = reg, .reg_data = write ? *data : 0};
    bool ok = tile_step(f->tile, &f->in, &f->out, err);
    f->in = (struct mem_frontend_in){0};
    *data = f->out.reg_data;
    return ok;
}

/* The region's place in the tile, set once: that in the partition, as far as the tile can have it.
 */
static bool place_region(struct fe *f, uint32_t lines, struct error *err)
{
    uint32_t size = 1, base, status = 0;
    while (size < lines)
        size *= 2;
    base = f->first_line - f->first_line % size;
    f->tile_base = base;
    if (!boot_access(f, true, FE_REG_REGION_BASE, &base, err) ||
        !boot_access(f, false, FE_REG_STATUS, &status, err))
        return false;
    if (status >> EVG_FE_STATUS_CODE != FE_CODE_OK)
        return error_set(err,
                         "full/empty: the tile of partition %" PRIu32 " refuses line %" PRIu32
                         " as the base of its region, code %" PRIu32,
                         f->config.partition, f->tile_base, status >> EVG_FE_STATUS_CODE);
    return true;
}

bool fe_start(struct fe *f, const struct tile_place *place, struct error *err)
{
    if (f->tile)
        return true;
    f->tile = create_tile(f, place, err);
    if (!f->tile)
        return false;
    tile_reset(f->tile, &f->out);
    f->in = (struct mem_frontend_in){0};
    while (!f->out.idle)
        if (!tile_step(f->tile, &f->in, &f->out, err))
            return false;
    const struct fe_settings *s = &f->config.settings;
    uint32_t lines = 0, grain = 0, heads = 0;
    uint32_t allow = EVG_FE_CONTROL_OVERRIDE | EVG_FE_CONTROL_CLEAR;
    if (!boot_access(f, false, FE_REG_REGION_LINES, &lines, err) ||
        !boot_access(f, false, FE_REG_GRAIN_BYTES, &grain, err) ||
        !boot_access(f, false, FE_REG_LOOK_AHEAD, &heads, err) ||
        !boot_access(f, true, FE_REG_CONTROL, &allow, err) || !place_region(f, lines, err))
        return false;
    if (lines < fe_lines(f))
        return error_set(err,
                         "fe.region_kib is %" PRIu32 " per partition, but its tile has bits for "
                         "%" PRIu32,
                         fe_lines(f) / (1024 / LINE_BYTES), lines / (1024 / LINE_BYTES));
    if (grain != s->grain_bytes || heads != s->look_ahead)
        return error_set(err,
                         "fe.grain_bytes = %" PRIu32 " and fe.look_ahead = %" PRIu32
                         ", but the tile has %" PRIu32 " and %" PRIu32,
                         s->grain_bytes, s->look_ahead, grain, heads);
    f->full = ALLOC_ARRAY(uint32_t, fe_lines(f));
    fe_note_range(f, true, 0, fe_lines(f) * LINE_WORDS - 1);
    return true;
}

bool fe_started(const struct fe *f)
{
    return f->tile != NULL;
}

struct tile *fe_tile(const struct fe *f)
{
    return f->tile;
}

/* --- from the banks --------------------------------------------------------------------------- */

/* Events with lanes of their own among them. */
static bool from_gpu(const struct mem_request *r)
{
    return r->class == CLASS_GPU || r->class == CLASS_EVENT;
}

static enum fe_queue queue_of(const struct mem_request *r)
{
    if (r->trigger == TRIGGER_NONE)
        return FE_QUEUE_NON;
    return from_gpu(r) ? FE_QUEUE_GPU : FE_QUEUE_CPU;
}

bool fe_take(struct fe *f, const struct mem_request *r, uint32_t bank, uint64_t now)
{
    uint32_t q = queue_of(r);
    struct fe_list *list = &f->list[q];
    assert(f->tile);
    if (list->places == f->config.settings.places[q])
        return false;
    uint32_t id = f->free_slot;
    struct fe_slot *slot = &f->slots[id];
    f->free_slot = slot->next;
    *slot = (struct fe_slot){.request = *r,
                             .since = now,
                             .next = FE_NONE,
                             .bank = (uint8_t)bank,
                             .queue = (uint8_t)q,
                             .used = true};
    if (list->last == FE_NONE)
        list->first = id;
    else
        f->slots[list->last].next = id;
    list->last = id;
    list->places++;
    f->stats.requests[q]++;
    return true;
}

/* --- into the tile ---------------------------------------------------------------------------- */

static uint32_t touched(const struct mem_request *r)
{
    return r->words ? r->words : sector_words(r->sectors);
}

static uint64_t channel_address(const struct fe *f, const struct mem_request *r)
{
    struct place place = map_place(f->config.map, r->line);
    return map_channel_address(f->config.map, place.bank, place.bank_line);
}

uint32_t fe_line(const struct fe *f, const struct mem_request *r)
{
    return (uint32_t)(channel_address(f, r) / LINE_BYTES) - f->first_line;
}

/* The first request of a list whose queue has room; the lists take turns. */
static bool offer_request(struct fe *f)
{
    for (uint32_t i = 0; i < FE_QUEUES; i++) {
        uint32_t q = (f->turn + i) % FE_QUEUES, id = f->list[q].first;
        if (id == FE_NONE || !(f->out.req_ready >> q & 1))
            continue;
        const struct mem_request *r = &f->slots[id].request;
        f->in.req_valid = 1;
        f->in.req_line = f->tile_base + fe_line(f, r);
        f->in.req_mask = touched(r);
        f->in.req_trigger = r->trigger;
        f->in.req_action = r->action;
        f->in.req_source = from_gpu(r) ? FE_SOURCE_GPU : FE_SOURCE_CPU;
        f->in.req_write = r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC;
        f->in.req_id = (uint16_t)id;
        f->list[q].first = f->slots[id].next;
        if (f->list[q].first == FE_NONE)
            f->list[q].last = FE_NONE;
        f->turn = (q + 1) % FE_QUEUES;
        return true;
    }
    return false;
}

/* --- memory ----------------------------------------------------------------------------------- */

static void push_answer(struct fe *f, uint8_t tag)
{
    uint32_t size = sizeof f->answers;
    f->answers[(f->answer_head + f->answer_count++) % size] = tag;
}

/* One access per run of adjacent sectors, in whole columns; how many. */
static uint32_t queue_accesses(struct fe *f, const struct mem_request *r, bool write, uint8_t tag,
                               uint64_t now)
{
    uint64_t channel = channel_address(f, r), column = f->config.column_bytes;
    struct traffic *traffic = &f->traffic[r->owner];
    uint32_t n = 0;
    for (uint32_t sectors = word_sectors(touched(r)); sectors; n++) {
        uint32_t first = (uint32_t)__builtin_ctz(sectors);
        uint32_t run = (uint32_t)__builtin_ctz(~(sectors >> first));
        uint64_t from = (channel + first * SECTOR_BYTES) & ~(column - 1);
        uint64_t to = (channel + (first + run) * SECTOR_BYTES + column - 1) & ~(column - 1);
        struct dram_access access = {.address = from,
                                     .bytes = (uint32_t)(to - from),
                                     .mshr = tag,
                                     .write = write,
                                     .class = r->class,
                                     .owner = r->owner};
        *(write ? &traffic->dram_written : &traffic->dram_read) += access.bytes;
        access_queue_push(f->config.accesses, &access, now);
        sectors &= ~(((1u << run) - 1) << first);
    }
    return n;
}

static void note_action(struct fe *f, const struct mem_request *r)
{
    uint32_t *full = &f->full[fe_line(f, r)];
    if (r->action == ACTION_FILL)
        *full |= touched(r);
    else if (r->action == ACTION_EMPTY)
        *full &= ~touched(r);
}

void fe_note_range(struct fe *f, bool full, uint32_t first, uint32_t last)
{
    for (uint32_t line = first / LINE_WORDS; line <= last / LINE_WORDS; line++) {
        uint32_t from = line == first / LINE_WORDS ? first % LINE_WORDS : 0;
        uint32_t to = line == last / LINE_WORDS ? last % LINE_WORDS : LINE_WORDS - 1;
        uint32_t words = (uint32_t)((2ull << to) - (1ull << from));
        f->full[line] = full ? f->full[line] | words : f->full[line] & ~words;
    }
}

uint32_t fe_against(const struct fe *f, const struct mem_request *r)
{
    const uint32_t full = f->full[fe_line(f, r)], words = touched(r);
    const uint32_t step = f->config.settings.grain_bytes / EVG_FE_WORD_BYTES;
    uint32_t against = 0;
    for (uint32_t word = 0; word < LINE_WORDS; word += step) {
        uint32_t grain = (UINT32_MAX >> (LINE_WORDS - step)) << word;
        if (!(words & grain))
            continue;
        if (r->trigger == TRIGGER_FULL)
            against |= grain & ~full;
        else if (r->trigger == TRIGGER_EMPTY && (full & grain) == grain)
            against |= words & grain;
    }
    return against;
}

/* What the tile hands over: it is performed now, in the order in which requests leave. */
static void take_departure(struct fe *f, uint64_t now)
{
    f->in.dram_ready =
        f->out.dram_valid && access_queue_room(f->config.accesses) >= ACCESSES_OF_ONE;
    if (!f->in.dram_ready)
        return;
    struct fe_slot *slot = fe_slot(f, f->out.dram_id);
    const struct mem_request *r = &slot->request;
    uint8_t tag = f->out.dram_tag;
    slot->left = true;
    f->stats.waited[slot->queue] += now - slot->since;
    f->config.perform(f->config.user, r);
    note_action(f, r);
    f->transfer[tag].reads = 0;
    if (r->kind != REQUEST_WRITE)
        f->transfer[tag].reads = queue_accesses(f, r, false, tag, now);
    if (r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC)
        queue_accesses(f, r, true, tag, now);
    if (!f->transfer[tag].reads)
        push_answer(f, tag);
}

static void take_fetched(struct fe *f, struct mem_side *side, uint64_t now)
{
    const struct fetched *data = mem_side_fetched(side, f->config.side_bank, now);
    if (!data)
        return;
    if (!--f->transfer[data->mshr].reads)
        push_answer(f, (uint8_t)data->mshr);
    mem_side_take(side, f->config.side_bank);
}

static bool offer_answer(struct fe *f)
{
    if (!f->answer_count)
        return false;
    f->in.answer_valid = 1;
    f->in.answer_tag = f->answers[f->answer_head];
    f->answer_head = (f->answer_head + 1) % sizeof f->answers;
    f->answer_count--;
    return true;
}

/* --- replies ---------------------------------------------------------------------------------- */

static void give_reply(struct fe *f, uint64_t now)
{
    f->in.rsp_ready = 0;
    if (!f->out.rsp_valid)
        return;
    uint32_t id = f->out.rsp_id;
    struct fe_slot *slot = fe_slot(f, id);
    struct mem_request reply = slot->request;
    reply.failed = f->out.rsp_status == FE_STATUS_ERROR;
    reply.released = f->out.rsp_status == FE_STATUS_RELEASED;
    if (!bank_answer(f->config.bank[slot->bank], &reply, now))
        return;
    f->in.rsp_ready = 1;
    slot->used = false;
    slot->next = f->free_slot;
    f->free_slot = id;
    f->list[slot->queue].places--;
}

/* --- the stall monitor ------------------------------------------------------------------------ */

bool fe_stalls(struct fe *f, bool memory, bool network, bool read, uint16_t *mc, uint16_t *net)
{
    struct fe_monitor *m = &f->monitor;
    bool answered = m->answered;
    *mc = m->mc;
    *net = m->net;
    *m = (struct fe_monitor){.memory = memory, .network = network, .read = read && !answered};
    return answered;
}

/* True: the tile needs the edge. */
static bool monitor_inputs(struct fe *f)
{
    struct fe_monitor *m = &f->monitor;
    f->in.mc_valid = m->memory;
    f->in.net_valid = m->network;
    f->in.stall_read = m->read;
    if (m->read) { /* the counters as they are before the edge that clears them */
        m->mc = f->out.stall_mc;
        m->net = f->out.stall_net;
        m->answered = true;
    }
    return m->memory || m->network || m->read;
}

/* --- one cycle -------------------------------------------------------------------------------- */

bool fe_tick(struct fe *f, struct mem_side *side, uint64_t now, struct error *err)
{
    if (!f->tile)
        return true;
    f->in = (struct mem_frontend_in){0};
    take_departure(f, now);
    give_reply(f, now);
    take_fetched(f, side, now);
    bool wanted = offer_answer(f);
    wanted |= offer_request(f);
    fe_control_inputs(f, now);
    wanted |= monitor_inputs(f);
    if (!wanted && !f->in.reg_valid && f->out.idle)
        return true;
    f->stats.steps++;
    if (!tile_step(f->tile, &f->in, &f->out, err))
        return false;
    fe_control_outputs(f, now);
    return true;
}

/* --- questions -------------------------------------------------------------------------------- */

static bool may_offer(const struct fe *f)
{
    for (uint32_t q = 0; q < FE_QUEUES; q++)
        if (f->list[q].first != FE_NONE && f->out.req_ready >> q & 1)
            return true;
    return false;
}

uint64_t fe_quiet(const struct fe *f, uint64_t now)
{
    if (!f->tile)
        return NEVER;
    if (!f->out.idle || f->answer_count || f->config.accesses->use.count || may_offer(f))
        return 0;
    return fe_control_quiet(f, now);
}

bool fe_idle(const struct fe *f)
{
    return !f->tile ||
           (f->out.idle && !f->list[0].places && !f->list[1].places && !f->list[2].places &&
            !f->config.accesses->use.count && !f->control.count && !f->control.active);
}

void fe_each(const struct fe *f, void (*see)(void *user, const struct mem_request *r, bool left),
             void *user)
{
    for (uint32_t i = 0; i < f->n_slots; i++)
        if (f->slots[i].used)
            see(user, &f->slots[i].request, f->slots[i].left);
}

const struct traffic *fe_traffic(const struct fe *f, uint32_t owner)
{
    return &f->traffic[owner];
}

void fe_clear_traffic(struct fe *f, uint32_t owner)
{
    f->traffic[owner] = (struct traffic){0};
}

uint64_t fe_watches(const struct fe *f)
{
    return f->control.watches;
}

void fe_sum(struct fe_stats *sum, const struct fe_stats *one)
{
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        sum->requests[q] += one->requests[q];
        sum->waited[q] += one->waited[q];
    }
    sum->steps += one->steps;
    sum->lines += one->lines;
}

void fe_add_stats(const struct fe *f, struct fe_stats *sum)
{
    struct fe_stats one = f->stats;
    one.lines = fe_lines(f);
    fe_sum(sum, &one);
}
