#include "sim/cpu/trace/trace_input.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "sim/cpu/trace/read_ahead.h"

enum { COMPRESSED_BYTES = 64 * 1024, BLOCK_BYTES = 128 * 1024 };

enum packing { PLAIN, GZIP, XZ };

struct trace_input {
    char *path;
    FILE *file;
    enum packing packing;
    struct read_ahead *ahead; /* packed only; its thread has what follows, up to `compressed` */
    bool between;             /* gzip: a member has ended, another may follow */
    z_stream z;               /* gzip only */
    lzma_stream lzma;         /* xz only */
    uint8_t *compressed;
    bool finished;        /* nothing comes behind what is in the buffer */
    uint8_t *buffer;      /* plain only */
    const uint8_t *bytes; /* the buffer, or a block of the thread's */
    size_t begin, end;    /* unread part of them */
};

static const struct {
    const char *name;
    const uint8_t *bytes;
    size_t n;
} foreign[] = {
    {"bzip2", (const uint8_t *)"BZh", 3},
    {"zstd", (const uint8_t *)"\x28\xB5\x2F\xFD", 4},
    {"lz4", (const uint8_t *)"\x04\x22\x4D\x18", 4},
    {"zip", (const uint8_t *)"PK\x03\x04", 4},
    {"7z", (const uint8_t *)"7z\xBC\xAF\x27\x1C", 6},
};

static void stop(struct trace_input *in)
{
    read_ahead_stop(in->ahead);
    in->ahead = NULL;
    if (in->packing == GZIP)
        inflateEnd(&in->z);
    else if (in->packing == XZ)
        lzma_end(&in->lzma);
}

static bool recognise(struct trace_input *in, struct error *err)
{
    static const uint8_t XZ_MAGIC[6] = {0xFD, '7', 'z', 'X', 'Z', 0};
    uint8_t magic[sizeof XZ_MAGIC] = {0};
    size_t n = fread(magic, 1, sizeof magic, in->file);
    if (ferror(in->file))
        return error_set(err, "%s", strerror(errno));
    if (n == 0)
        return error_set(err, "the file is empty");
    rewind(in->file);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (n >= foreign[i].n && !memcmp(magic, foreign[i].bytes, foreign[i].n))
            return error_set(err, "is compressed with %s; traces are read plain, gzip or xz",
                             foreign[i].name);
    }
    if (n >= 2 && magic[0] == 0x1F && magic[1] == 0x8B)
        in->packing = GZIP;
    else if (!memcmp(magic, XZ_MAGIC, n))
        in->packing = XZ;
    return true;
}

/* Compressed bytes for the decoder, which has none left: how many; 0 at the end or with an error.
 */
static size_t feed(struct trace_input *in, struct error *err)
{
    errno = 0;
    size_t n = fread(in->compressed, 1, COMPRESSED_BYTES, in->file);
    if (!n && ferror(in->file))
        error_set(err, "%s", strerror(errno));
    return n;
}

static size_t inflate_some(void *user, uint8_t *to, size_t room, struct error *err)
{
    struct trace_input *in = user;
    in->z.next_out = to;
    in->z.avail_out = (uInt)room;
    while (in->z.avail_out == room) {
        if (!in->z.avail_in) {
            in->z.next_in = in->compressed;
            in->z.avail_in = (uInt)feed(in, err);
            if (!in->z.avail_in) {
                if (!in->between)
                    error_set(err, "the gzip file is truncated");
                break;
            }
        }
        if (in->between) {
            inflateReset(&in->z);
            in->between = false;
        }
        int code = inflate(&in->z, Z_NO_FLUSH);
        if (code == Z_STREAM_END) {
            in->between = true;
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            error_set(err, "the gzip file is damaged (%s)", in->z.msg ? in->z.msg : "bad data");
            break;
        }
    }
    return room - in->z.avail_out;
}

static size_t unxz_some(void *user, uint8_t *to, size_t room, struct error *err)
{
    struct trace_input *in = user;
    in->lzma.next_out = to;
    in->lzma.avail_out = room;
    lzma_ret code = LZMA_OK;
    while (in->lzma.avail_out == room && code == LZMA_OK) {
        bool last = false;
        if (!in->lzma.avail_in) {
            in->lzma.next_in = in->compressed;
            in->lzma.avail_in = feed(in, err);
            last = !in->lzma.avail_in;
        }
        code = lzma_code(&in->lzma, last ? LZMA_FINISH : LZMA_RUN);
    }
    if (code == LZMA_BUF_ERROR)
        error_set(err, "the xz file is truncated");
    else if (code != LZMA_OK && code != LZMA_STREAM_END)
        error_set(err, "the xz file is damaged (liblzma error %d)", (int)code);
    return room - in->lzma.avail_out;
}

static size_t read_plain(struct trace_input *in, struct error *err)
{
    errno = 0;
    size_t n = fread(in->buffer, 1, BLOCK_BYTES, in->file);
    in->bytes = in->buffer;
    if (!n && ferror(in->file))
        error_set(err, "%s", strerror(errno));
    return n;
}

static bool start(struct trace_input *in, struct error *err)
{
    in->begin = in->end = 0;
    in->finished = in->between = false;
    if (in->packing == GZIP) {
        in->z = (z_stream){0};
        if (inflateInit2(&in->z, 15 + 16) != Z_OK)
            return error_set(err, "cannot start the gzip decoder");
    } else if (in->packing == XZ) {
        in->lzma = (lzma_stream)LZMA_STREAM_INIT;
        if (lzma_stream_decoder(&in->lzma, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
            return error_set(err, "cannot start the xz decoder");
    }
    if (in->packing != PLAIN)
        in->ahead =
            read_ahead_start(in->packing == GZIP ? inflate_some : unxz_some, in, BLOCK_BYTES, err);
    return in->packing == PLAIN || in->ahead;
}

struct trace_input *trace_input_open(const char *path, struct error *err)
{
    struct trace_input *in = ALLOC(struct trace_input);
    in->path = alloc_string(path);
    errno = 0;
    in->file = fopen(path, "rb");
    bool ok = in->file || error_set(err, "%s", strerror(errno));
    ok = ok && recognise(in, err);
    if (ok) {
        in->compressed = in->packing == PLAIN ? NULL : alloc_array(COMPRESSED_BYTES, 1);
        in->buffer = in->packing == PLAIN ? alloc_array(BLOCK_BYTES, 1) : NULL;
        ok = start(in, err);
    }
    if (ok)
        return in;
    in->packing = PLAIN;
    trace_input_close(in);
    error_prefix(err, "%s", path);
    return NULL;
}

void trace_input_close(struct trace_input *in)
{
    if (!in)
        return;
    stop(in);
    if (in->file)
        fclose(in->file);
    free(in->compressed);
    free(in->buffer);
    free(in->path);
    free(in);
}

/* More bytes into the empty buffer; none at the end or with an error. */
static void fill(struct trace_input *in, struct error *err)
{
    in->begin = in->end = 0;
    if (in->finished)
        return;
    in->end = in->ahead ? read_ahead_take(in->ahead, &in->bytes, err) : read_plain(in, err);
    in->finished = in->end == 0;
}

size_t trace_input_read(struct trace_input *in, void *to, size_t size, struct error *err)
{
    size_t done = 0;
    while (done < size) {
        if (in->begin == in->end)
            fill(in, err);
        size_t n = in->end - in->begin;
        if (!n)
            break;
        if (n > size - done)
            n = size - done;
        memcpy((uint8_t *)to + done, in->bytes + in->begin, n);
        in->begin += n;
        done += n;
    }
    return done;
}

size_t trace_input_peek(struct trace_input *in, const uint8_t **bytes, size_t size,
                        struct error *err)
{
    if (in->begin == in->end)
        fill(in, err);
    *bytes = in->bytes + in->begin;
    return in->end - in->begin < size ? in->end - in->begin : size;
}

void trace_input_skip(struct trace_input *in, size_t size)
{
    in->begin += size;
}

bool trace_input_rewind(struct trace_input *in, struct error *err)
{
    stop(in);
    rewind(in->file);
    bool ok = start(in, err);
    if (!ok)
        error_prefix(err, "%s", in->path);
    return ok;
}

const char *trace_input_path(const struct trace_input *in)
{
    return in->path;
}
