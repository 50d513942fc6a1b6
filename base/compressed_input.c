#include "base/compressed_input.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"

enum { COMPRESSED_BYTES = 64 * 1024, GZIP_WINDOW = 15 + 16, HEAD_BYTES = 10 };

enum compression { PLAIN, GZIP, XZ };

struct compressed_input {
    char *path;
    FILE *file;
    uint8_t head[HEAD_BYTES]; /* what detect() has read: a pipe does not give it again */
    size_t in_head, taken;    /* of it, by read_bytes() */
    enum compression compression;
    bool between;     /* gzip: a member has ended, another may follow */
    z_stream z;       /* gzip only */
    lzma_stream lzma; /* xz only */
    uint8_t *compressed;
};

static const struct {
    const char *name;
    const uint8_t *bytes;
    size_t n;
} foreign[] = {
    {"bzip2", (const uint8_t *)"BZh91AY&SY", 10},
    {"zstd", (const uint8_t *)"\x28\xB5\x2F\xFD", 4},
    {"lz4", (const uint8_t *)"\x04\x22\x4D\x18", 4},
    {"zip", (const uint8_t *)"PK\x03\x04", 4},
    {"7z", (const uint8_t *)"7z\xBC\xAF\x27\x1C", 6},
};

static bool detect(struct compressed_input *in, struct error *err)
{
    static const uint8_t XZ_MAGIC[6] = {0xFD, '7', 'z', 'X', 'Z', 0};
    const uint8_t *magic = in->head;
    errno = 0;
    size_t n = in->in_head = fread(in->head, 1, sizeof in->head, in->file);
    if (ferror(in->file))
        return error_set(err, "%s: %s", in->path, strerror(errno));
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (n >= foreign[i].n && !memcmp(magic, foreign[i].bytes, foreign[i].n))
            return error_set(
                err, "%s: the file is compressed with %s; evgpu reads plain, gzip and xz files",
                in->path, foreign[i].name);
    }
    if (n >= 2 && magic[0] == 0x1F && magic[1] == 0x8B)
        in->compression = GZIP;
    else if (n && !memcmp(magic, XZ_MAGIC, n < sizeof XZ_MAGIC ? n : sizeof XZ_MAGIC))
        in->compression = XZ;
    return true;
}

static bool start(struct compressed_input *in, struct error *err)
{
    in->between = false;
    in->z = (z_stream){0};
    in->lzma = (lzma_stream)LZMA_STREAM_INIT;
    if (in->compression == GZIP && inflateInit2(&in->z, GZIP_WINDOW) != Z_OK)
        return error_set(err, "%s: cannot start the gzip decoder", in->path);
    if (in->compression == XZ &&
        lzma_stream_decoder(&in->lzma, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
        return error_set(err, "%s: cannot start the xz decoder", in->path);
    return true;
}

static void stop(struct compressed_input *in)
{
    if (in->compression == GZIP)
        inflateEnd(&in->z);
    else if (in->compression == XZ)
        lzma_end(&in->lzma);
}

struct compressed_input *compressed_input_open(const char *path, struct error *err)
{
    struct compressed_input *in = ALLOC(struct compressed_input);
    in->path = alloc_string(path);
    errno = 0;
    in->file = fopen(path, "rb");
    bool ok = in->file || error_set(err, "%s: %s", path, strerror(errno));
    ok = ok && detect(in, err) && start(in, err);
    if (ok) {
        in->compressed = in->compression == PLAIN ? NULL : alloc_array(COMPRESSED_BYTES, 1);
        return in;
    }
    compressed_input_close(in);
    return NULL;
}

void compressed_input_close(struct compressed_input *in)
{
    if (!in)
        return;
    stop(in);
    if (in->file)
        fclose(in->file);
    free(in->compressed);
    free(in->path);
    free(in);
}

bool compressed_input_packed(const struct compressed_input *in)
{
    return in->compression != PLAIN;
}

static size_t read_bytes(struct compressed_input *in, uint8_t *to, size_t room, struct error *err)
{
    size_t n = in->in_head - in->taken;
    n = n < room ? n : room;
    memcpy(to, in->head + in->taken, n);
    in->taken += n;
    errno = 0;
    n += fread(to + n, 1, room - n, in->file);
    if (!n && ferror(in->file))
        error_set(err, "%s", strerror(errno));
    return n;
}

static size_t read_gzip(struct compressed_input *in, uint8_t *to, size_t room, struct error *err)
{
    in->z.next_out = to;
    in->z.avail_out = (uInt)room;
    while (in->z.avail_out == room) {
        if (!in->z.avail_in) {
            in->z.next_in = in->compressed;
            in->z.avail_in = (uInt)read_bytes(in, in->compressed, COMPRESSED_BYTES, err);
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

static size_t read_xz(struct compressed_input *in, uint8_t *to, size_t room, struct error *err)
{
    in->lzma.next_out = to;
    in->lzma.avail_out = room;
    lzma_ret code = LZMA_OK;
    while (in->lzma.avail_out == room && code == LZMA_OK) {
        bool last = false;
        if (!in->lzma.avail_in) {
            in->lzma.next_in = in->compressed;
            in->lzma.avail_in = read_bytes(in, in->compressed, COMPRESSED_BYTES, err);
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

size_t compressed_input_read(struct compressed_input *in, uint8_t *to, size_t room,
                             struct error *err)
{
    switch (in->compression) {
    case GZIP:
        return read_gzip(in, to, room, err);
    case XZ:
        return read_xz(in, to, room, err);
    case PLAIN:
        break;
    }
    return read_bytes(in, to, room, err);
}

bool compressed_input_rewind(struct compressed_input *in, struct error *err)
{
    stop(in);
    rewind(in->file);
    in->taken = in->in_head;
    return start(in, err);
}
