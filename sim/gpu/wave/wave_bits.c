#include "sim/gpu/wave/wave_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/mem/region/fe.h"
#include "tb/probe.h"
#include "tb/tile.h"

enum { PLACE_NONE = UINT16_MAX };

struct wave_bits {
    const struct fe *fe;
    const uint8_t *memory; /* rows of the tile's bits; NULL: cannot be seen */
    uint32_t bytes;        /* of a row */
    void *probe;
    uint16_t *place;                 /* of each line of the region, PLACE_NONE: not shown */
    uint32_t row[EVG_WAVE_BIT_ROWS]; /* of the line at each place */
    uint32_t taken;                  /* places, ever */
    struct wave_partition out;
};

static const uint8_t *find_memory(const struct tile *tile, uint32_t *bytes)
{
    const char *const blocks[] = {"g_words", "g_grains"};
    const uint8_t *memory = NULL;
    char full[64];
    for (uint32_t i = 0; !memory && i < 2; i++) {
        snprintf(full, sizeof full, "mem_frontend.u_scheduler.u_bits.%s", blocks[i]);
        memory = tile_variable(tile, full, "memory", bytes);
    }
    return memory && *bytes <= sizeof(uint32_t) ? memory : NULL;
}

struct wave_bits *wave_bits_create(const struct fe *f, void *probe)
{
    struct wave_bits *b = ALLOC_ARRAY(struct wave_bits, 1);
    b->fe = f;
    b->probe = probe;
    b->memory = find_memory(fe_tile(f), &b->bytes);
    b->place = ALLOC_ARRAY(uint16_t, fe_lines(f));
    memset(b->place, 0xff, fe_lines(f) * sizeof *b->place);
    return b;
}

void wave_bits_destroy(struct wave_bits *b)
{
    if (!b)
        return;
    free(b->place);
    free(b);
}

static void see_request(void *user, const struct mem_request *r, bool left)
{
    struct wave_bits *b = user;
    uint32_t row = fe_line(b->fe, r), place;
    (void)left;
    if (b->place[row] != PLACE_NONE)
        return;
    place = b->taken % EVG_WAVE_BIT_ROWS;
    if (b->taken >= EVG_WAVE_BIT_ROWS)
        b->place[b->row[place]] = PLACE_NONE;
    b->taken++;
    b->place[row] = (uint16_t)place;
    b->row[place] = row;
    b->out.line[place] =
        (struct wave_line){.used = 1, .address = {(uint32_t)r->line, (uint32_t)(r->line >> 32)}};
}

void wave_bits_show(struct wave_bits *b)
{
    fe_each(b->fe, see_request, b);
    for (uint32_t i = 0; b->memory && i < b->taken && i < EVG_WAVE_BIT_ROWS; i++)
        memcpy(&b->out.line[i].bits, b->memory + (size_t)b->row[i] * b->bytes, b->bytes);
    probe_write(b->probe, &b->out);
}
