/* Which line of which source file an instruction of PTX came from: the .file and .loc directives of
 * a file that was compiled with line information (PTX ISA, debugging directives); and the PTX
 * itself. Looked at for messages and waveforms only. */
#ifndef EVGPU_PTX_SOURCE_MAP_H
#define EVGPU_PTX_SOURCE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_map;

/* The position of a .loc. File 0: from here on nothing is known. */
struct source_loc {
    uint32_t file, line, column;
    uint32_t outer_file, outer_line; /* where the function was inlined; file 0: it was not */
};

struct source_map *source_map_create(void);
void source_map_free(struct source_map *map);

/* .file: may come after the .loc that names it. */
void source_map_file(struct source_map *map, uint32_t number, const char *name, size_t length);

/* From this line of PTX on; the lines come in order. */
void source_map_loc(struct source_map *map, uint32_t ptx_line, const struct source_loc *loc);

/* "FILE:LINE", or "FILE:LINE, inlined at FILE:LINE", of an instruction; false with an empty text
 * when it is not known. `map` may be NULL. */
bool source_map_describe(const struct source_map *map, uint32_t ptx_line, char *text, size_t room);

/* Keeps a copy of the PTX. */
void source_map_keep(struct source_map *map, const char *text, size_t length);

/* A line of it, from 1, without the space around it; empty when it is not known. `map` may be NULL.
 */
void source_map_line(const struct source_map *map, uint32_t ptx_line, char *text, size_t room);

#endif
