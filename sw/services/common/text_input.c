#include "sw/services/common/text_input.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/error.h"

#define INPUT_BYTES (64u * 1024u)

struct text_input {
    char *path;
    FILE *file; /* xz only */
    gzFile gz;  /* plain and gzip: zlib passes plain text through */
    bool xz, xz_end;
    lzma_stream lzma;
    uint8_t *compressed; /* xz only */
    char *buffer;
    size_t begin, end; /* unread part of the buffer */
    bool finished;
    uint32_t number;
    char line[TEXT_LINE_MAX + 2];
};

static bool open_xz(struct text_input *in, struct error *err)
{
    in->xz = true;
    in->compressed = alloc_array(INPUT_BYTES, 1);
    in->lzma = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&in->lzma, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
        return error_set(err, "%s: cannot start the xz decoder", in->path);
    return true;
}

static bool open_file(struct text_input *in, struct error *err)
{
    static const uint8_t XZ_MAGIC[6] = {0xFD, '7', 'z', 'X', 'Z', 0};
    uint8_t magic[sizeof XZ_MAGIC];
    in->file = fopen(in->path, "rb");
    if (!in->file)
        return error_set(err, "%s: %s", in->path, strerror(errno));
    errno = 0;
    size_t n = fread(magic, 1, sizeof magic, in->file);
    if (ferror(in->file))
        return error_set(err, "%s: %s", in->path, strerror(errno));
    if (n == sizeof magic && !memcmp(magic, XZ_MAGIC, sizeof magic)) {
        rewind(in->file);
        return open_xz(in, err);
    }
    fclose(in->file);
    in->file = NULL;
    in->gz = gzopen(in->path, "rb");
    if (!in->gz)
        return error_set(err, "%s: %s", in->path, strerror(errno));
    gzbuffer(in->gz, INPUT_BYTES);
    return true;
}

struct text_input *text_input_open(const char *path, struct error *err)
{
    struct text_input *in = ALLOC(struct text_input);
    in->path = alloc_string(path);
    in->buffer = alloc_array(INPUT_BYTES, 1);
    if (!open_file(in, err)) {
        text_input_close(in);
        return NULL;
    }
    return in;
}

void text_input_close(struct text_input *in)
{
    if (!in)
        return;
    if (in->xz)
        lzma_end(&in->lzma);
    if (in->gz)
        gzclose_r(in->gz);
    if (in->file)
        fclose(in->file);
    free(in->compressed);
    free(in->buffer);
    free(in->path);
    free(in);
}

static bool fill_gz(struct text_input *in, struct error *err)
{
    int n = gzread(in->gz, in->buffer, INPUT_BYTES);
    int code;
    const char *message = gzerror(in->gz, &code);
    if (n < 0 || code == Z_BUF_ERROR)
        return error_set(err, "%s:%u: %s", in->path, in->number + 1,
                         code == Z_BUF_ERROR ? "the gzip file is truncated" : message);
    in->end = (size_t)n;
    return true;
}

static bool fill_xz(struct text_input *in, struct error *err)
{
    in->lzma.next_out = (uint8_t *)in->buffer;
    in->lzma.avail_out = INPUT_BYTES;
    while (in->lzma.avail_out == INPUT_BYTES && !in->xz_end) {
        if (!in->lzma.avail_in && !feof(in->file)) {
            in->lzma.next_in = in->compressed;
            in->lzma.avail_in = fread(in->compressed, 1, INPUT_BYTES, in->file);
            if (ferror(in->file))
                return error_set(err, "%s: %s", in->path, strerror(errno));
        }
        lzma_ret code = lzma_code(&in->lzma, feof(in->file) ? LZMA_FINISH : LZMA_RUN);
        if (code == LZMA_STREAM_END)
            in->xz_end = true;
        else if (code == LZMA_BUF_ERROR)
            return error_set(err, "%s:%u: the xz file is truncated", in->path, in->number + 1);
        else if (code != LZMA_OK)
            return error_set(err, "%s:%u: the xz file is damaged (liblzma error %d)", in->path,
                             in->number + 1, (int)code);
    }
    in->end = INPUT_BYTES - in->lzma.avail_out;
    return true;
}

static bool fill(struct text_input *in, struct error *err)
{
    in->begin = in->end = 0;
    if (!(in->xz ? fill_xz(in, err) : fill_gz(in, err)))
        return false;
    in->finished = in->end == 0;
    return true;
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
