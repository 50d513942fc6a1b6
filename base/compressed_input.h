/* The bytes of a file, decompressed as they are read: plain, gzip or xz, detected from the first
 * bytes. Members that are joined in one file are read one behind the other, checksums are checked.
 */
#ifndef EVGPU_BASE_COMPRESSED_INPUT_H
#define EVGPU_BASE_COMPRESSED_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct compressed_input;

/* NULL with an error that begins with the path, for a missing file, a folder, or another
 * compression. */
struct compressed_input *compressed_input_open(const char *path, struct error *err);
void compressed_input_close(struct compressed_input *in);

/* Whether the file is compressed, so that reading costs the time of a decoder. */
bool compressed_input_packed(const struct compressed_input *in);

/* Up to `room` bytes; 0 at the end. An error is set only behind all bytes that could be decoded; it
 * says that the file cannot be read, is truncated or is damaged, and the caller puts the place in
 * front. */
size_t compressed_input_read(struct compressed_input *in, uint8_t *to, size_t room,
                             struct error *err);

/* From the beginning again, which a pipe does not have. */
bool compressed_input_rewind(struct compressed_input *in, struct error *err);

#endif
