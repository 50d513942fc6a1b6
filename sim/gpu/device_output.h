/* Text that kernels have printed and the host has not taken yet, oldest first. When it exceeds its
 * limit the oldest goes, as in CUDA's buffer. */
#ifndef EVGPU_GPU_DEVICE_OUTPUT_H
#define EVGPU_GPU_DEVICE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_OUTPUT_BYTES (1u << 20) /* as CUDA's default limit */

struct output_entry {
    char *text;
    size_t bytes;
    bool is_error; /* for the error stream: a failed assertion */
};

struct device_output {
    struct output_entry *entries; /* ring */
    size_t first, count, capacity;
    size_t bytes, limit;
};

void device_output_free(struct device_output *output);
void device_output_add(struct device_output *output, const struct output_entry *entry);

/* Who takes it. */
struct output_reader {
    void (*print)(void *user, bool is_error, const char *text, size_t bytes);
    void *user;
};
void device_output_take(struct device_output *output, const struct output_reader *reader);

#endif
