#include "base/compressed_output.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/output.h"

enum { OUTPUT_BYTES = 64 * 1024, XZ_PRESET = 2 };

struct compressed_output {
    char *path;
    struct output *output;
    FILE *file; /* plain and xz */
    gzFile gz;
    bool xz;
    lzma_stream lzma;
    uint8_t packed[OUTPUT_BYTES];
};

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && !strcmp(text + n - m, end);
}

static bool failed(const struct compressed_output *out, struct error *err)
{
    return error_set(err, "%s: cannot be written: %s", out->path,
                     errno ? strerror(errno) : "the compression failed");
}

static gzFile open_gz(FILE *file)
{
    int own = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
    gzFile gz = own < 0 ? NULL : gzdopen(own, "wb3");
    if (own >= 0 && !gz)
        close(own);
    return gz;
}

struct compressed_output *compressed_output_open(const char *path, struct error *err)
{
    struct output *output = output_open(path, err);
    if (!output)
        return NULL;
    struct compressed_output *out = ALLOC(struct compressed_output);
    out->path = alloc_string(path);
    out->output = output;
    out->xz = ends_in(path, ".xz");
    out->lzma = (lzma_stream)LZMA_STREAM_INIT;
    errno = 0;
    if (ends_in(path, ".gz"))
        out->gz = open_gz(output_stream(output));
    else
        out->file = output_stream(output);
    if ((out->gz || out->file) &&
        (!out->xz || lzma_easy_encoder(&out->lzma, XZ_PRESET, LZMA_CHECK_CRC64) == LZMA_OK))
        return out;
    failed(out, err);
    compressed_output_abandon(out);
    return NULL;
}

static bool write_xz(struct compressed_output *out, const void *bytes, size_t n, lzma_action action)
{
    lzma_ret code = LZMA_OK;
    out->lzma.next_in = bytes;
    out->lzma.avail_in = n;
    do {
        out->lzma.next_out = out->packed;
        out->lzma.avail_out = OUTPUT_BYTES;
        code = lzma_code(&out->lzma, action);
        size_t n_packed = OUTPUT_BYTES - out->lzma.avail_out;
        if ((code != LZMA_OK && code != LZMA_STREAM_END) ||
            fwrite(out->packed, 1, n_packed, out->file) != n_packed)
            return false;
    } while (out->lzma.avail_in || (action == LZMA_FINISH && code != LZMA_STREAM_END));
    return true;
}

bool compressed_output_write(struct compressed_output *out, const void *bytes, size_t n,
                             struct error *err)
{
    errno = 0;
    bool ok = !n || (out->xz   ? write_xz(out, bytes, n, LZMA_RUN)
                     : out->gz ? gzwrite(out->gz, bytes, (unsigned)n) == (int)n
                               : fwrite(bytes, 1, n, out->file) == n);
    return ok || failed(out, err);
}

static void release(struct compressed_output *out)
{
    lzma_end(&out->lzma);
    free(out->path);
    free(out);
}

bool compressed_output_finish(struct compressed_output *out, struct error *err)
{
    errno = 0;
    bool ok = !out->xz || write_xz(out, NULL, 0, LZMA_FINISH);
    if (out->gz)
        ok = gzclose_w(out->gz) == Z_OK && ok;
    if (ok) {
        ok = output_finish(out->output, err);
    } else {
        failed(out, err);
        output_abandon(out->output);
    }
    release(out);
    return ok;
}

void compressed_output_abandon(struct compressed_output *out)
{
    if (out->gz)
        gzclose_w(out->gz);
    output_abandon(out->output);
    release(out);
}
