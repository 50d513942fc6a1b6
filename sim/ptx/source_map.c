#include "sim/ptx/source_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct file {
    uint32_t number;
    char *name;
};

struct place {
    uint32_t ptx_line;
    struct source_loc loc;
};

struct source_map {
    struct file *files;
    size_t n_files, files_capacity;
    struct place *places;
    size_t n_places, places_capacity;
    char *text; /* the PTX, NULL: not kept */
    size_t length;
};

struct source_map *source_map_create(void)
{
    return ALLOC(struct source_map);
}

void source_map_free(struct source_map *map)
{
    if (!map)
        return;
    for (size_t i = 0; i < map->n_files; i++)
        free(map->files[i].name);
    free(map->files);
    free(map->places);
    free(map->text);
    free(map);
}

void source_map_file(struct source_map *map, uint32_t number, const char *name, size_t length)
{
    ARRAY_RESERVE(map->files, map->n_files, map->files_capacity);
    map->files[map->n_files++] =
        (struct file){.number = number, .name = alloc_string_n(name, length)};
}

void source_map_loc(struct source_map *map, uint32_t ptx_line, const struct source_loc *loc)
{
    struct place *last = map->n_places ? &map->places[map->n_places - 1] : NULL;
    if (!last || last->ptx_line != ptx_line) {
        ARRAY_RESERVE(map->places, map->n_places, map->places_capacity);
        last = &map->places[map->n_places++];
    }
    *last = (struct place){.ptx_line = ptx_line, .loc = *loc};
}

static const char *file_name(const struct source_map *map, uint32_t number)
{
    for (size_t i = 0; i < map->n_files; i++)
        if (map->files[i].number == number)
            return map->files[i].name;
    return NULL;
}

/* The last place that begins at or before the line. */
static const struct place *find(const struct source_map *map, uint32_t ptx_line)
{
    size_t low = 0, high = map->n_places;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->places[middle].ptx_line <= ptx_line)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &map->places[low - 1] : NULL;
}

bool source_map_describe(const struct source_map *map, uint32_t ptx_line, char *text, size_t room)
{
    const struct place *place = map ? find(map, ptx_line) : NULL;
    const char *file = place ? file_name(map, place->loc.file) : NULL;
    const char *outer = file ? file_name(map, place->loc.outer_file) : NULL;
    text[0] = 0;
    if (outer)
        snprintf(text, room, "%s:%u, inlined at %s:%u", file, place->loc.line, outer,
                 place->loc.outer_line);
    else if (file)
        snprintf(text, room, "%s:%u", file, place->loc.line);
    return file != NULL;
}

void source_map_keep(struct source_map *map, const char *text, size_t length)
{
    free(map->text);
    map->text = alloc_string_n(text, length);
    map->length = length;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

void source_map_line(const struct source_map *map, uint32_t ptx_line, char *text, size_t room)
{
    text[0] = 0;
    if (!map || !map->text || !ptx_line)
        return;
    const char *at = map->text, *end = map->text + map->length;
    for (uint32_t line = 1; at && line < ptx_line; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    while (at < stop && is_space(*at))
        at++;
    while (stop > at && is_space(stop[-1]))
        stop--;
    snprintf(text, room, "%.*s", (int)(stop - at), at);
}
