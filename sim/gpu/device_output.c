#include "sim/gpu/device_output.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static struct output_entry pop(struct device_output *o)
{
    struct output_entry entry = o->entries[o->first];
    o->first = (o->first + 1) % o->capacity;
    o->count--;
    o->bytes -= entry.bytes;
    return entry;
}

static void grow(struct device_output *o)
{
    size_t capacity = o->capacity ? 2 * o->capacity : 64;
    struct output_entry *entries = ALLOC_ARRAY(struct output_entry, capacity);
    for (size_t i = 0; i < o->count; i++)
        entries[i] = o->entries[(o->first + i) % o->capacity];
    free(o->entries);
    o->entries = entries;
    o->first = 0;
    o->capacity = capacity;
}

void device_output_free(struct device_output *output)
{
    while (output->count)
        free(pop(output).text);
    free(output->entries);
}

void device_output_add(struct device_output *output, const struct output_entry *entry)
{
    if (output->count == output->capacity)
        grow(output);
    struct output_entry *last =
        &output->entries[(output->first + output->count++) % output->capacity];
    *last = *entry;
    last->text = alloc_string_n(entry->text, entry->bytes);
    output->bytes += entry->bytes;
    while (output->bytes > output->limit && output->count > 1)
        free(pop(output).text);
}

void device_output_take(struct device_output *output, const struct output_reader *reader)
{
    while (output->count) {
        struct output_entry entry = pop(output);
        reader->print(reader->user, entry.is_error, entry.text, entry.bytes);
        free(entry.text);
    }
}
