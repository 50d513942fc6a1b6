/* Formats as printf does in kernels (CUDA C++ Programming Guide, formatted output): arguments lie
 * one after the other, each aligned to its size. */
#ifndef EVGPU_SIMT_PIPELINE_PRINT_FORMAT_H
#define EVGPU_SIMT_PIPELINE_PRINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Host pointer to `bytes` of the thread's memory, NULL where there is none. */
struct thread_memory {
    const uint8_t *(*at)(void *user, uint64_t address, uint64_t bytes);
    void *user;
};

/* Text as long as the buffer holds; always ended. Returns the number of arguments used, -1 without
 * a format, -2 when the format or an argument is not in memory. */
int print_format(const struct thread_memory *memory, uint64_t format, uint64_t arguments,
                 char *text, size_t size);

/* A string of the thread, cut to the buffer; false when it is not in memory. */
bool print_string(const struct thread_memory *memory, uint64_t address, char *text, size_t size);

#endif
