#include "fpga/replay/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "concurrency_unit.h"
#include "gpu_frontend.h"
#include "mem_frontend.h"
#include "sm_concurrency_unit.h"
#include "sm_event_unit.h"
#include "tb/port_record.h"
#include "tb/replay.h"

enum {
    EDGES = 4096,      /* at most at once */
    REPEATS = 256,     /* edges of a word */
    PIPELINE = 3,      /* edges until a difference is known */
    FIELDS = 4 * 1024, /* of a tile's ports */
};

static const struct tile_kind *const kinds[] = {&gpu_frontend_kind, &sm_event_unit_kind,
                                                &mem_frontend_kind, &concurrency_unit_kind,
                                                &sm_concurrency_unit_kind};

/* A tile on the board and the words on their way to it. */
struct player {
    struct serial_device *device;
    size_t in_bytes, out_bytes;
    uint8_t pairs[2 * SERIAL_PAIRS];
    size_t n_pairs;
    uint8_t staged[PORT_BYTES]; /* inputs of the next word on the board */
    int hash, check;            /* of the next word on the board; -1: not known */
    /* Output bytes that are left out: registers without a reset, until the recording says what they
     * hold. `opens`: from the last step on they are not; the board does not know yet. */
    bool masked[PORT_BYTES], opens[PORT_BYTES], opening;
    /* Words in the ring, of which the last is not given yet. */
    uint32_t words, depth, edges, last_edges;
    bool started;
    /* The word that is being collected. */
    struct {
        uint8_t in[PORT_BYTES];
        uint16_t hash;
        bool check;
        uint32_t repeats; /* 0: none */
    } word;
};

struct found {
    bool differs;
    uint64_t step;
};

/* As output_hash. */
static uint16_t hash_of(const uint8_t *bytes, size_t n)
{
    uint16_t hash = 0;
    for (size_t i = 0; i < n; i += 2) {
        uint32_t pair = bytes[i] | (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0);
        uint32_t turn = (uint32_t)(i / 2 % 16);
        hash ^= (uint16_t)(pair << turn | pair >> (16 - turn));
    }
    return hash;
}

/* --- the board
 * -------------------------------------------------------------------------------------- */

static bool flush(struct player *p, struct error *err)
{
    bool ok = !p->n_pairs || serial_device_write(p->device, p->pairs, p->n_pairs, err);
    p->n_pairs = 0;
    return ok;
}

static bool put(struct player *p, int place, int value, struct error *err)
{
    if (p->n_pairs == SERIAL_PAIRS && !flush(p, err))
        return false;
    p->pairs[2 * p->n_pairs] = (uint8_t)place;
    p->pairs[2 * p->n_pairs++ + 1] = (uint8_t)value;
    return true;
}

/* All edges of the ring's words but those of the last one. */
static bool give(struct player *p, struct error *err)
{
    uint32_t edges = p->edges - p->last_edges;
    if (!edges)
        return true;
    p->edges = p->last_edges;
    p->words = 1;
    return put(p, REPLAY_IN_EDGES_LOW, (int)(edges & 0xff), err) &&
           put(p, REPLAY_IN_EDGES_HIGH, (int)(edges >> 8), err) && flush(p, err);
}

/* Bytes that do not hold what they held after the recorded reset hold something older than the
 * reset. */
static bool mask(struct player *p, const uint8_t *recorded, struct error *err)
{
    if (!put(p, REPLAY_IN_RESTART, 0, err))
        return false;
    p->depth = 1u << (serial_device_out(p->device)[REPLAY_OUT_STATUS] >> 4);
    for (size_t i = 0; i < p->out_bytes; i++) {
        p->masked[i] = serial_device_out(p->device)[i] != recorded[i];
        if (p->masked[i] && !put(p, REPLAY_IN_MASK, (int)i, err))
            return false;
    }
    return true;
}

/* The first word is there when the tile is reset. */
static bool start(struct player *p, struct error *err)
{
    p->started = true;
    memset(p->staged, 0, sizeof p->staged);
    return flush(p, err) && serial_device_reset(p->device, err);
}

static bool store(struct player *p, struct error *err)
{
    if (!p->word.repeats)
        return true;
    if (p->started && (p->words + 2 > p->depth || p->edges + p->word.repeats > EDGES) &&
        !give(p, err))
        return false;
    for (size_t i = 0; i < p->in_bytes; i++) {
        if (p->staged[i] == p->word.in[i])
            continue;
        p->staged[i] = p->word.in[i];
        if (!put(p, (int)i, p->word.in[i], err))
            return false;
    }
    int low = p->word.hash & 0xff, high = p->word.hash >> 8;
    if ((p->hash < 0 || low != (p->hash & 0xff)) && !put(p, REPLAY_IN_HASH_LOW, low, err))
        return false;
    if ((p->hash < 0 || high != p->hash >> 8) && !put(p, REPLAY_IN_HASH_HIGH, high, err))
        return false;
    if (p->check != p->word.check && !put(p, REPLAY_IN_CHECK, p->word.check, err))
        return false;
    p->hash = p->word.hash;
    p->check = p->word.check;
    p->words++;
    p->edges += p->word.repeats;
    p->last_edges = p->word.repeats;
    bool ok = put(p, REPLAY_IN_STORE, (int)p->word.repeats - 1, err);
    p->word.repeats = 0;
    return ok && (p->started || start(p, err));
}

static bool add(struct player *p, const uint8_t *in, uint16_t hash, bool check, struct error *err)
{
    bool same = p->word.repeats && p->word.repeats < REPEATS && p->word.hash == hash &&
                p->word.check == check && !memcmp(p->word.in, in, p->in_bytes);
    if (!same && !store(p, err))
        return false;
    if (!same) {
        memcpy(p->word.in, in, p->in_bytes);
        p->word.hash = hash;
        p->word.check = check;
    }
    p->word.repeats++;
    return true;
}

/* The edge of the word before the last one has been given: its bytes are compared from now on. */
static bool open_bytes(struct player *p, struct error *err)
{
    if (!store(p, err) || !give(p, err))
        return false;
    for (size_t i = 0; i < p->out_bytes; i++)
        if (p->opens[i] && !put(p, REPLAY_IN_MASK, (int)i, err))
            return false;
    memset(p->opens, 0, sizeof p->opens);
    p->opening = false;
    return true;
}

/* One step: `opens` are the masked bytes that it changes. */
static bool step(struct player *p, const uint8_t *in, const uint8_t *out, const bool *opens,
                 bool check, struct error *err)
{
    uint8_t kept[PORT_BYTES];
    bool any = false;
    for (size_t i = 0; i < p->out_bytes; i++) {
        any |= opens[i];
        p->masked[i] &= !opens[i];
        kept[i] = p->masked[i] ? 0 : out[i];
    }
    bool apart = any || p->opening; /* a word of its own */
    if ((apart && !store(p, err)) || !add(p, in, hash_of(kept, p->out_bytes), check, err) ||
        (p->opening && !open_bytes(p, err)) || (apart && !store(p, err)))
        return false;
    if (any)
        memcpy(p->opens, opens, sizeof p->opens);
    p->opening = any;
    return true;
}

static struct found differs(const struct player *p)
{
    const uint8_t *out = serial_device_out(p->device);
    struct found found = {.differs = p->started && (out[REPLAY_OUT_STATUS] & 1)};
    for (int i = 0; i < 4; i++)
        found.step |= (uint64_t)out[REPLAY_OUT_FIRST + i] << 8 * i;
    return found;
}

/* --- a tile
 * ----------------------------------------------------------------------------------------- */

struct pass {
    const struct replay_request *request;
    const struct tile_kind *kind;
    uint32_t tile;             /* number in the file */
    uint64_t until;            /* the last step, 0: all */
    uint64_t steps;            /* given */
    uint64_t cycle;            /* of the last one */
    uint8_t out[PORT_BYTES];   /* ... recorded */
    uint8_t reset[PORT_BYTES]; /* recorded outputs after the reset */
};

static size_t line_bytes(const struct tile_port *ports, uint32_t n)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < n; i++)
        bytes += (ports[i].width + 7) / 8;
    return bytes;
}

/* The recorded steps of the tile, as far as they go. */
static bool play_steps(struct pass *pass, struct player *p, struct port_reader *reader,
                       struct error *err)
{
    const struct port_recording *state = port_reader_state(reader);
    uint8_t before[PORT_BYTES] = {0};
    while ((!pass->until || pass->steps < pass->until) && !differs(p).differs) {
        if (state->n_tiles > pass->tile)
            memcpy(before, state->tiles[pass->tile].out, sizeof before);
        if (!port_reader_step(reader, err))
            break;
        if (state->stepped != pass->tile)
            continue;
        const struct recorded_tile *t = &state->tiles[pass->tile];
        bool opens[PORT_BYTES];
        if (!pass->steps && !mask(p, pass->reset, err))
            return false;
        for (size_t i = 0; i < p->out_bytes; i++)
            opens[i] = p->masked[i] && t->out[i] != before[i];
        pass->steps++;
        pass->cycle = state->cycle;
        memcpy(pass->out, t->out, sizeof pass->out);
        pass->out[0] ^= pass->steps == pass->request->plant;
        if (!step(p, t->in, pass->out, opens, !pass->until, err))
            return false;
    }
    return !err->set;
}

/* What the tile's outputs were after its reset: before its first step. */
static bool find_reset(struct pass *pass, struct error *err)
{
    struct port_reader *reader = port_reader_open(pass->request->path, err);
    if (!reader)
        return false;
    const struct port_recording *state = port_reader_state(reader);
    do {
        if (state->n_tiles > pass->tile)
            memcpy(pass->reset, state->tiles[pass->tile].out, sizeof pass->reset);
    } while (port_reader_step(reader, err) && state->stepped != pass->tile);
    port_reader_close(reader);
    return !err->set;
}

/* The recorded steps, to the last or to one. */
static bool play(struct pass *pass, struct player *p, struct error *err)
{
    static const bool none[PORT_BYTES];
    struct port_reader *reader = port_reader_open(pass->request->path, err);
    pass->steps = 0;
    *p = (struct player){.device = p->device,
                         .in_bytes = line_bytes(pass->kind->in_ports, pass->kind->n_in),
                         .out_bytes = line_bytes(pass->kind->out_ports, pass->kind->n_out),
                         .hash = -1,
                         .check = -1};
    bool ok = reader && serial_device_reset(p->device, err) && play_steps(pass, p, reader, err);
    port_reader_close(reader);
    if (!ok || !pass->steps || differs(p).differs)
        return ok;
    /* One word more is left in the ring; in front of it those that show the last difference. */
    uint8_t in[PORT_BYTES];
    memcpy(in, p->word.repeats ? p->word.in : p->staged, sizeof in);
    for (int i = 0; ok && i < (pass->until ? 1 : PIPELINE + 1); i++)
        ok = store(p, err) && step(p, in, pass->out, none, false, err) && store(p, err);
    return ok && give(p, err);
}

static void format(const struct tile_port *port, const uint8_t *byte, char *text, size_t size)
{
    uint32_t digits = (port->width + 3) / 4;
    size_t n = (size_t)snprintf(text, size, "0x");
    while (digits-- && n + 1 < size)
        text[n++] = "0123456789abcdef"[byte[digits / 2] >> (digits % 2 ? 4 : 0) & 15];
    text[n] = '\0';
}

/* What of the outputs on the board, which has stopped at the step, differs. */
static void show_difference(const struct pass *pass, const struct player *p, const char *instance)
{
    const struct tile_kind *kind = pass->kind;
    uint8_t fields[FIELDS] = {0}, out[PORT_BYTES];
    port_fields(kind->out_ports, kind->n_out, serial_device_out(p->device), fields);
    port_output_bytes(kind, fields, out);
    size_t at = 0;
    for (uint32_t i = 0; i < kind->n_out; i++) {
        const struct tile_port *port = &kind->out_ports[i];
        size_t bytes = (port->width + 7) / 8;
        if (memcmp(out + at, pass->out + at, bytes) != 0) {
            char recorded[160], board[160];
            format(port, pass->out + at, recorded, sizeof recorded);
            format(port, out + at, board, sizeof board);
            printf(
                "evgpu-replay: step %llu, cycle %llu, tile %s %s, port %s: recorded %s, board %s\n",
                (unsigned long long)pass->steps, (unsigned long long)pass->cycle, kind->name,
                instance, port->name, recorded, board);
            return;
        }
        at += bytes;
    }
    printf(
        "evgpu-replay: step %llu, cycle %llu, tile %s %s: the outputs differed once, not again\n",
        (unsigned long long)pass->steps, (unsigned long long)pass->cycle, kind->name, instance);
}

static bool replay_tile(struct pass *pass, struct player *p, const char *instance,
                        struct replay_result *result, struct error *err)
{
    if (!find_reset(pass, err) || !play(pass, p, err))
        return false;
    struct found found = differs(p);
    if (!found.differs) {
        printf("evgpu-replay: %s %s: %llu steps equal\n", pass->kind->name, instance,
               (unsigned long long)pass->steps);
        result->equal++;
        result->steps += pass->steps;
        return true;
    }
    result->different++;
    pass->until = found.step;
    if (!play(pass, p, err))
        return false;
    show_difference(pass, p, instance);
    return true;
}

static const struct tile_kind *kind_of(const struct recorded_tile *tile)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i]->name, tile->kind) && kinds[i]->signature == tile->signature)
            return kinds[i];
    return NULL;
}

/* Which tiles the file has: they stand in front of the first step. */
static bool replay_all(const struct replay_request *r, const struct port_recording *state,
                       struct replay_result *result, struct error *err)
{
    uint32_t played = 0;
    for (uint32_t i = 0; i < state->n_tiles; i++) {
        const struct recorded_tile *tile = &state->tiles[i];
        struct pass pass = {.request = r, .kind = kind_of(tile), .tile = i};
        struct player player = {0};
        if (r->only && strcmp(r->only, tile->instance) != 0)
            continue;
        if (!pass.kind)
            return error_set(err, "%s: tile %s %s is of another version of rtl/evgpu.def", r->path,
                             tile->kind, tile->instance);
        struct error none = {0};
        player.device = serial_device_create(
            r->link, tile->kind, tile->signature ^ REPLAY_SIGNATURE,
            pass.kind->small_signature ^ REPLAY_SIGNATURE, REPLAY_OUT_BYTES, &none);
        if (!player.device) {
            result->missing++;
            continue;
        }
        bool ok = replay_tile(&pass, &player, tile->instance, result, err);
        serial_device_destroy(player.device);
        if (!ok)
            return false;
        played++;
    }
    return played || error_set(err, "%s: the board replays none of its tiles", r->path);
}

bool replay(const struct replay_request *r, struct replay_result *result, struct error *err)
{
    struct port_reader *reader = port_reader_open(r->path, err);
    if (!reader)
        return false;
    bool ok = replay_all(r, port_reader_state(reader), result, err);
    port_reader_close(reader);
    return ok;
}
