#include "sim/mem/net/placement.h"

#include <ctype.h>
#include <string.h>

static const char letters[] = "GCMHgcm.";

/* What is at a node of each letter; the host also where the letter is small. */
static char letter_of(enum endpoint_kind kind)
{
    static const char of[ENDPOINT_KINDS] = {[ENDPOINT_CORE] = 'G',
                                            [ENDPOINT_CPU] = 'C',
                                            [ENDPOINT_HOST] = 'H',
                                            [ENDPOINT_PARTITION] = 'M'};
    return of[kind];
}

static bool holds(char node, enum endpoint_kind kind)
{
    if (kind == ENDPOINT_HOST && islower((unsigned char)node))
        return true;
    return toupper((unsigned char)node) == letter_of(kind);
}

static uint32_t per_node(const struct placement *p, enum endpoint_kind kind)
{
    return kind == ENDPOINT_CORE ? p->cores_per_node : 1;
}

static bool add_row(struct placement *p, const char *row, uint32_t length, struct error *err)
{
    if (!length)
        return error_set(err, "row %u of the map is empty", p->height + 1);
    if (p->height && length != p->width)
        return error_set(err, "row %u of the map has %u nodes, the first one has %u", p->height + 1,
                         length, p->width);
    if ((p->height + 1) * length > PLACEMENT_NODES)
        return error_set(err, "the map has more than %u nodes", PLACEMENT_NODES);
    p->width = length;
    for (uint32_t x = 0; x < length; x++) {
        if (!strchr(letters, row[x]))
            return error_set(err, "row %u, column %u of the map: '%c' is none of G C M H g c m .",
                             p->height + 1, x + 1, row[x]);
        p->node[p->height * length + x] = row[x];
    }
    p->height++;
    return true;
}

bool placement_add(struct placement *p, const char *rows, struct error *err)
{
    for (;;) {
        uint32_t length = (uint32_t)strcspn(rows, "/");
        if (!add_row(p, rows, length, err))
            return false;
        if (!rows[length])
            return true;
        rows += length + 1;
    }
}

static uint32_t count_nodes(const struct placement *p, enum endpoint_kind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->width * p->height; i++)
        n += holds(p->node[i], kind);
    return n;
}

uint32_t placement_room(const struct placement *p, enum endpoint_kind kind)
{
    return count_nodes(p, kind) * per_node(p, kind);
}

uint32_t placement_node(const struct placement *p, enum endpoint_kind kind, uint32_t index)
{
    uint32_t nth = index / per_node(p, kind);
    for (uint32_t i = 0; i < p->width * p->height; i++) {
        if (holds(p->node[i], kind) && !nth--)
            return i;
    }
    return PLACEMENT_NODES;
}

bool placement_fits(const struct placement *p, enum endpoint_kind kind, uint32_t count,
                    struct error *err)
{
    static const char *const names[ENDPOINT_KINDS] = {[ENDPOINT_CORE] = "SIMT cores",
                                                      [ENDPOINT_CPU] = "CPU cores",
                                                      [ENDPOINT_HOST] =
                                                          "host interface (H, or a small letter)",
                                                      [ENDPOINT_PARTITION] = "memory partitions"};
    uint32_t each = per_node(p, kind), needed = (count + each - 1) / each;
    uint32_t there = count_nodes(p, kind);
    return there == needed ||
           error_set(
               err,
               "the map of %u x %u nodes marks %u nodes '%c', but %u %s (%u to a node) need %u",
               p->width, p->height, there, letter_of(kind), count, names[kind], each, needed);
}
