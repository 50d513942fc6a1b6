#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvrtc/program.h"

static void *have(void *memory)
{
    if (memory)
        return memory;
    fputs("evgpu: NVRTC: out of memory\n", stderr);
    abort();
}

char *words_text(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = have(malloc((size_t)length + 1));
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

void words_add(struct words *words, char *word)
{
    words->at = have(realloc(words->at, (words->count + 2) * sizeof *words->at));
    words->at[words->count++] = word;
    words->at[words->count] = NULL;
}

void words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->at[i]);
    free(words->at);
    *words = (struct words){0};
}

char *words_replace(char *text, const char *old, const char *with)
{
    size_t n = 0, old_length = strlen(old), with_length = strlen(with);
    for (const char *s = strstr(text, old); s; s = strstr(s + old_length, old))
        n++;
    if (!n)
        return text;
    char *made = have(malloc(strlen(text) + n * with_length + 1)), *to = made;
    const char *from = text;
    for (const char *s = strstr(from, old); s; s = strstr(from, old)) {
        memcpy(to, from, (size_t)(s - from));
        to += s - from;
        memcpy(to, with, with_length);
        to += with_length;
        from = s + old_length;
    }
    strcpy(to, from);
    free(text);
    return made;
}
