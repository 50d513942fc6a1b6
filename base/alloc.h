/* Memory for set-up code: out of memory ends the program with a message, so that no caller has to
 * check. Nothing is allocated per simulated cycle or instruction. */
#ifndef EVGPU_BASE_ALLOC_H
#define EVGPU_BASE_ALLOC_H

#include <stddef.h>

/* Zeroed array of `count` elements of `size` bytes. */
void *alloc_array(size_t count, size_t size);

/* What one thread writes and another reads costs the more, the more of it shares a line. */
#define CACHE_LINE 64

/* The same, beginning with a cache line; to be freed with free(). */
void *alloc_lines(size_t count, size_t size);

/* The same, and takes memory only where it is touched; *memory is what to free(). */
void *alloc_sparse(size_t count, size_t size, void **memory);

/* Grows or shrinks; new bytes are not zeroed. */
void *alloc_resize(void *old, size_t count, size_t size);

char *alloc_string(const char *text);
char *alloc_string_n(const char *text, size_t length);

#define ALLOC(type)          ((type *)alloc_array(1, sizeof(type)))
#define ALLOC_ARRAY(type, n) ((type *)alloc_array((n), sizeof(type)))

/* Makes room for one more element in a growing array kept as (items, count, capacity). */
#define ARRAY_RESERVE(items, count, capacity)                                                      \
    do {                                                                                           \
        if ((count) == (capacity)) {                                                               \
            (capacity) = (capacity) ? 2 * (capacity) : 16;                                         \
            (items) = alloc_resize((items), (capacity), sizeof *(items));                          \
        }                                                                                          \
    } while (0)

#endif
