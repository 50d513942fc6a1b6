/* Lines of a text file that may be plain, gzip or xz (base/compressed_input.h). */
#ifndef EVGPU_SW_TEXT_INPUT_H
#define EVGPU_SW_TEXT_INPUT_H

#include <stdbool.h>
#include <stdint.h>

struct error; /* base/error.h */

#define TEXT_LINE_MAX 1023u /* characters */

struct text_input;

struct text_input *text_input_open(const char *path, struct error *err);
void text_input_close(struct text_input *in);

/* The next line without its end (LF or CR LF), valid until the next call. False at the end of the
 * file or, with `err` set, when the file cannot be read, is damaged, or the line is too long. */
bool text_input_line(struct text_input *in, const char **line, struct error *err);

/* Number of the line last returned, from 1. */
uint32_t text_input_number(const struct text_input *in);

#endif
