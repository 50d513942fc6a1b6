#include "base/ini_line.h"

#include <stdint.h>
#include <sys/stat.h>

#define STREAM_MOST (16u << 20)

struct ini_stream ini_stream_of(FILE *file)
{
    struct stat status;
    bool regular = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
    return (struct ini_stream){file, regular ? SIZE_MAX : STREAM_MOST};
}

char *ini_line(char *text, int size, struct ini_stream *stream)
{
    int n = 0, c = 0;
    while (n < size - 1 && c != '\n' && (c = getc(stream->file)) != EOF)
        text[n++] = (char)(c ? c : '?');
    text[n] = '\0';
    if ((size_t)n > stream->left)
        return NULL;
    stream->left -= (size_t)n;
    return n && !ferror(stream->file) ? text : NULL;
}

bool ini_stream_ended(const struct ini_stream *stream, const char *path, struct error *err)
{
    return feof(stream->file) ||
           error_set(err, "%s: no regular file, and has %u MiB or more", path, STREAM_MOST >> 20);
}
