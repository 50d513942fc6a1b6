#include "tb/port_record.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compressed_output.h"

enum { ROOM = 1 << 16, LONGEST = 16 + 4 * PORT_BYTES /* of a step */ };

struct port_record {
    struct compressed_output *file;
    const uint64_t *cycle;
    uint64_t last, steps;
    struct known {
        const struct tile_kind *kind;
        uint8_t in[PORT_BYTES], out[PORT_BYTES];
    } * tiles;
    size_t n_tiles, cap_tiles;
    uint8_t buffer[ROOM + LONGEST];
    size_t count;
    struct error err;
};

size_t port_bytes(const struct tile_port *ports, uint32_t n, const void *fields,
                  uint8_t bytes[PORT_BYTES])
{
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t width = (ports[i].width + 7) / 8;
        memcpy(bytes + at, (const uint8_t *)fields + ports[i].offset, width);
        at += width;
    }
    return at;
}

void port_fields(const struct tile_port *ports, uint32_t n, const uint8_t *bytes, void *fields)
{
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t width = (ports[i].width + 7) / 8;
        memcpy((uint8_t *)fields + ports[i].offset, bytes + at, width);
        at += width;
    }
}

size_t port_output_bytes(const struct tile_kind *kind, const void *out, uint8_t bytes[PORT_BYTES])
{
    size_t at = 0;
    for (uint32_t i = 0; i < kind->n_out; i++) {
        const struct tile_port *port = &kind->out_ports[i];
        size_t width = (port->width + 7) / 8;
        if (tile_output_has_value(kind, port, out))
            memcpy(bytes + at, (const uint8_t *)out + port->offset, width);
        else
            memset(bytes + at, 0, width);
        at += width;
    }
    return at;
}

static void flush(struct port_record *r)
{
    if (!r->err.set)
        compressed_output_write(r->file, r->buffer, r->count, &r->err);
    r->count = 0;
}

static void put(struct port_record *r, const void *bytes, size_t n)
{
    memcpy(r->buffer + r->count, bytes, n);
    r->count += n;
    if (r->count >= ROOM)
        flush(r);
}

static void put_number(struct port_record *r, uint64_t value)
{
    while (value > 0x7f) {
        r->buffer[r->count++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    r->buffer[r->count++] = (uint8_t)value;
}

struct port_record *port_record_open(const char *path, struct error *err)
{
    struct compressed_output *file = compressed_output_open(path, err);
    if (!file)
        return NULL;
    struct port_record *r = ALLOC(struct port_record);
    r->file = file;
    put(r, PORT_RECORD_MAGIC, strlen(PORT_RECORD_MAGIC));
    return r;
}

void port_record_clock(struct port_record *r, const uint64_t *cycle)
{
    r->cycle = cycle;
}

uint32_t port_record_add(struct port_record *r, const struct tile_kind *kind, const char *instance)
{
    uint8_t signature[4];
    ARRAY_RESERVE(r->tiles, r->n_tiles, r->cap_tiles);
    r->tiles[r->n_tiles] = (struct known){.kind = kind};
    for (int i = 0; i < 4; i++)
        signature[i] = (uint8_t)(kind->signature >> 8 * i);
    put(r, "T", 1);
    put(r, kind->name, strlen(kind->name) + 1);
    put(r, instance, strlen(instance) + 1);
    put(r, signature, sizeof signature);
    return (uint32_t)r->n_tiles++;
}

static void put_changes(struct port_record *r, uint8_t known[PORT_BYTES],
                        const uint8_t now[PORT_BYTES], size_t n)
{
    uint8_t pairs[2 * PORT_BYTES];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (known[i] == now[i])
            continue;
        pairs[count++] = (uint8_t)i;
        pairs[count++] = known[i] = now[i];
    }
    put_number(r, count / 2);
    put(r, pairs, count);
}

void port_record_reset(struct port_record *r, uint32_t tile, const void *out)
{
    struct known *known = &r->tiles[tile];
    uint8_t bytes[PORT_BYTES];
    put(r, "R", 1);
    put_number(r, tile);
    size_t n = port_output_bytes(known->kind, out, bytes);
    put_changes(r, known->out, bytes, n);
}

void port_record_step(struct port_record *r, uint32_t tile, const void *in, const void *out)
{
    struct known *known = &r->tiles[tile];
    const struct tile_kind *kind = known->kind;
    uint8_t bytes[PORT_BYTES];
    put(r, "S", 1);
    put_number(r, tile);
    put_number(r, *r->cycle - r->last);
    r->last = *r->cycle;
    r->steps++;
    size_t n = port_bytes(kind->in_ports, kind->n_in, in, bytes);
    put_changes(r, known->in, bytes, n);
    n = port_output_bytes(kind, out, bytes);
    put_changes(r, known->out, bytes, n);
}

bool port_record_finish(struct port_record *r, struct error *err)
{
    put(r, "E", 1);
    put_number(r, r->steps);
    flush(r);
    if (r->err.set) {
        *err = r->err;
        port_record_abandon(r);
        return false;
    }
    bool ok = compressed_output_finish(r->file, err);
    free(r->tiles);
    free(r);
    return ok;
}

void port_record_abandon(struct port_record *r)
{
    if (!r)
        return;
    compressed_output_abandon(r->file);
    free(r->tiles);
    free(r);
}
