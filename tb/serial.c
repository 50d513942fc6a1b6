#include "tb/serial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "tb/serial_frame.h"
#include "tb/serial_port.h"

enum {
    MAX_TILES = 255,
    TIMEOUT_MS = 100, /* beside the time on the line; a USB adapter holds bytes up to 16 ms */
    ATTEMPTS = 40,    /* of one request, before the link is given up, unless there is patience */
    LATE_MS = 5000,   /* the time-out of the attempts after these */
    HEADER = 3,       /* of a request: number, operation, tile */
    REPLY_HEADER = 2, /* number, status */
    INFO_REPLY = REPLY_HEADER + 6
};

struct serial_link {
    char *path;
    uint32_t baud;
    int port;
    int64_t patience_ms; /* how long the board may take for an answer, whatever the attempts */
    uint8_t number;      /* of the last request */
    uint8_t tiles;
    uint32_t signatures[MAX_TILES];
    bool in_use[MAX_TILES];
    struct frame_decoder decoder;
    uint8_t received[FRAME_MAX_WIRE]; /* bytes not yet decoded: taken..count-1 */
    size_t taken, count;
    uint32_t damaged, naks; /* answers to the last request: damaged; that it came damaged */
    struct error broken;    /* the first failure; nothing is sent after it */
};

struct serial_tile {
    struct serial_link *link;
    const struct tile_kind *kind;
    uint8_t index;                                         /* on the board */
    bool small;                                            /* the one there is reduced */
    uint8_t in[FRAME_MAX_MESSAGE], out[FRAME_MAX_MESSAGE]; /* what the board has, as on the line */
    size_t in_bytes, out_bytes;
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- requests ----------------------------------------------------------------------------------
 */

/* The next frame, or FRAME_NOTHING when there is none before the deadline. */
static bool receive(struct serial_link *link, int64_t deadline, enum frame_event *event,
                    struct error *err)
{
    for (;;) {
        while (link->taken < link->count) {
            *event = frame_decode(&link->decoder, link->received[link->taken++]);
            if (*event != FRAME_NOTHING)
                return true;
        }
        int64_t left = deadline - now_ms();
        if (left <= 0)
            return true;
        link->taken = 0;
        if (!serial_port_read(link->port, link->received, sizeof link->received, (int)left,
                              &link->count, err))
            return false;
    }
}

/* One attempt: true with *done when the reply has come; it is in the decoder. */
static bool attempt(struct serial_link *link, const uint8_t *wire, size_t bytes, int timeout_ms,
                    bool *done, struct error *err)
{
    int64_t line_ms = (int64_t)(bytes + FRAME_MAX_WIRE) * 10000 / link->baud;
    int64_t deadline = now_ms() + timeout_ms + line_ms;
    *done = false;
    if (!serial_port_write(link->port, wire, bytes, err))
        return false;
    for (;;) {
        enum frame_event event = FRAME_NOTHING;
        if (!receive(link, deadline, &event, err))
            return false;
        const struct frame_decoder *d = &link->decoder;
        if (event == FRAME_NOTHING)
            return true; /* late: ask again */
        if (event == FRAME_BAD || d->count < REPLY_HEADER) {
            link->damaged++;
            return true;
        }
        if (d->message[1] == LINK_STATUS_NAK) {
            link->naks++;
            return true;
        }
        if (d->message[0] == link->number) {
            *done = true;
            return true;
        } /* else an older reply that was asked for twice */
    }
}

static bool no_answer(const struct serial_link *link, struct error *err)
{
    if (link->damaged + link->naks)
        return error_set(err,
                         "%s: the line is too noisy at %u baud: of %d attempts, %u answers and %u "
                         "requests were damaged",
                         link->path, link->baud, ATTEMPTS, link->damaged, link->naks);
    return error_set(
        err, "%s: no answer at %u baud; is the board connected, and programmed with `make fpga`?",
        link->path, link->baud);
}

/* More patience would not help. */
static bool is_noisy(const struct serial_link *link)
{
    return link->damaged + link->naks > ATTEMPTS / 4;
}

static bool request(struct serial_link *link, uint8_t *message, size_t count, struct error *err)
{
    uint8_t wire[FRAME_MAX_WIRE];
    message[0] = ++link->number;
    link->damaged = link->naks = 0;
    size_t bytes = frame_encode(message, count, wire);
    int64_t end = now_ms() + link->patience_ms;
    for (int i = 0; i < ATTEMPTS || (now_ms() < end && !is_noisy(link)); i++) {
        bool done;
        if (!attempt(link, wire, bytes, i < ATTEMPTS ? TIMEOUT_MS : LATE_MS, &done, err)) {
            error_prefix(err, "%s", link->path);
            return false;
        }
        if (!done)
            continue;
        if (link->decoder.message[1] != LINK_STATUS_OK)
            return error_set(err, "%s: the board refuses operation %u on tile %u", link->path,
                             message[1], message[2]);
        return true;
    }
    return no_answer(link, err);
}

static bool ask_info(struct serial_link *link, uint8_t tile, struct error *err)
{
    uint8_t message[HEADER] = {0, LINK_OP_INFO, tile};
    if (!request(link, message, HEADER, err))
        return false;
    const struct frame_decoder *d = &link->decoder;
    if (d->count != INFO_REPLY || d->message[2] != EVG_LINK_PROTOCOL)
        return error_set(err,
                         "%s: the board uses another version of the link; rebuild its bitstream",
                         link->path);
    link->tiles = d->message[3];
    link->signatures[tile] = 0;
    for (uint32_t i = 0; i < 4; i++)
        link->signatures[tile] |= (uint32_t)d->message[4 + i] << (8 * i);
    return true;
}

/* --- link --------------------------------------------------------------------------------------
 */

static bool parse_port(struct serial_link *link, const char *text, struct error *err)
{
    const char *at = strrchr(text, '@');
    link->path = alloc_string_n(text, at ? (size_t)(at - text) : strlen(text));
    link->baud = SERIAL_BAUD;
    if (!at)
        return true;
    char *end;
    errno = 0;
    unsigned long baud = strtoul(at + 1, &end, 10);
    if (at[1] < '0' || at[1] > '9' || *end || errno || baud > UINT32_MAX)
        return error_set(err, "%s: '%s' is not a baud rate", link->path, at + 1);
    link->baud = (uint32_t)baud;
    return true;
}

/* A simulated board answers when the operating system lets it. */
static int64_t patience_ms(void)
{
    const char *seconds = getenv("EVGPU_BOARD_PATIENCE");
    return seconds ? 1000 * (int64_t)strtoul(seconds, NULL, 10) : 0;
}

struct serial_link *serial_link_open(const char *port, struct error *err)
{
    struct serial_link *link = ALLOC(struct serial_link);
    link->port = -1;
    link->patience_ms = patience_ms();
    if (!parse_port(link, port, err) ||
        (link->port = serial_port_open(link->path, link->baud, err)) < 0 || !ask_info(link, 0, err))
        goto failed;
    for (uint32_t i = 1; i < link->tiles; i++)
        if (!ask_info(link, (uint8_t)i, err))
            goto failed;
    return link;
failed:
    serial_link_close(link);
    return NULL;
}

void serial_link_close(struct serial_link *link)
{
    if (!link)
        return;
    if (link->port >= 0)
        serial_port_close(link->port);
    free(link->path);
    free(link);
}

/* --- tiles -------------------------------------------------------------------------------------
 */

static size_t line_bytes(const struct tile_port *port)
{
    return (port->width + 7) / 8;
}

static size_t count_bytes(const struct tile_port *ports, uint32_t n)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < n; i++)
        bytes += line_bytes(&ports[i]);
    return bytes;
}

static void unpack_outputs(const struct serial_tile *tile, void *out)
{
    size_t at = 0;
    memset(out, 0, tile->kind->out_bytes);
    for (uint32_t i = 0; i < tile->kind->n_out; i++) {
        const struct tile_port *port = &tile->kind->out_ports[i];
        memcpy((uint8_t *)out + port->offset, tile->out + at, line_bytes(port));
        at += line_bytes(port);
    }
}

/* The first tile of the kind that is not in use; link->tiles if there is none. */
static uint32_t find_tile(const struct serial_link *link, const struct tile_kind *kind)
{
    uint32_t index = 0;
    while (index < link->tiles &&
           (link->in_use[index] || (link->signatures[index] != kind->signature &&
                                    link->signatures[index] != kind->small_signature)))
        index++;
    return index;
}

bool serial_link_has(const struct serial_link *link, const struct tile_kind *kind)
{
    return find_tile(link, kind) < link->tiles;
}

uint32_t serial_link_used(const struct serial_link *link)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < link->tiles; i++)
        n += link->in_use[i];
    return n;
}

struct serial_tile *serial_tile_create(struct serial_link *link, const struct tile_kind *kind,
                                       const char *instance, struct error *err)
{
    uint32_t index = find_tile(link, kind);
    if (index == link->tiles) {
        error_set(err,
                  "%s: the board has no free tile %s for %s; build its bitstream from the same "
                  "rtl/evgpu.def, and set gpu.cores to at most its event units",
                  link->path, kind->name, instance);
        return NULL;
    }
    struct serial_tile *tile = ALLOC(struct serial_tile);
    tile->link = link;
    tile->kind = kind;
    tile->index = (uint8_t)index;
    tile->small = link->signatures[index] != kind->signature;
    tile->in_bytes = count_bytes(kind->in_ports, kind->n_in);
    tile->out_bytes = count_bytes(kind->out_ports, kind->n_out);
    link->in_use[index] = true;
    return tile;
}

void serial_tile_destroy(struct serial_tile *tile)
{
    if (!tile)
        return;
    tile->link->in_use[tile->index] = false;
    free(tile);
}

/* Sends the request and applies the changed output bytes of its reply. */
static bool exchange(struct serial_tile *tile, uint8_t *message, size_t count)
{
    struct serial_link *link = tile->link;
    if (link->broken.set || !request(link, message, count, &link->broken))
        return false;
    const struct frame_decoder *d = &link->decoder;
    for (size_t at = REPLY_HEADER; at + 1 < d->count; at += 2) {
        if (d->message[at] >= tile->out_bytes)
            return error_set(&link->broken, "%s: tile %s has no output byte %u", link->path,
                             tile->kind->name, d->message[at]);
        tile->out[d->message[at]] = d->message[at + 1];
    }
    return true;
}

void serial_tile_reset(struct serial_tile *tile, void *out)
{
    uint8_t message[HEADER] = {0, LINK_OP_RESET, tile->index};
    memset(tile->in, 0, sizeof tile->in);
    exchange(tile, message, HEADER);
    unpack_outputs(tile, out);
}

/* A reduced tile answers as the whole one does as long as no input has a bit that it lacks. */
static bool check_small(const struct serial_tile *tile, const void *in, struct error *err)
{
    for (uint32_t i = 0; tile->small && i < tile->kind->n_in; i++) {
        const struct tile_port *port = &tile->kind->in_ports[i];
        const uint8_t *value = (const uint8_t *)in + port->offset;
        for (size_t byte = 0; port->small && byte < line_bytes(port); byte++)
            if (value[byte] & ~port->small[byte])
                return error_set(
                    err, "%s: the board's %s is reduced and lacks bits of %s (docs/design/fpga.md)",
                    tile->link->path, tile->kind->name, port->name);
    }
    return true;
}

bool serial_tile_step(struct serial_tile *tile, const void *in, void *out, struct error *err)
{
    if (!check_small(tile, in, err))
        return false;
    uint8_t message[FRAME_MAX_MESSAGE] = {0, LINK_OP_STEP, tile->index};
    size_t count = HEADER, at = 0;
    for (uint32_t i = 0; i < tile->kind->n_in; i++) {
        const struct tile_port *port = &tile->kind->in_ports[i];
        const uint8_t *value = (const uint8_t *)in + port->offset;
        for (size_t byte = 0; byte < line_bytes(port); byte++, at++) {
            if (tile->in[at] == value[byte])
                continue;
            tile->in[at] = value[byte];
            message[count++] = (uint8_t)at;
            message[count++] = value[byte];
        }
    }
    if (!exchange(tile, message, count))
        return error_set(err, "%s", tile->link->broken.text);
    unpack_outputs(tile, out);
    return true;
}

/* --- what is no tile ---------------------------------------------------------------------------
 */

struct serial_device {
    struct tile_kind kind; /* without ports */
    struct serial_tile tile;
};

struct serial_device *serial_device_create(struct serial_link *link, const char *name,
                                           uint32_t signature, uint32_t other, size_t out_bytes,
                                           struct error *err)
{
    struct serial_device *d = ALLOC(struct serial_device);
    d->kind = (struct tile_kind){.name = name, .signature = signature, .small_signature = other};
    uint32_t index = find_tile(link, &d->kind);
    if (index == link->tiles) {
        error_set(err, "%s: the board has no %s", link->path, name);
        free(d);
        return NULL;
    }
    d->tile.link = link;
    d->tile.kind = &d->kind;
    d->tile.index = (uint8_t)index;
    d->tile.out_bytes = out_bytes;
    link->in_use[index] = true;
    return d;
}

void serial_device_destroy(struct serial_device *d)
{
    if (!d)
        return;
    d->tile.link->in_use[d->tile.index] = false;
    free(d);
}

static bool device_exchange(struct serial_device *d, uint8_t *message, size_t n, struct error *err)
{
    return exchange(&d->tile, message, n) || error_set(err, "%s", d->tile.link->broken.text);
}

bool serial_device_reset(struct serial_device *d, struct error *err)
{
    uint8_t message[HEADER] = {0, LINK_OP_RESET, d->tile.index};
    return device_exchange(d, message, HEADER, err);
}

bool serial_device_write(struct serial_device *d, const uint8_t *pairs, size_t n, struct error *err)
{
    uint8_t message[FRAME_MAX_MESSAGE] = {0, LINK_OP_STEP, d->tile.index};
    memcpy(message + HEADER, pairs, 2 * n);
    return device_exchange(d, message, HEADER + 2 * n, err);
}

const uint8_t *serial_device_out(const struct serial_device *d)
{
    return d->tile.out;
}
