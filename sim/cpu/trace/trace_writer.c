#include "sim/cpu/trace/trace_writer.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"

enum { OUTPUT_BYTES = 64 * 1024, XZ_PRESET = 2 };

struct trace_writer {
    char *path, *temporary;
    FILE *file; /* plain and xz */
    gzFile gz;
    bool xz;
    lzma_stream lzma;
    uint8_t output[OUTPUT_BYTES];
};

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && !strcmp(text + n - m, end);
}

static bool failed(const struct trace_writer *w, struct error *err)
{
    return error_set(err, "%s: %s", w->path, errno ? strerror(errno) : "cannot be written");
}

struct trace_writer *trace_writer_open(const char *path, struct error *err)
{
    struct trace_writer *w = ALLOC(struct trace_writer);
    size_t room = strlen(path) + 5;
    w->path = alloc_string(path);
    w->temporary = alloc_array(room, 1);
    snprintf(w->temporary, room, "%s.tmp", path);
    w->xz = ends_in(path, ".xz");
    w->lzma = (lzma_stream)LZMA_STREAM_INIT;
    errno = 0;
    if (ends_in(path, ".gz"))
        w->gz = gzopen(w->temporary, "wb3");
    else
        w->file = fopen(w->temporary, "wb");
    if ((w->gz || w->file) &&
        (!w->xz || lzma_easy_encoder(&w->lzma, XZ_PRESET, LZMA_CHECK_CRC64) == LZMA_OK))
        return w;
    failed(w, err);
    trace_writer_abandon(w);
    return NULL;
}

static bool write_xz(struct trace_writer *w, const void *bytes, size_t n, lzma_action action)
{
    lzma_ret code = LZMA_OK;
    w->lzma.next_in = bytes;
    w->lzma.avail_in = n;
    do {
        w->lzma.next_out = w->output;
        w->lzma.avail_out = OUTPUT_BYTES;
        code = lzma_code(&w->lzma, action);
        size_t out = OUTPUT_BYTES - w->lzma.avail_out;
        if ((code != LZMA_OK && code != LZMA_STREAM_END) ||
            fwrite(w->output, 1, out, w->file) != out)
            return false;
    } while (w->lzma.avail_in || (action == LZMA_FINISH && code != LZMA_STREAM_END));
    return true;
}

bool trace_writer_add(struct trace_writer *w, const struct cpu_instruction *in, uint32_t n,
                      struct error *err)
{
    size_t bytes = n * sizeof *in;
    errno = 0;
    bool ok = !n || (w->xz   ? write_xz(w, in, bytes, LZMA_RUN)
                     : w->gz ? gzwrite(w->gz, in, (unsigned)bytes) == (int)bytes
                             : fwrite(in, 1, bytes, w->file) == bytes);
    return ok || failed(w, err);
}

static void release(struct trace_writer *w)
{
    lzma_end(&w->lzma);
    free(w->path);
    free(w->temporary);
    free(w);
}

bool trace_writer_finish(struct trace_writer *w, struct error *err)
{
    errno = 0;
    bool ok = !w->xz || write_xz(w, NULL, 0, LZMA_FINISH);
    if (w->file)
        ok = fclose(w->file) == 0 && ok;
    if (w->gz)
        ok = gzclose_w(w->gz) == Z_OK && ok;
    ok = ok && rename(w->temporary, w->path) == 0;
    if (!ok) {
        failed(w, err);
        unlink(w->temporary);
    }
    release(w);
    return ok;
}

void trace_writer_abandon(struct trace_writer *w)
{
    if (w->file)
        fclose(w->file);
    if (w->gz)
        gzclose_w(w->gz);
    if (w->file || w->gz)
        unlink(w->temporary);
    release(w);
}
