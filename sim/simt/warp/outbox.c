#include "sim/simt/warp/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void outbox_create(struct outbox *o)
{
    o->stores = ALLOC_ARRAY(struct out_store, OUT_STORES);
}

void outbox_destroy(struct outbox *o)
{
    free(o->stores);
    free(o->items);
    free(o->text);
}

void outbox_store(struct outbox *o, const struct inst *inst, const struct lane_ctx *ctx,
                  uint32_t mask, uint8_t *const at[WARP_SIZE])
{
    struct out_store *s = &o->stores[o->n_stores++];
    s->inst = inst;
    s->ctx = ctx;
    s->mask = mask;
    memcpy(s->at, at, sizeof s->at);
}

void outbox_perform_stores(struct outbox *o)
{
    for (uint32_t i = 0; i < o->n_stores; i++) {
        const struct out_store *s = &o->stores[i];
        isa_store(s->inst, s->ctx, s->mask, s->at);
    }
    o->n_stores = 0;
}

struct out_item *outbox_add(struct outbox *o, enum out_kind kind)
{
    ARRAY_RESERVE(o->items, o->n_items, o->capacity);
    struct out_item *item = &o->items[o->n_items++];
    item->kind = kind;
    return item;
}

void outbox_print(struct outbox *o, const struct kernel *kernel, bool is_error, const char *text,
                  size_t bytes)
{
    if (bytes > o->text_capacity - o->text_bytes) {
        o->text_capacity = 2 * o->text_capacity + bytes;
        o->text = alloc_resize(o->text, o->text_capacity, 1);
    }
    memcpy(o->text + o->text_bytes, text, bytes);
    struct out_item *item = outbox_add(o, OUT_PRINT);
    item->print.kernel = kernel;
    item->print.is_error = is_error;
    item->print.at = o->text_bytes;
    item->print.bytes = bytes;
    o->text_bytes += bytes;
}
