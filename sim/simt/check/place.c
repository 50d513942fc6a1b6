/* Where an address lies, in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "sim/simt/check/check_internal.h"

void text_add(struct text *t, const char *format, ...)
{
    size_t room = sizeof t->bytes - t->length;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->bytes + t->length, room, format, args);
    va_end(args);
    if (n > 0)
        t->length += (size_t)n < room ? (size_t)n : room - 1;
}

/* "400 bytes at 0x10100 (device memory, allocation 2 of program vectorAdd)" */
static void add_block(struct text *t, const struct slots *slots, const struct image_block *block)
{
    const struct image_note *note = &block->note;
    const char *owner = image_owner(slots->env.image, note->owner);
    text_add(t, "%" PRIu64 " byte%s at 0x%" PRIx64, block->bytes, block->bytes == 1 ? "" : "s",
             block->address);
    if (!note->what)
        return;
    text_add(t, " (%s", note->what);
    if (note->name)
        text_add(t, " %.80s", note->name);
    if (note->place)
        text_add(t, ", PTX line %u", note->place);
    if (note->serial)
        text_add(t, ", allocation %" PRIu64, note->serial);
    if (owner)
        text_add(t, "%s%s", note->serial ? " of " : ", ", owner);
    text_add(t, ")");
}

/* What lies at the address, or nearest to it. */
void text_add_place(struct text *t, const struct slots *slots, uint64_t address)
{
    struct image_block block;
    uint64_t distance = 0;
    enum image_relation relation = image_locate(slots->env.image, address, &block, &distance);
    const char *s = distance == 1 ? "" : "s";
    switch (relation) {
    case IMAGE_NOWHERE:
        text_add(t, "nothing is allocated");
        return;
    case IMAGE_INSIDE:
        text_add(t, "%" PRIu64 " byte%s inside ", distance, s);
        break;
    case IMAGE_FREED:
        text_add(t, "%" PRIu64 " byte%s inside freed ", distance, s);
        break;
    default:
        text_add(t, "%" PRIu64 " byte%s %s the nearest allocation, ", distance, s,
                 relation == IMAGE_BEFORE ? "before" : "after");
        break;
    }
    add_block(t, slots, &block);
}

void access_place(const struct slots *slots, uint64_t address, char *text, size_t room)
{
    struct text t = {.length = 0};
    text_add_place(&t, slots, address);
    snprintf(text, room, "%s", t.bytes);
}
