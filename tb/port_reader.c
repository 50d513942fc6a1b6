/* Reads what port_record.c writes. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compressed_input.h"
#include "tb/port_record.h"

enum { ROOM = 1 << 16, LONGEST_NAME = 64, MOST_TILES = 4096 };

struct port_reader {
    char *path;
    struct compressed_input *file;
    struct port_recording state;
    uint8_t buffer[ROOM];
    size_t at, count;
    int letter;       /* of the next record */
    struct error err; /* of the file */
    bool over;
};

static bool damaged(const struct port_reader *r, struct error *err)
{
    if (r->err.set)
        return error_set(err, "%s: after step %llu: %s", r->path,
                         (unsigned long long)r->state.steps, r->err.text);
    return error_set(err, "%s: after step %llu: this is no recording of ports, or a damaged one",
                     r->path, (unsigned long long)r->state.steps);
}

/* The next byte; -1: there is none. */
static int next(struct port_reader *r)
{
    if (r->at == r->count) {
        r->at = 0;
        r->count = compressed_input_read(r->file, r->buffer, sizeof r->buffer, &r->err);
        if (!r->count)
            return -1;
    }
    return r->buffer[r->at++];
}

static bool number(struct port_reader *r, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        int byte = next(r);
        if (byte < 0)
            return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool text(struct port_reader *r, char **out)
{
    char name[LONGEST_NAME];
    for (size_t i = 0; i < sizeof name; i++) {
        int byte = next(r);
        if (byte < 0)
            return false;
        name[i] = (char)byte;
        if (!byte) {
            *out = alloc_string(name);
            return true;
        }
    }
    return false;
}

static bool read_tile(struct port_reader *r)
{
    struct port_recording *s = &r->state;
    if (s->n_tiles == MOST_TILES)
        return false;
    ARRAY_RESERVE(s->tiles, s->n_tiles, s->cap_tiles);
    struct recorded_tile *tile = &s->tiles[s->n_tiles++];
    *tile = (struct recorded_tile){0};
    if (!text(r, &tile->kind) || !text(r, &tile->instance))
        return false;
    for (int i = 0; i < 4; i++) {
        int byte = next(r);
        if (byte < 0)
            return false;
        tile->signature |= (uint32_t)byte << 8 * i;
    }
    return true;
}

static bool changes(struct port_reader *r, uint8_t bytes[PORT_BYTES])
{
    uint64_t n;
    if (!number(r, &n) || n > PORT_BYTES)
        return false;
    while (n--) {
        int at = next(r), value = next(r);
        if (at < 0 || value < 0 || at >= PORT_BYTES)
            return false;
        bytes[at] = (uint8_t)value;
    }
    return true;
}

static bool read_reset(struct port_reader *r)
{
    uint64_t tile;
    return number(r, &tile) && tile < r->state.n_tiles && changes(r, r->state.tiles[tile].out);
}

static bool read_step(struct port_reader *r)
{
    uint64_t tile, cycles;
    if (!number(r, &tile) || tile >= r->state.n_tiles || !number(r, &cycles))
        return false;
    struct recorded_tile *t = &r->state.tiles[tile];
    if (!changes(r, t->in) || !changes(r, t->out))
        return false;
    r->state.stepped = (uint32_t)tile;
    r->state.cycle += cycles;
    r->state.steps++;
    return true;
}

/* Tiles and their resets, up to the letter of what comes behind them. */
static void look_ahead(struct port_reader *r)
{
    do
        r->letter = next(r);
    while ((r->letter == 'T' && read_tile(r)) || (r->letter == 'R' && read_reset(r)));
}

bool port_reader_step(struct port_reader *r, struct error *err)
{
    uint64_t steps;
    if (r->over)
        return false;
    if (r->letter == 'S' && read_step(r)) {
        look_ahead(r);
        return true;
    }
    r->over = r->letter == 'E' && number(r, &steps) && steps == r->state.steps && next(r) < 0 &&
              !r->err.set;
    return !r->over && damaged(r, err);
}

struct port_reader *port_reader_open(const char *path, struct error *err)
{
    struct compressed_input *file = compressed_input_open(path, err);
    if (!file)
        return NULL;
    struct port_reader *r = ALLOC(struct port_reader);
    r->path = alloc_string(path);
    r->file = file;
    for (const char *c = PORT_RECORD_MAGIC; *c; c++)
        if (next(r) != *c) {
            damaged(r, err);
            port_reader_close(r);
            return NULL;
        }
    look_ahead(r);
    return r;
}

const struct port_recording *port_reader_state(const struct port_reader *r)
{
    return &r->state;
}

void port_reader_close(struct port_reader *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->state.n_tiles; i++) {
        free(r->state.tiles[i].kind);
        free(r->state.tiles[i].instance);
    }
    free(r->state.tiles);
    compressed_input_close(r->file);
    free(r->path);
    free(r);
}
