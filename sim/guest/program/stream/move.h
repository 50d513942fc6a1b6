/* The bytes of copies and sets in device and pinned memory, in slices between which a signal that
 * ends the run is noticed: the data are then left as they are. */
#ifndef EVGPU_GUEST_PROGRAM_STREAM_MOVE_H
#define EVGPU_GUEST_PROGRAM_STREAM_MOVE_H

#include <stdbool.h>
#include <stdint.h>

struct program;
struct copy_plan;
struct set_plan;

/* A box of rows of which no two overlap; so a number of rows is bounded by the memory that holds
 * them. */
bool move_box_fits(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch, uint64_t slice);

/* `payload`: the source, without gaps; NULL: memory. */
void move_rows(const struct program *p, const struct copy_plan *plan, const uint8_t *payload);
void move_set(const struct program *p, const struct set_plan *plan);

/* For the check of memory never written (image.h). */
void move_note(const struct program *p, const struct copy_plan *plan);

#endif
