#include "tb/serial_batch.h"

#include <string.h>

#include "evgpu_defs.h"

enum { MOST_EDGES = 255 }; /* of a record; between two marks */

void serial_batch_begin(struct serial_batch *batch, size_t room)
{
    batch->room = room;
    batch->count = batch->reply_count = BATCH_HEADER;
    batch->record = 0;
    batch->records = batch->edges = 0;
    batch->since = 0;
}

static bool goes_on(const struct serial_batch *batch, uint8_t tile, struct byte_pairs inputs)
{
    const uint8_t *record = batch->message + batch->record;
    return batch->record && record[0] == tile && record[1] < MOST_EDGES && !inputs.n;
}

static void put_record(struct serial_batch *batch, uint8_t tile, uint64_t step,
                       struct byte_pairs inputs)
{
    uint8_t *record = batch->message + batch->count;
    record[0] = tile;
    record[1] = 0;
    record[2] = (uint8_t)inputs.n;
    memcpy(record + RECORD_HEADER, inputs.bytes, 2 * inputs.n);
    batch->record = batch->count;
    batch->first[batch->records++] = step;
    batch->count += RECORD_HEADER + 2 * inputs.n;
}

static void put_mark(struct serial_batch *batch)
{
    batch->reply[batch->reply_count++] = EVG_LINK_MARK;
    batch->reply[batch->reply_count++] = batch->since;
    batch->since = 0;
}

static bool has_room(const struct serial_batch *batch, size_t count, size_t reply_count)
{
    size_t longest = batch->room < EVG_LINK_REPLY_BYTES ? batch->room : EVG_LINK_REPLY_BYTES;
    if (!batch->edges)
        longest = EVG_LINK_REPLY_BYTES;
    return count <= longest && reply_count <= longest && batch->edges < BATCH_EDGES;
}

bool serial_batch_add(struct serial_batch *batch, uint8_t tile, uint64_t step,
                      struct byte_pairs inputs, struct byte_pairs outputs)
{
    bool same_record = goes_on(batch, tile, inputs);
    bool marked = outputs.n || batch->since + 1 == MOST_EDGES;
    size_t longer = same_record ? 0 : RECORD_HEADER + 2 * inputs.n;
    size_t reply_longer = (marked ? 2 : 0) + 2 * outputs.n;
    if (!has_room(batch, batch->count + longer, batch->reply_count + reply_longer))
        return false;
    if (!same_record)
        put_record(batch, tile, step, inputs);
    batch->message[batch->record + 1]++;
    batch->edges++;
    batch->since++;
    if (marked)
        put_mark(batch);
    memcpy(batch->reply + batch->reply_count, outputs.bytes, 2 * outputs.n);
    batch->reply_count += 2 * outputs.n;
    return true;
}

/* --- what differs -------------------------------------------------------------------------------
 */

/* Reads a reply change by change. */
struct changes {
    const uint8_t *reply;
    size_t at, count;
    uint32_t edge; /* of the change, from 1 on; UINT32_MAX: there is none any more */
    uint8_t byte, value;
};

static void next_change(struct changes *c)
{
    while (c->at + 1 < c->count) {
        c->byte = c->reply[c->at];
        c->value = c->reply[c->at + 1];
        c->at += 2;
        if (c->byte != EVG_LINK_MARK)
            return;
        c->edge += c->value;
    }
    c->edge = UINT32_MAX;
}

static bool is_before(const struct changes *a, const struct changes *b)
{
    return a->edge != b->edge ? a->edge < b->edge : a->byte < b->byte;
}

/* The tile and its step at an edge of the batch; an edge beyond the last one counts as the last. */
static void find_edge(const struct serial_batch *batch, uint32_t edge, struct serial_difference *d)
{
    size_t at = BATCH_HEADER;
    for (uint32_t i = 0; i < batch->records; i++) {
        const uint8_t *record = batch->message + at;
        d->tile = record[0];
        d->step = batch->first[i] + (edge ? edge - 1 : 0);
        if (edge <= record[1])
            return;
        d->step = batch->first[i] + record[1] - 1;
        edge -= record[1];
        at += RECORD_HEADER + 2 * (size_t)record[2];
    }
}

bool serial_batch_differs(const struct serial_batch *batch, const uint8_t *reply, size_t count,
                          struct serial_difference *difference)
{
    if (count == batch->reply_count &&
        !memcmp(reply + BATCH_HEADER, batch->reply + BATCH_HEADER, count - BATCH_HEADER))
        return false;
    struct changes board = {.reply = reply, .at = BATCH_HEADER, .count = count};
    struct changes due = {.reply = batch->reply, .at = BATCH_HEADER, .count = batch->reply_count};
    do {
        next_change(&board);
        next_change(&due);
    } while (board.edge == due.edge && board.byte == due.byte && board.value == due.value &&
             due.edge != UINT32_MAX);
    bool first = is_before(&board, &due), other = is_before(&due, &board);
    const struct changes *at = other ? &due : &board;
    difference->byte = at->byte;
    difference->board = other ? -1 : board.value;
    difference->due = first ? -1 : due.value;
    find_edge(batch, at->edge == UINT32_MAX ? 0 : at->edge, difference);
    return true;
}
