#include "sw/cuda/nvcc/list.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sw/cuda/nvcc/command.h"

void *reallocate(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p)
        fatal("out of memory");
    return p;
}

void *allocate(size_t size)
{
    return memset(reallocate(NULL, size), 0, size);
}

void list_add(struct list *list, const char *string)
{
    if (list->count + 1 >= list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->at = reallocate(list->at, list->room * sizeof *list->at);
    }
    list->at[list->count++] = string;
    list->at[list->count] = NULL;
}

void list_add_all(struct list *list, const struct list *others)
{
    for (size_t i = 0; i < others->count; i++)
        list_add(list, others->at[i]);
}

void list_add_these(struct list *list, ...)
{
    va_list strings;
    va_start(strings, list);
    for (const char *s; (s = va_arg(strings, const char *));)
        list_add(list, s);
    va_end(strings);
}

bool list_has(const struct list *list, const char *string)
{
    for (size_t i = 0; i < list->count; i++) {
        if (!strcmp(list->at[i], string))
            return true;
    }
    return false;
}

static char *text_list(const char *format, va_list values)
{
    char *made;
    if (vasprintf(&made, format, values) < 0)
        fatal("out of memory");
    return made;
}

char *text(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *made = text_list(format, values);
    va_end(values);
    return made;
}

char *text_part(const char *from, size_t length)
{
    char *copy = allocate(length + 1);
    memcpy(copy, from, length);
    return copy;
}

/* Options that hand on others, with commas of their own. */
static bool takes_commas(const char *word)
{
    return starts_with(word, "-Wl,") || starts_with(word, "-Wa,") || starts_with(word, "-Wp,");
}

/* One word from *at on, which moves behind it; NULL at the end. */
static char *next_word(const char **at, bool commas)
{
    const char *s = *at;
    while (isspace((unsigned char)*s) || (commas && *s == ','))
        s++;
    if (!*s)
        return NULL;
    char *word = allocate(strlen(s) + 1), *to = word;
    char quote = 0;
    commas = commas && !takes_commas(s);
    for (; *s; s++) {
        if (quote && *s == quote) {
            quote = 0;
        } else if (!quote && (*s == '"' || *s == '\'')) {
            quote = *s;
        } else if (*s == '\\' && s[1] && quote != '\'') {
            *to++ = *++s;
        } else if (!quote && (isspace((unsigned char)*s) || (commas && *s == ','))) {
            break;
        } else {
            *to++ = *s;
        }
    }
    *at = s;
    return word;
}

void list_add_split(struct list *list, const char *string, bool commas)
{
    for (char *word; (word = next_word(&string, commas));)
        list_add(list, word);
}

bool starts_with(const char *string, const char *start)
{
    return !strncmp(string, start, strlen(start));
}

bool ends_with(const char *string, const char *end)
{
    size_t length = strlen(string), tail = strlen(end);
    return length >= tail && !strcmp(string + length - tail, end);
}

char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return text("%s", slash ? slash + 1 : path);
}

char *stem(const char *path)
{
    char *name = base_name(path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = 0;
    return name;
}

void fatal(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("nvcc fatal   : ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    leave_clean();
    exit(1);
}

void warning(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("nvcc warning : ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
}

char *file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t room = 1 << 16, count = 0, got;
    char *bytes = reallocate(NULL, room + 1);
    while ((got = fread(bytes + count, 1, room - count, file)) > 0) {
        count += got;
        if (count == room)
            bytes = reallocate(bytes, (room *= 2) + 1);
    }
    if (ferror(file)) {
        int error = errno;
        fclose(file);
        free(bytes);
        errno = error;
        return NULL;
    }
    fclose(file);
    bytes[count] = 0;
    if (size)
        *size = count;
    return bytes;
}

void file_write(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file))
        ok = false;
    if (ok)
        return;
    int cause = errno;
    struct stat status;
    if (file && stat(path, &status) == 0 && S_ISREG(status.st_mode))
        unlink(path);
    fatal("cannot write %s: %s", path, strerror(cause));
}
