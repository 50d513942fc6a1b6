#include "sim/cpu/trace/trace_input.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compressed_input.h"
#include "sim/cpu/trace/read_ahead.h"

enum { BLOCK_BYTES = 128 * 1024 };

struct trace_input {
    char *path;
    struct compressed_input *file;
    struct read_ahead *ahead; /* compressed only; its thread reads `file` */
    bool finished;            /* nothing comes behind what is in the buffer */
    uint8_t *buffer;          /* plain only */
    const uint8_t *bytes;     /* the buffer, or a block of the thread's */
    size_t begin, end;        /* unread part of them */
};

static size_t produce(void *user, uint8_t *to, size_t room, struct error *err)
{
    return compressed_input_read(user, to, room, err);
}

static bool start(struct trace_input *in, struct error *err)
{
    in->begin = in->end = 0;
    in->finished = false;
    if (compressed_input_packed(in->file))
        in->ahead = read_ahead_start(produce, in->file, BLOCK_BYTES, err);
    if (in->buffer || in->ahead)
        return true;
    error_prefix(err, "%s", in->path);
    return false;
}

static void stop(struct trace_input *in)
{
    read_ahead_stop(in->ahead);
    in->ahead = NULL;
}

struct trace_input *trace_input_open(const char *path, struct error *err)
{
    struct trace_input *in = ALLOC(struct trace_input);
    in->path = alloc_string(path);
    in->file = compressed_input_open(path, err);
    if (in->file && !compressed_input_packed(in->file))
        in->buffer = alloc_array(BLOCK_BYTES, 1);
    if (in->file && start(in, err))
        return in;
    trace_input_close(in);
    return NULL;
}

void trace_input_close(struct trace_input *in)
{
    if (!in)
        return;
    stop(in);
    compressed_input_close(in->file);
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
    if (in->ahead) {
        in->end = read_ahead_take(in->ahead, &in->bytes, err);
    } else {
        in->end = compressed_input_read(in->file, in->buffer, BLOCK_BYTES, err);
        in->bytes = in->buffer;
    }
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
    size_t n = in->end - in->begin;
    *bytes = n ? in->bytes + in->begin : NULL; /* an empty file has no buffer */
    return n < size ? n : size;
}

void trace_input_skip(struct trace_input *in, size_t size)
{
    in->begin += size;
}

bool trace_input_rewind(struct trace_input *in, struct error *err)
{
    stop(in);
    return compressed_input_rewind(in->file, err) && start(in, err);
}

const char *trace_input_path(const struct trace_input *in)
{
    return in->path;
}
