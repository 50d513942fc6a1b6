/* What a core does to the world outside in one cycle, kept until all cores have had that cycle: so
 * that no core sees another one's doings of the same cycle, in whatever order, and on however many
 * threads, they are run. Owner: outbox.c.
 *
 * Stores to device memory are kept as the instruction: their registers stay as they are until the
 * warp's next instruction, which issues in a later cycle. Everything else is an item of a list, in
 * the order in which it happened. */
#ifndef EVGPU_SIMT_WARP_OUTBOX_H
#define EVGPU_SIMT_WARP_OUTBOX_H

#include "sim/simt/core_env.h"

#define OUT_STORES 4u /* in one cycle: one for each warp scheduler */

enum out_kind {
    OUT_NONE,          /* taken back */
    OUT_BEGUN,         /* a warp of the grid has issued its first instruction */
    OUT_RELEASED,      /* a warp of the grid has left, after so many instructions */
    OUT_BLOCK_DONE,    /* the grid has one block less */
    OUT_EVENT_STARTED, /* an event has issued its first instruction */
    OUT_PRINT,         /* a kernel's output */
    OUT_SERVICE,       /* a warp's call of what all cores share: the heap, launches */
    OUT_BUS_STORE,
    OUT_MARK
};

struct out_item {
    enum out_kind kind;
    union {
        struct {
            struct grid *grid;
            uint64_t warp_instructions, thread_instructions; /* OUT_RELEASED */
        } of;
        uint16_t tag; /* OUT_EVENT_STARTED */
        struct {
            const struct kernel *kernel;
            size_t at, bytes; /* in the outbox's text */
            bool is_error;
        } print;
        struct {
            const struct inst *inst;
            uint32_t warp, mask;
        } call; /* OUT_SERVICE */
        struct bus_store bus;
        struct core_mark mark;
    };
};

struct out_store {
    const struct inst *inst;
    const struct lane_ctx *ctx;
    uint32_t mask;
    uint8_t *at[WARP_SIZE];
};

struct outbox {
    uint32_t n_stores, n_items, capacity;
    struct out_item *items;
    char *text;
    size_t text_bytes, text_capacity;
    struct out_store *stores; /* OUT_STORES */
};

void outbox_create(struct outbox *o);
void outbox_destroy(struct outbox *o);

/* --- the core fills it ------------------------------------------------------------------------ */

/* The lanes `mask` of a store, to `at`. */
void outbox_store(struct outbox *o, const struct inst *inst, const struct lane_ctx *ctx,
                  uint32_t mask, uint8_t *const at[WARP_SIZE]);
/* An item, to be filled in; its number. */
struct out_item *outbox_add(struct outbox *o, enum out_kind kind);
void outbox_print(struct outbox *o, const struct kernel *kernel, bool is_error, const char *text,
                  size_t bytes);

static inline uint32_t outbox_items(const struct outbox *o)
{
    return o->n_items;
}

static inline uint32_t outbox_stores(const struct outbox *o)
{
    return o->n_stores;
}

/* The item with this number has not happened. */
static inline void outbox_take_back(struct outbox *o, uint32_t item)
{
    o->items[item].kind = OUT_NONE;
}

/* --- and empties it --------------------------------------------------------------------------- */

/* The stores take effect. */
void outbox_perform_stores(struct outbox *o);

static inline const struct out_item *outbox_item(const struct outbox *o, uint32_t item)
{
    return &o->items[item];
}

static inline const char *outbox_text(const struct outbox *o, const struct out_item *print)
{
    return o->text + print->print.at;
}

static inline void outbox_clear(struct outbox *o)
{
    o->n_items = 0;
    o->text_bytes = 0;
}

#endif
