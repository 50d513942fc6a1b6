/* The bytes of a trace file, plain or compressed (base/compressed_input.h). A decoder works in a
 * thread of its own, ahead of the reader. */
#ifndef EVGPU_CPU_TRACE_TRACE_INPUT_H
#define EVGPU_CPU_TRACE_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct trace_input;

/* NULL with an error that begins with the path. */
struct trace_input *trace_input_open(const char *path, struct error *err);
void trace_input_close(struct trace_input *in);

/* Bytes are copied until `size` or the end; fewer without an error: the end. An error in a
 * compressed file says what is wrong; the caller puts the place in front. */
size_t trace_input_read(struct trace_input *in, void *to, size_t size, struct error *err);

/* The bytes that come next, without taking them: up to `size` of them; `bytes` is NULL if there are
 * none. */
size_t trace_input_peek(struct trace_input *in, const uint8_t **bytes, size_t size,
                        struct error *err);

/* Takes bytes that were peeked. */
void trace_input_skip(struct trace_input *in, size_t size);

/* From the beginning again. */
bool trace_input_rewind(struct trace_input *in, struct error *err);

const char *trace_input_path(const struct trace_input *in);

#endif
