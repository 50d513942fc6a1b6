/* Growable lists of strings, and strings made by printf's rules.
 *
 * A driver lives for seconds: what is allocated here stays until the process ends, and running out
 * of memory ends it with a message. */
#ifndef EVGPU_NVCC_LIST_H
#define EVGPU_NVCC_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
    const char **at; /* `count` strings, then NULL: what execvp() wants */
    size_t count, room;
};

/* The string is kept, not copied. */
void list_add(struct list *list, const char *string);
void list_add_all(struct list *list, const struct list *others);
/* Each one of the strings up to NULL. */
void list_add_these(struct list *list, ...) __attribute__((sentinel));
bool list_has(const struct list *list, const char *string);

char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A copy of `length` characters. */
char *text_part(const char *from, size_t length);

/* Splits at commas (where `commas`) and white space outside quotes; quotes and the backslashes that
 * guard a character are taken off, as nvcc does with the options it hands on. -Wl,A,B is one word.
 */
void list_add_split(struct list *list, const char *string, bool commas);

bool starts_with(const char *string, const char *start);
bool ends_with(const char *string, const char *end);
/* PATH without its folder, and without its last ".suffix". */
char *base_name(const char *path);
char *stem(const char *path);

/* Prints "nvcc fatal   : ..." as nvcc does and ends with status 1; leave_clean() first. */
void fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

void *allocate(size_t size);
void *reallocate(void *old, size_t size);

/* A whole file with a NUL behind it; NULL with errno set when it cannot be read. */
char *file_read(const char *path, size_t *size);
/* Ends with a message when it cannot be written. */
void file_write(const char *path, const char *bytes, size_t size);

#endif
