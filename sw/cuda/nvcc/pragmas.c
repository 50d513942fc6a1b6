#include "sw/cuda/nvcc/pragmas.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/list.h"

#define BLANKS " \t"

/* Behind "#", blanks and the word; NULL: that is not there. */
static const char *behind_directive(const char *s, const char *word)
{
    if (*s != '#')
        return NULL;
    s += 1 + strspn(s + 1, BLANKS);
    return starts_with(s, word) ? s + strlen(word) : NULL;
}

/* Where the pragma of a definition begins in this line; NULL: it defines none. */
static const char *pragma_in(const char *line)
{
    const char *s = behind_directive(line + strspn(line, BLANKS), "define");
    if (!s || !strchr(BLANKS, *s))
        return NULL;
    s += strspn(s, BLANKS);
    const char *name = s;
    while (isalnum((unsigned char)*s) || *s == '_')
        s++;
    s += s > name ? strspn(s, BLANKS) : 0;
    const char *text = behind_directive(s, "pragma");
    return text && *text && strchr(BLANKS, *text) ? s : NULL;
}

/* The pragma's text without blanks around it and a comment behind. */
static char *text_of(const char *text, size_t length)
{
    char *out = text_part(text, length), *line = strstr(out, "//"), *block = strstr(out, "/*");
    if (line)
        *line = '\0';
    if (block)
        *block = '\0';
    out += strspn(out, BLANKS);
    size_t end = strlen(out);
    while (end && isspace((unsigned char)out[end - 1]))
        end--;
    out[end] = '\0';
    return out;
}

static void write_quoted(FILE *out, const char *text)
{
    fputs("_Pragma(\"", out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputs("\")", out);
}

char *pragmas_mend(char *bytes)
{
    char *mended = NULL;
    size_t size = 0;
    FILE *out = NULL;
    const char *kept = bytes;
    for (const char *line = bytes; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *pragma = pragma_in(line), *end = line + strcspn(line, "\n");
        if (!pragma || end[-1] == '\\')
            continue;
        if (!out)
            out = open_memstream(&mended, &size);
        if (!out)
            return bytes;
        fwrite(kept, 1, (size_t)(pragma - kept), out);
        const char *text = behind_directive(pragma, "pragma");
        write_quoted(out, text_of(text, (size_t)(end - text)));
        kept = end;
    }
    if (!out)
        return bytes;
    fputs(kept, out);
    return fclose(out) ? bytes : mended;
}

const char *pragmas_refused(const char *line)
{
    const char *error = strstr(line, ": error: invalid value '");
    return error && strstr(error, "'; must be positive") ? error : NULL;
}

bool pragmas_unroll(char **bytes, char *at)
{
    const char *line = at;
    while (line > *bytes && line[-1] != '\n')
        line--;
    const char *s = behind_directive(line + strspn(line, BLANKS), "pragma");
    s = s ? s + strspn(s, BLANKS) : NULL;
    if (!s || !starts_with(s, "unroll"))
        return false;
    s += strlen("unroll");
    const char *end = s + strcspn(s, "\n"), *times = text_of(s, (size_t)(end - s));
    *bytes = text("%.*s 0 < (%s) ? (%s) : 1%s", (int)(s - *bytes), *bytes, times, times, end);
    return true;
}
