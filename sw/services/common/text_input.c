#include "sw/services/common/text_input.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compressed_input.h"
#include "base/error.h"

#define INPUT_BYTES (64u * 1024u)

struct text_input {
    char *path;
    struct compressed_input *file;
    char *buffer;
    size_t begin, end; /* unread part of the buffer */
    bool finished;
    uint32_t number;
    char line[TEXT_LINE_MAX + 2];
};

struct text_input *text_input_open(const char *path, struct error *err)
{
    struct text_input *in = ALLOC(struct text_input);
    in->path = alloc_string(path);
    in->buffer = alloc_array(INPUT_BYTES, 1);
    in->file = compressed_input_open(path, err);
    if (in->file)
        return in;
    text_input_close(in);
    return NULL;
}

void text_input_close(struct text_input *in)
{
    if (!in)
        return;
    compressed_input_close(in->file);
    free(in->buffer);
    free(in->path);
    free(in);
}

static bool fill(struct text_input *in, struct error *err)
{
    struct error local = {.set = false};
    in->begin = 0;
    in->end = compressed_input_read(in->file, (uint8_t *)in->buffer, INPUT_BYTES, &local);
    in->finished = in->end == 0;
    return !local.set || error_set(err, "%s:%u: %s", in->path, in->number + 1, local.text);
}

bool text_input_line(struct text_input *in, const char **line, struct error *err)
{
    size_t length = 0;
    bool any = false;
    for (;;) {
        if (in->begin == in->end) {
            if (in->finished)
                break;
            if (!fill(in, err))
                return false;
            continue;
        }
        any = true;
        const char *from = in->buffer + in->begin;
        const char *newline = memchr(from, '\n', in->end - in->begin);
        size_t n = newline ? (size_t)(newline - from) : in->end - in->begin;
        if (length + n > sizeof in->line - 1)
            return error_set(err, "%s:%u: the line is longer than %u characters", in->path,
                             in->number + 1, TEXT_LINE_MAX);
        if (memchr(from, '\0', n))
            return error_set(err, "%s:%u: the line has a zero byte", in->path, in->number + 1);
        memcpy(in->line + length, from, n);
        length += n;
        in->begin += n + (newline != NULL);
        if (newline)
            break;
    }
    if (!any)
        return false;
    in->number++;
    if (length && in->line[length - 1] == '\r')
        length--;
    in->line[length] = '\0';
    if (length > TEXT_LINE_MAX)
        return error_set(err, "%s:%u: the line is longer than %u characters", in->path, in->number,
                         TEXT_LINE_MAX);
    *line = in->line;
    return true;
}

uint32_t text_input_number(const struct text_input *in)
{
    return in->number;
}
