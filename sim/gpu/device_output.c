#include "sim/gpu/device_output.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"

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

void device_output_add(struct device_output *output, bool is_error, const char *text, size_t bytes)
{
    if (output->count == output->capacity)
        grow(output);
    struct output_entry *entry =
        &output->entries[(output->first + output->count++) % output->capacity];
    *entry = (struct output_entry){alloc_string_n(text, bytes), bytes, is_error};
    output->bytes += bytes;
    while (output->bytes > output->limit && output->count > 1)
        free(pop(output).text);
}

void device_output_take(struct device_output *output,
                        void (*print)(void *user, bool is_error, const char *text, size_t bytes),
                        void *user)
{
    while (output->count) {
        struct output_entry entry = pop(output);
        print(user, entry.is_error, entry.text, entry.bytes);
        free(entry.text);
    }
}
