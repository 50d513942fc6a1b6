/* Errors that a person can act on.
 *
 * A function that can fail takes a `struct error *` and returns false (or NULL); it has then put
 * one line into it that names the file, line or field and what to do. The first error wins: a
 * caller may add context in front with error_prefix(). Control characters and ends of lines,
 * as a quoted file may have them, become '?'; of a message that is too long, the middle is left
 * out. No function prints or exits on its own. */
#ifndef EVGPU_BASE_ERROR_H
#define EVGPU_BASE_ERROR_H

#include <stdbool.h>

struct error {
    bool set;
    char text[1024];
};

/* Always returns false, so that `return error_set(err, ...)` reads well. `err` may be NULL. */
bool error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " in front of the text. */
void error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
