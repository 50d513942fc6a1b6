#include "tb/serial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "tb/board_line.h"
#include "tb/serial_batch.h"

enum {
    MAX_TILES = 255,
    TIMEOUT_MS = 100, /* beside line and edges; a USB adapter holds bytes up to 16 ms */
    EDGE_US = 20,     /* for an edge and a look at the outputs: of the slowest board, 12 MHz */
    SIMULATED = 50,   /* times this for a simulated board, for which there is patience */
    LEAST_ROOM =
        64, /* of a batch; MORE_ROOM for each that comes through, half for one that does not */
    MORE_ROOM = 16,
    ATTEMPTS = 40,  /* of one request, before the link is given up, unless there is patience */
    LATE_MS = 5000, /* the time-out of the attempts after these */
    HEADER = 3,     /* of INFO and RESET: number, operation, tile */
    REPLY_HEADER = BATCH_HEADER,
    INFO_REPLY = REPLY_HEADER + 6
};

struct serial_link {
    struct board_line *line;
    const char *path;    /* of messages */
    int64_t patience_ms; /* how long the board may take for an answer, whatever the attempts */
    size_t room;         /* of a batch, in bytes: less on a line that damages many */
    uint8_t number;      /* of the last request */
    uint8_t tiles;
    uint32_t signatures[MAX_TILES];
    const struct serial_tile *users[MAX_TILES]; /* NULL: not in use */
    /* Steps that the board is ahead of no reply for: those that are being collected, and those of
     * the last request, while `waiting` for its reply. */
    struct serial_batch *filling, *sent;
    bool waiting;
    const uint8_t *posted; /* the last request, its bytes, and edges that it gives */
    size_t posted_bytes;
    uint32_t edges;
    struct board_message answer; /* to it */
    uint32_t damaged, naks;      /* answers to the last request: damaged; that it came damaged */
    struct error broken;         /* the first failure; nothing is sent after it */
};

struct serial_tile {
    struct serial_link *link;
    const struct tile_kind *kind;
    char *instance;
    uint8_t index;                                         /* on the board */
    bool small;                                            /* the one there is reduced */
    uint8_t in[FRAME_MAX_MESSAGE], out[FRAME_MAX_MESSAGE]; /* what the board has, as on the line */
    size_t in_bytes, out_bytes;
    void *model;     /* the golden model, whose outputs the run goes on with; NULL: the board's */
    uint64_t steps;  /* since the reset */
    void *in_struct; /* of the last step, with a model */
};

/* --- requests ----------------------------------------------------------------------------------
 */

/* Waits for the reply to the last request: true with *done when it has come; it is in `answer`.
 */
static bool wait_reply(struct serial_link *link, int timeout_ms, bool *done, struct error *err)
{
    int64_t line_ms = board_line_ms(link->line, link->posted_bytes);
    int64_t edges_us = (int64_t)link->edges * EDGE_US * (link->patience_ms ? SIMULATED : 1);
    int64_t deadline = board_line_now_ms() + timeout_ms + line_ms + edges_us / 1000;
    *done = false;
    for (;;) {
        const struct board_message *m = &link->answer;
        if (!board_line_receive(link->line, deadline, &link->answer, err))
            return false;
        if (m->event == FRAME_NOTHING)
            return true; /* late: ask again */
        if (m->event == FRAME_BAD || m->count < REPLY_HEADER) {
            link->damaged++;
            return true;
        }
        if (m->bytes[1] == LINK_STATUS_NAK) {
            link->naks++;
            return true;
        }
        if (m->bytes[0] == link->number) {
            *done = true;
            return true;
        } /* else an older reply that was asked for twice */
    }
}

static bool no_answer(const struct serial_link *link, struct error *err)
{
    if (link->damaged + link->naks)
        return error_set(err,
                         "%s: the line is too noisy%s: of %d attempts, %u answers and %u "
                         "requests were damaged",
                         link->path, board_line_rate(link->line), ATTEMPTS, link->damaged,
                         link->naks);
    return error_set(err,
                     "%s: no answer%s; is the board connected, and programmed with `make fpga`?",
                     link->path, board_line_rate(link->line));
}

/* More patience would not help. */
static bool is_noisy(const struct serial_link *link)
{
    return link->damaged + link->naks > ATTEMPTS / 4;
}

static bool post(struct serial_link *link, uint8_t *message, size_t count, uint32_t edges,
                 struct error *err)
{
    message[0] = ++link->number;
    link->edges = edges;
    link->damaged = link->naks = 0;
    link->posted = message;
    link->posted_bytes = count;
    return board_line_send(link->line, message, count, err);
}

/* The reply to what was posted; asks again where it is late or damaged. */
static bool reply(struct serial_link *link, struct error *err)
{
    int64_t end = board_line_now_ms() + link->patience_ms;
    link->room += link->room < FRAME_MAX_MESSAGE ? MORE_ROOM : 0;
    for (int i = 0; i < ATTEMPTS || (board_line_now_ms() < end && !is_noisy(link)); i++) {
        bool done;
        if (i == 1)
            link->room = link->room / 2 > LEAST_ROOM ? link->room / 2 : LEAST_ROOM;
        if (i && !board_line_send(link->line, link->posted, link->posted_bytes, err))
            return false;
        if (!wait_reply(link, i < ATTEMPTS ? TIMEOUT_MS : LATE_MS, &done, err))
            return false;
        if (!done)
            continue;
        if (link->answer.bytes[1] != LINK_STATUS_OK)
            return error_set(err, "%s: the board refuses operation %u on tile %u", link->path,
                             link->posted[1], link->posted[2]);
        return true;
    }
    return no_answer(link, err);
}

/* --- steps in batches ---------------------------------------------------------------------------
 */

/* Names the port that an output byte of a tile belongs to. */
static const char *port_of(const struct tile_kind *kind, uint32_t byte)
{
    for (uint32_t i = 0; i < kind->n_out; i++) {
        uint32_t bytes = (kind->out_ports[i].width + 7) / 8;
        if (byte < bytes)
            return kind->out_ports[i].name;
        byte -= bytes;
    }
    return "none";
}

static void put_value(char text[16], int value)
{
    snprintf(text, 16, value < 0 ? "unchanged" : "0x%02x", (unsigned)value);
}

static bool report(struct serial_link *link, const struct serial_difference *d, struct error *err)
{
    char board[16], due[16];
    const struct serial_tile *tile = link->users[d->tile];
    put_value(board, d->board);
    put_value(due, d->due);
    return error_set(err,
                     "%s: step %llu, tile %s %s, port %s: a byte is %s on the board, %s in the "
                     "golden model",
                     link->path, (unsigned long long)d->step, tile ? tile->kind->name : "?",
                     tile ? tile->instance : "?", tile ? port_of(tile->kind, d->byte) : "?", board,
                     due);
}

/* The reply to the batch that was sent, if it has not come yet. */
static bool collect(struct serial_link *link, struct error *err)
{
    struct serial_difference d;
    if (!link->waiting)
        return true;
    link->waiting = false;
    if (!reply(link, err))
        return false;
    if (serial_batch_differs(link->sent, link->answer.bytes, link->answer.count, &d))
        return report(link, &d, err);
    return true;
}

/* Sends what has been collected, once the batch before has been answered. */
static bool send_batch(struct serial_link *link, struct error *err)
{
    if (!collect(link, err))
        return false;
    if (!link->filling->records)
        return true;
    struct serial_batch *batch = link->filling;
    link->filling = link->sent;
    link->sent = batch;
    serial_batch_begin(link->filling, link->room);
    batch->message[1] = LINK_OP_STEP;
    link->waiting = post(link, batch->message, batch->count, batch->edges, err);
    return link->waiting;
}

bool serial_link_settle(struct serial_link *link, struct error *err)
{
    if (!link->broken.set && send_batch(link, &link->broken) && collect(link, &link->broken))
        return true;
    return error_set(err, "%s", link->broken.text);
}

/* A request whose reply is waited for. */
static bool request(struct serial_link *link, uint8_t *message, size_t count, struct error *err)
{
    return send_batch(link, err) && collect(link, err) && post(link, message, count, 1, err) &&
           reply(link, err);
}

static bool ask_info(struct serial_link *link, uint8_t tile, struct error *err)
{
    uint8_t message[HEADER] = {0, LINK_OP_INFO, tile};
    if (!request(link, message, HEADER, err))
        return false;
    const struct board_message *d = &link->answer;
    if (d->count != INFO_REPLY || d->bytes[2] != EVG_LINK_PROTOCOL)
        return error_set(
            err,
            "%s: the board uses version %d of the link, this evgpu version %d; rebuild "
            "its bitstream with `make fpga`",
            link->path, d->count > REPLY_HEADER ? d->bytes[2] : 0, EVG_LINK_PROTOCOL);
    link->tiles = d->bytes[3];
    link->signatures[tile] = 0;
    for (uint32_t i = 0; i < 4; i++)
        link->signatures[tile] |= (uint32_t)d->bytes[4 + i] << (8 * i);
    return true;
}

/* --- link --------------------------------------------------------------------------------------
 */

/* A simulated board answers when the operating system lets it. */
static int64_t patience_ms(void)
{
    const char *seconds = getenv("EVGPU_BOARD_PATIENCE");
    return seconds ? 1000 * (int64_t)strtoul(seconds, NULL, 10) : 0;
}

struct serial_link *serial_link_open(const char *port, struct error *err)
{
    struct serial_link *link = ALLOC(struct serial_link);
    link->patience_ms = patience_ms();
    link->room = LEAST_ROOM;
    link->filling = ALLOC(struct serial_batch);
    link->sent = ALLOC(struct serial_batch);
    serial_batch_begin(link->filling, link->room);
    link->line = board_line_open(port, err);
    if (!link->line)
        goto failed;
    link->path = board_line_name(link->line);
    if (!ask_info(link, 0, err))
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
    board_line_close(link->line);
    free(link->filling);
    free(link->sent);
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

/* The pairs for what `bytes` has otherwise than `known`, which gets it: of `n` bytes at `at`. */
static size_t put_changes(const uint8_t *bytes, uint8_t *known, size_t at, size_t n, uint8_t *pairs)
{
    size_t changes = 0;
    for (size_t i = 0; i < n; i++) {
        if (known[at + i] == bytes[i])
            continue;
        known[at + i] = bytes[i];
        pairs[2 * changes] = (uint8_t)(at + i);
        pairs[2 * changes++ + 1] = bytes[i];
    }
    return changes;
}

static size_t changed_inputs(struct serial_tile *tile, const void *in, uint8_t *pairs)
{
    size_t at = 0, n = 0;
    for (uint32_t i = 0; i < tile->kind->n_in; i++) {
        const struct tile_port *port = &tile->kind->in_ports[i];
        n += put_changes((const uint8_t *)in + port->offset, tile->in, at, line_bytes(port),
                         pairs + 2 * n);
        at += line_bytes(port);
    }
    return n;
}

/* What has no value is 0 on the line. */
static size_t changed_outputs(struct serial_tile *tile, const void *out, uint8_t *pairs)
{
    static const uint8_t none[FRAME_MAX_MESSAGE];
    size_t at = 0, n = 0;
    for (uint32_t i = 0; i < tile->kind->n_out; i++) {
        const struct tile_port *port = &tile->kind->out_ports[i];
        bool valued = tile_output_has_value(tile->kind, port, out);
        n += put_changes(valued ? (const uint8_t *)out + port->offset : none, tile->out, at,
                         line_bytes(port), pairs + 2 * n);
        at += line_bytes(port);
    }
    return n;
}

/* The first tile of the kind that is not in use; link->tiles if there is none. */
static uint32_t find_tile(const struct serial_link *link, const struct tile_kind *kind)
{
    uint32_t index = 0;
    while (index < link->tiles &&
           (link->users[index] || (link->signatures[index] != kind->signature &&
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
        n += link->users[i] != NULL;
    return n;
}

struct serial_tile *serial_tile_create(struct serial_link *link, const struct tile_kind *kind,
                                       bool ahead, const char *instance, struct error *err)
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
    tile->instance = alloc_string(instance);
    if (ahead && !tile->small) {
        tile->model = kind->model_create();
        tile->in_struct = alloc_array(1, kind->in_bytes);
    }
    link->users[index] = tile;
    return tile;
}

void serial_tile_destroy(struct serial_tile *tile)
{
    if (!tile)
        return;
    tile->link->users[tile->index] = NULL;
    if (tile->model)
        tile->kind->model_destroy(tile->model);
    free(tile->in_struct);
    free(tile->instance);
    free(tile);
}

/* Sends the request and applies the changed output bytes of its reply. */
static bool exchange(struct serial_tile *tile, uint8_t *message, size_t count)
{
    struct serial_link *link = tile->link;
    if (link->broken.set || !request(link, message, count, &link->broken))
        return false;
    const struct board_message *d = &link->answer;
    for (size_t at = REPLY_HEADER; at + 1 < d->count; at += 2) {
        if (d->bytes[at] == EVG_LINK_MARK)
            continue;
        if (d->bytes[at] >= tile->out_bytes)
            return error_set(&link->broken, "%s: tile %s has no output byte %u", link->path,
                             tile->kind->name, d->bytes[at]);
        tile->out[d->bytes[at]] = d->bytes[at + 1];
    }
    return true;
}

/* The outputs after the reset, as the board has them, are those of the model. */
static void reset_model(struct serial_tile *tile, void *out)
{
    uint8_t pairs[2 * FRAME_MAX_MESSAGE];
    struct serial_link *link = tile->link;
    memset(tile->in_struct, 0, tile->kind->in_bytes);
    tile->kind->model_reset(tile->model, out);
    uint8_t board[FRAME_MAX_MESSAGE];
    memcpy(board, tile->out, tile->out_bytes);
    if (link->broken.set || !changed_outputs(tile, out, pairs))
        return;
    error_set(&link->broken,
              "%s: after the reset, tile %s %s, port %s: a byte is 0x%02x on the board, 0x%02x in "
              "the golden model",
              link->path, tile->kind->name, tile->instance, port_of(tile->kind, pairs[0]),
              board[pairs[0]], pairs[1]);
}

void serial_tile_reset(struct serial_tile *tile, void *out)
{
    uint8_t message[HEADER] = {0, LINK_OP_RESET, tile->index};
    memset(tile->in, 0, sizeof tile->in);
    tile->steps = 0;
    exchange(tile, message, HEADER);
    if (tile->model)
        reset_model(tile, out);
    else
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

/* The model's step, which the board is owed. */
static bool step_ahead(struct serial_tile *tile, const void *in, void *out, struct error *err)
{
    uint8_t inputs[2 * FRAME_MAX_MESSAGE], outputs[2 * FRAME_MAX_MESSAGE];
    struct byte_pairs written = {.bytes = inputs}, due = {.bytes = outputs};
    struct serial_link *link = tile->link;
    if (memcmp(in, tile->in_struct, tile->kind->in_bytes)) {
        memcpy(tile->in_struct, in, tile->kind->in_bytes);
        written.n = changed_inputs(tile, in, inputs);
    }
    tile->kind->model_step(tile->model, in, out);
    due.n = changed_outputs(tile, out, outputs);
    tile->steps++;
    if (!link->broken.set &&
        !serial_batch_add(link->filling, tile->index, tile->steps, written, due) &&
        send_batch(link, &link->broken))
        serial_batch_add(link->filling, tile->index, tile->steps, written, due);
    return !link->broken.set || error_set(err, "%s", link->broken.text);
}

bool serial_tile_step(struct serial_tile *tile, const void *in, void *out, struct error *err)
{
    if (!check_small(tile, in, err))
        return false;
    if (tile->model)
        return step_ahead(tile, in, out, err);
    uint8_t message[FRAME_MAX_MESSAGE] = {0, LINK_OP_STEP, tile->index, 1};
    size_t n = changed_inputs(tile, in, message + BATCH_HEADER + RECORD_HEADER);
    message[BATCH_HEADER + RECORD_HEADER - 1] = (uint8_t)n;
    if (!exchange(tile, message, BATCH_HEADER + RECORD_HEADER + 2 * n))
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
    link->users[index] = &d->tile;
    return d;
}

void serial_device_destroy(struct serial_device *d)
{
    if (!d)
        return;
    d->tile.link->users[d->tile.index] = NULL;
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
    uint8_t message[FRAME_MAX_MESSAGE] = {0, LINK_OP_STEP, d->tile.index, 1, (uint8_t)n};
    memcpy(message + BATCH_HEADER + RECORD_HEADER, pairs, 2 * n);
    return device_exchange(d, message, BATCH_HEADER + RECORD_HEADER + 2 * n, err);
}

const uint8_t *serial_device_out(const struct serial_device *d)
{
    return d->tile.out;
}
