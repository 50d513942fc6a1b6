/* raw WHAT: speaks the protocol itself, without the library, and says what no library says. Numbers
 * without bound must be answered, each with an error or in a moment; exit status 0: they were. What
 * does not end by itself says READY and waits for a signal. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sw/cuda/include/cuda.h"
#include "sw/cuda/protocol.h"
#include "sw/cuda/socket.h"

#define HUGE   ((uint64_t)1 << 61)
#define MOST   UINT64_MAX
#define PITCH  12
#define EITHER 0xFFFF

static int channel, memory;

static void leave(const char *why)
{
    printf("raw: %s\n", why);
    exit(1);
}

static void send_request(const struct wire_request *r, const void *payload)
{
    if (!socket_write(channel, r, sizeof *r) || !socket_write(channel, payload, r->payload))
        leave("the channel is closed");
}

static void take_reply(struct wire_reply *reply)
{
    char byte;
    if (!socket_read(channel, reply, sizeof *reply))
        leave("no reply");
    for (uint64_t n = reply->output + reply->payload; n; n--) {
        if (!socket_read(channel, &byte, 1))
            leave("no payload");
    }
}

/* Moves nothing when it is asked to. */
static struct wire_reply call(uint16_t op, const uint64_t *a, uint32_t n, const void *payload,
                              uint64_t bytes)
{
    struct wire_request r = {
        .magic = WIRE_MAGIC, .version = WIRE_VERSION, .op = op, .payload = bytes};
    const struct wire_request moved = {
        .magic = WIRE_MAGIC, .version = WIRE_VERSION, .op = WIRE_MOVED};
    struct wire_reply reply;
    memcpy(r.a, a, n * sizeof *a);
    send_request(&r, payload);
    take_reply(&reply);
    while (reply.status == WIRE_MOVE) {
        send_request(&moved, NULL);
        take_reply(&reply);
    }
    return reply;
}

#define CALL(op, ...)                                                                              \
    call(op, (const uint64_t[]){__VA_ARGS__},                                                      \
         sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), NULL, 0)

/* The call returns this error; EITHER: any status. */
#define GIVES(error, op, ...)                                                                      \
    do {                                                                                           \
        uint32_t got_ = CALL(op, __VA_ARGS__).status;                                              \
        if (got_ != (error) && (error) != EITHER) {                                                \
            printf("%s:%d: status %u instead of %u\n", __FILE__, __LINE__, got_, error);           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void connect_channel(void)
{
    int ends[2];
    const char *control = getenv(WIRE_CONTROL_ENV);
    char what = WIRE_THREAD;
    if (!control || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ||
        !socket_write_fd(atoi(control), &what, 1, ends[1]))
        leave("no simulator");
    close(ends[1]);
    channel = ends[0];
}

static void hello(void)
{
    struct wire_request r = {.magic = WIRE_MAGIC,
                             .version = WIRE_VERSION,
                             .op = WIRE_HELLO,
                             .a = {(uint64_t)getpid(), (uint64_t)syscall(SYS_gettid)}};
    struct wire_reply reply;
    struct wire_device device;
    send_request(&r, NULL);
    if (!socket_read_fd(channel, &reply, sizeof reply, &memory) || reply.payload != sizeof device ||
        !socket_read(channel, &device, sizeof device))
        leave("no device");
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void copies(uint64_t d, uint64_t stream)
{
    const uint32_t both = WIRE_COPY_SRC_HOST | WIRE_COPY_DST_HOST;
    const uint64_t boxes[][7] = {/* width, height, depth, pitch, slice of both ends */
                                 {1, HUGE, 1, 0, 0, 0, 0},   {1, 1, HUGE, 1, 0, 1, 0},
                                 {4, HUGE, 1, 3, 0, 4, 0},   {4, 1024, HUGE / 4096, 4, 0, 4, 0},
                                 {16, 4, 2, 16, 16, 16, 64}, {16, 4, 2, 16, 64, 16, 16},
                                 {16, 4, 2, 15, 64, 16, 64}};
    GIVES(CUDA_ERROR_INVALID_VALUE, WIRE_COPY, d, 64, HUGE, 8, 1, HUGE, 0, HUGE, 0, stream,
          WIRE_COPY_SRC_HOST);
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        const uint64_t *b = boxes[i];
        struct wire_reply reply = CALL(WIRE_COPY, d, d + 65536, b[0], b[1], b[2], b[3], b[4], b[5],
                                       b[6], stream, WIRE_COPY_BLOCKING);
        if (reply.status != CUDA_ERROR_INVALID_VALUE && reply.status != PITCH)
            leave("a box that overlaps itself is copied");
        if (b[3] == b[5] && b[4] == b[6])
            GIVES(PITCH, WIRE_MEMSET, d, b[3], b[4], 1, 1, b[0], b[1], b[2], stream, 1);
    }
    GIVES(PITCH, WIRE_MEMSET, d, 4, 4, 1, 4, 3, 1, 1, stream, 1); /* three quarters of an element */
    GIVES(CUDA_ERROR_INVALID_VALUE, WIRE_MEMSET, d, MOST, MOST, 1, 1, MOST, MOST, MOST, stream, 1);
    GIVES(0, WIRE_COPY, d, d + 65536, 16, 4, 2, 16, 64, 16, 64, stream, WIRE_COPY_BLOCKING);
    /* What the client would move itself takes thousands of years. */
    GIVES(0, WIRE_COPY, 64, 4096, HUGE, 1, 1, HUGE, HUGE, HUGE, HUGE, stream, both);
    GIVES(EITHER, WIRE_COPY, 64, 4096, MOST, 1, 1, MOST, MOST, MOST, MOST, stream, both);
    GIVES(EITHER, WIRE_COPY, 64, 4096, 1, MOST, 1, 0, 0, 0, 0, stream, both);
}

static void allocations(uint64_t d)
{
    for (uint64_t kind = 0; kind < 12; kind++) {
        for (int bit = 32; bit < 64; bit++) {
            GIVES(kind && kind <= WIRE_ARRAY ? CUDA_ERROR_OUT_OF_MEMORY : EITHER, WIRE_ALLOC,
                  (uint64_t)1 << bit, 256, kind, 0, 0);
            GIVES(EITHER, WIRE_ALLOC, 16, (uint64_t)1 << bit, kind, 0, 0);
        }
        GIVES(kind && kind <= WIRE_ARRAY ? CUDA_ERROR_OUT_OF_MEMORY : EITHER, WIRE_ALLOC, MOST, 256,
              kind, 0, 0);
    }
    GIVES(CUDA_ERROR_INVALID_VALUE, WIRE_ALLOC, 16, 256, WIRE_DEVICE, 0, 1 << 20);
    GIVES(CUDA_ERROR_INVALID_VALUE, WIRE_ALLOC, 0, 256, WIRE_FULL_EMPTY, 0, 0);
    GIVES(EITHER, WIRE_FREE, d + 1, MOST);
    GIVES(EITHER, WIRE_POINTER, MOST);
}

static void textures(uint64_t d)
{
    struct wire_texture w = {.kind = WIRE_TEXTURE_PITCH,
                             .channels = 1,
                             .bits = 8,
                             .format = 1,
                             .address = d,
                             .width = 16,
                             .height = 3,
                             .pitch = (uint64_t)1 << 63};
    for (int i = 0; i < 3; i++) {
        w.pitch = i == 1 ? MOST - 15 : (uint64_t)1 << 63;
        w.depth = i == 2 ? UINT32_MAX : 1;
        if (call(WIRE_TEXTURE, NULL, 0, &w, sizeof w).status != CUDA_ERROR_INVALID_VALUE)
            leave("a texture with rows beyond the end of memory");
    }
}

static void large_module(void)
{
    const uint64_t bytes = (64u << 20) + 1;
    char *text = malloc(bytes);
    memset(text, '/', bytes);
    text[0] = 0;
    if (call(WIRE_MODULE, NULL, 0, text, bytes).status != CUDA_ERROR_INVALID_PTX)
        leave("a module without bound");
    free(text);
}

static void numbers(void)
{
    uint64_t d = CALL(WIRE_ALLOC, 1 << 20, 256, WIRE_DEVICE, 0, 0).v[0];
    uint64_t stream = CALL(WIRE_STREAM_CREATE, 1, MOST).v[0];
    if (!d || !stream)
        leave("no memory or no stream");
    if (!ftruncate(memory, 0) || !ftruncate(memory, HUGE))
        leave("device memory has another size");
    allocations(d);
    textures(d);
    large_module();
    for (uint64_t limit = 0; limit < 20; limit++) {
        GIVES(EITHER, WIRE_LIMIT, limit, MOST, 1);
        GIVES(EITHER, WIRE_LIMIT, limit, HUGE, 1);
    }
    GIVES(EITHER, WIRE_LIMIT, CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20, 1);
    for (uint64_t op = WIRE_TIME; op < 100; op++) { /* handles that are none */
        if (op != WIRE_NEXT_FUNCTION && op != WIRE_RESET && op != WIRE_MOVED)
            GIVES(EITHER, (uint16_t)op, MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST,
                  MOST, MOST, MOST, MOST);
    }
    copies(d, stream);
    exit(0);
}

/* --- what does not end ------------------------------------------------------------------------ */

static void wait_for_signal(void)
{
    printf("READY\n");
    fflush(stdout);
    for (;;)
        pause();
}

/* The beginning of a request; the beginning of its payload. */
static void part(void)
{
    if (!socket_write(channel, "pgve", 4))
        leave("the channel is closed");
    wait_for_signal();
}

static void payload(void)
{
    struct wire_request r = {.magic = WIRE_MAGIC,
                             .version = WIRE_VERSION,
                             .op = WIRE_MODULE,
                             .payload = WIRE_MAX_PAYLOAD - 1};
    if (!socket_write(channel, &r, sizeof r) || !socket_write(channel, "k", 1))
        leave("the channel is closed");
    wait_for_signal();
}

/* Requests without end, whose replies nobody takes. */
static void deaf(void)
{
    struct wire_request r = {.magic = WIRE_MAGIC, .version = WIRE_VERSION, .op = WIRE_TIME};
    printf("READY\n");
    fflush(stdout);
    while (send(channel, &r, sizeof r, MSG_NOSIGNAL) == sizeof r)
        usleep(10);
}

static void silent(void)
{
    wait_for_signal();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"numbers", numbers},
                {"part", part},
                {"payload", payload},
                {"deaf", deaf},
                {"silent", silent}};
    connect_channel();
    hello();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (argc > 1 && !strcmp(argv[1], ways[i].name))
            ways[i].run();
    }
    return 2;
}
