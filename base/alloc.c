#include "base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory, size_t bytes)
{
    if (!memory) {
        fprintf(stderr, "evgpu: out of memory (%zu bytes)\n", bytes);
        exit(2);
    }
    return memory;
}

void *alloc_array(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size), count * size);
}

void *alloc_lines(size_t count, size_t size)
{
    size_t bytes = (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *memory = checked(aligned_alloc(CACHE_LINE, bytes ? bytes : CACHE_LINE), bytes);
    return memset(memory, 0, bytes ? bytes : CACHE_LINE);
}

void *alloc_sparse(size_t count, size_t size, void **memory)
{
    char *start = *memory = alloc_array(count * size + CACHE_LINE, 1);
    return start + (CACHE_LINE - (uintptr_t)start % CACHE_LINE) % CACHE_LINE;
}

void *alloc_resize(void *old, size_t count, size_t size)
{
    return checked(realloc(old, count * size), count * size);
}

char *alloc_string_n(const char *text, size_t length)
{
    char *copy = alloc_array(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char *alloc_string(const char *text)
{
    return alloc_string_n(text, strlen(text));
}
