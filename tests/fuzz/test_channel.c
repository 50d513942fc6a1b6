/* What a hostile client says on its channels: the first requests are honest, the rest is the input,
 * a script of requests with payloads, whose arguments may be what earlier replies brought. The
 * machine is the smallest; nothing of it may break.
 *
 * A request: operation; flags and number of arguments; each argument, a tag and what it needs; a
 * payload, by its kind (`take_payload`). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/program.h"
#include "sim/system/machine.h"
#include "sw/cuda/protocol.h"
#include "sw/cuda/socket.h"
#include "tests/fuzz/fuzz.h"

#define CYCLES        100000u
#define MOST_REQUESTS 64u
#define CHANNELS      2u
#define KEPT          16u /* values of replies */
#define MOST_PAYLOAD  4096u

enum { FLAG_PAYLOAD = 16, FLAG_OTHER = 32, FLAG_LIES = 64, FLAG_REFUSES = 128 };

static const char module_text[] =
    "module\0.version 7.0\n.target sm_35\n.address_size 64\n.global .u32 g[4];\n.const .u32 c[4];\n"
    ".entry k(.param .u64 a, .param .u32 n) { .reg .b64 %q; .reg .b32 %r; ld.param.u64 %q, [a];\n"
    "ld.param.u32 %r, [n]; st.global.u32 [%q], %r; ret; }\n.entry e() { ret; }\n";

struct client {
    const uint8_t *at, *end;
    int control, channel[CHANNELS];
    uint64_t kept[KEPT];
    uint32_t n_kept;
};

static uint64_t take(struct client *c, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes && c->at < c->end; i++)
        value |= (uint64_t)*c->at++ << (8 * i);
    return value;
}

static uint64_t take_argument(struct client *c)
{
    uint8_t tag = (uint8_t)take(c, 1);
    if (tag < 0x80)
        return tag;
    if (tag < 0xA0)
        return c->kept[tag % KEPT] + (tag < 0x90 ? 0 : take(c, 1));
    if (tag < 0xB0)
        return WIRE_BASE + take(c, 4);
    if (tag < 0xC0)
        return (uint64_t)1 << take(c, 1) % 64;
    if (tag < 0xD0)
        return (uint64_t)0 - take(c, 1);
    return take(c, tag < 0xE8 ? 4 : 8);
}

/* The kind of a payload: a module, a kernel's or a variable's name, bytes. */
static size_t take_payload(struct client *c, uint8_t *payload)
{
    static const char *const names[] = {"k", "e", "g", "c", "ipv4", ""};
    uint8_t kind = (uint8_t)take(c, 1);
    if (kind < 32) {
        memcpy(payload, module_text, sizeof module_text - 1);
        return sizeof module_text - 1;
    }
    if (kind < 64) {
        const char *name = names[kind % (sizeof names / sizeof *names)];
        memcpy(payload, name, strlen(name) + 1);
        return strlen(name) + 1;
    }
    size_t n = (kind < 128 ? 1 : 8) * take(c, 1);
    n = n < MOST_PAYLOAD ? n : MOST_PAYLOAD;
    for (size_t i = 0; i < n; i++)
        payload[i] = (uint8_t)take(c, 1);
    return n;
}

static bool discard(int fd, uint64_t bytes)
{
    uint8_t part[1024];
    for (uint64_t n; bytes; bytes -= n) {
        n = bytes < sizeof part ? bytes : sizeof part;
        if (!socket_read(fd, part, n))
            return false;
    }
    return true;
}

static bool ask(struct client *c, int fd, const struct wire_request *request, const void *payload,
                bool refuses)
{
    struct wire_reply reply;
    if (!socket_write(fd, request, sizeof *request) ||
        (request->payload && !socket_write(fd, payload, request->payload)))
        return false;
    if (request->op == WIRE_NEXT_FUNCTION) /* returns when one is due, which may be never */
        return true;
    for (;;) {
        if (!socket_read(fd, &reply, sizeof reply) || !discard(fd, reply.output) ||
            !discard(fd, reply.payload))
            return false;
        if ((reply.status != WIRE_MOVE && reply.status != WIRE_PUT) || refuses)
            break;
        struct wire_request moved = {
            .magic = WIRE_MAGIC, .version = WIRE_VERSION, .op = WIRE_MOVED};
        if (!socket_write(fd, &moved, sizeof moved))
            return false;
    }
    if (!reply.status && reply.v[0])
        c->kept[c->n_kept++ % KEPT] = reply.v[0];
    return true;
}

/* A channel whose thread has said who it is. */
static bool open_channel(struct client *c, uint32_t number)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return false;
    bool sent = socket_write_fd(c->control, "", 1, ends[1]);
    close(ends[1]);
    c->channel[number] = ends[0];
    struct wire_request hello = {.magic = WIRE_MAGIC,
                                 .version = WIRE_VERSION,
                                 .op = WIRE_HELLO,
                                 .a = {(uint64_t)getpid(), (uint64_t)gettid()}};
    return sent && ask(c, ends[0], &hello, NULL, false);
}

static bool say(struct client *c)
{
    uint8_t payload[MOST_PAYLOAD];
    uint8_t op = (uint8_t)take(c, 1), flags = (uint8_t)take(c, 1);
    struct wire_request request = {
        .magic = WIRE_MAGIC, .version = WIRE_VERSION, .op = op % (WIRE_OPS + 2)};
    for (uint32_t i = 0; i < (flags & 15u) && i < WIRE_ARGS; i++)
        request.a[i] = take_argument(c);
    if (flags & FLAG_PAYLOAD)
        request.payload = take_payload(c, payload);
    if (flags & FLAG_LIES)
        request.host_ns = take_argument(c) % 1000000;
    uint32_t number = flags & FLAG_OTHER ? 1 : 0;
    if (c->channel[number] < 0 && !open_channel(c, number))
        return false;
    return ask(c, c->channel[number], &request, payload, flags & FLAG_REFUSES);
}

/* In a process of its own, as the simulator looks at its threads and may end it. */
static void run_client(struct client *c)
{
    bool open = open_channel(c, 0);
    for (uint32_t i = 0; open && c->at < c->end && i < MOST_REQUESTS; i++)
        open = say(c);
    _exit(0);
}

static const struct machine_config *configuration(void)
{
    static const char *const overrides[] = {"gpu.cores=2", "gpu.memory_mib=64"};
    static struct machine_config config;
    struct error err = {0};
    if (config.cores)
        return &config;
    bool ok = config_load(&config, "config/gtx480.ini", &err);
    for (uint32_t i = 0; i < 2 && ok; i++)
        ok = config_override(&config, overrides[i], &err);
    fuzz_expect(ok && config_check(&config, &err), err.text);
    return &config;
}

static void one(const uint8_t *data, size_t size)
{
    struct client c = {.at = data, .end = data + size, .channel = {-1, -1}};
    struct machine_options options = {.backend = TILE_MODEL, .shared_at = WIRE_BASE};
    struct run_control control = {.max_cycles = CYCLES, .watchdog_cycles = CYCLES};
    struct error err = {0};
    int ends[2];
    fuzz_expect(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "a control channel");
    struct program_options program = {.control = ends[0]};
    c.control = ends[1];
    pid_t child = fork();
    fuzz_expect(child >= 0, "a process");
    if (child == 0) {
        close(ends[0]);
        run_client(&c);
    }
    close(ends[1]);
    struct machine *m = machine_create(configuration(), &options, &err);
    fuzz_expect(m && program_create(m, "client", &program, &err), err.text);
    machine_run(m, &control, &err);
    machine_destroy(m);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void seeds(void)
{
    /* Memory, a module, its kernel, a launch, a copy, streams and events; then nonsense. */
    static const uint8_t honest[] = {WIRE_ALLOC,
                                     5,
                                     0xB0,
                                     12,
                                     0xB0,
                                     8,
                                     WIRE_DEVICE,
                                     0,
                                     0xB0,
                                     12,
                                     WIRE_MODULE,
                                     FLAG_PAYLOAD,
                                     0,
                                     WIRE_FUNCTION,
                                     FLAG_PAYLOAD | 1,
                                     0x81,
                                     36,
                                     WIRE_LAUNCH,
                                     FLAG_PAYLOAD | 10,
                                     0x82,
                                     0,
                                     1,
                                     1,
                                     1,
                                     32,
                                     1,
                                     1,
                                     0,
                                     0,
                                     64,
                                     12,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0x20,
                                     0,
                                     0,
                                     7,
                                     0,
                                     0,
                                     0,
                                     WIRE_STREAM_CREATE,
                                     2,
                                     0,
                                     0,
                                     WIRE_EVENT_CREATE,
                                     1,
                                     1,
                                     WIRE_EVENT_RECORD,
                                     2,
                                     0x84,
                                     0x83,
                                     WIRE_MEMSET,
                                     10,
                                     0x80,
                                     0,
                                     0,
                                     5,
                                     4,
                                     64,
                                     1,
                                     1,
                                     0x83,
                                     0,
                                     WIRE_COPY,
                                     13,
                                     0x80,
                                     0x90,
                                     64,
                                     32,
                                     1,
                                     1,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     WIRE_EVENT_SYNC,
                                     1,
                                     0x84,
                                     WIRE_DEVICE_SYNC,
                                     0};
    /* Addresses, memory by handle, a mapping with access, a set, and all of it back. */
    static const uint8_t mapped[] = {WIRE_RESERVE,
                                     3,
                                     0xB0,
                                     23,
                                     0,
                                     0, /* 8 MiB: kept 0 */
                                     WIRE_HANDLE_CREATE,
                                     2,
                                     0xB0,
                                     22,
                                     1, /* 4 MiB: kept 1 */
                                     WIRE_MAP,
                                     4,
                                     0x80,
                                     0xB0,
                                     22,
                                     0,
                                     0x81, /* kept 2 */
                                     WIRE_MAP_ACCESS,
                                     3,
                                     0x80,
                                     0xB0,
                                     22,
                                     1,
                                     WIRE_HANDLE_HOLD,
                                     2,
                                     0,
                                     0x90,
                                     77, /* kept 3 */
                                     WIRE_HANDLE_INFO,
                                     1,
                                     0x83,
                                     WIRE_MEMSET,
                                     10,
                                     0x80,
                                     0,
                                     0,
                                     5,
                                     4,
                                     64,
                                     1,
                                     1,
                                     0,
                                     0,
                                     WIRE_HANDLE_RELEASE,
                                     1,
                                     0x81,
                                     WIRE_UNMAP,
                                     2,
                                     0x80,
                                     0xB0,
                                     22,
                                     WIRE_UNRESERVE,
                                     2,
                                     0x80,
                                     0xB0,
                                     23,
                                     WIRE_HANDLE_RELEASE,
                                     1,
                                     0x83};
    static const uint8_t others[] = {WIRE_MEMINFO,
                                     0,
                                     WIRE_LIMIT,
                                     3,
                                     0,
                                     64,
                                     1,
                                     WIRE_SERVICES,
                                     0,
                                     WIRE_EDGE_LIMITS,
                                     0,
                                     WIRE_EDGE_PORT,
                                     FLAG_PAYLOAD,
                                     36,
                                     WIRE_REGION_INFO,
                                     0,
                                     WIRE_WAIT_LIMIT,
                                     1,
                                     5,
                                     WIRE_ALLOC,
                                     5,
                                     0xB0,
                                     20,
                                     8,
                                     WIRE_MANAGED,
                                     0,
                                     0,
                                     WIRE_POINTER,
                                     1,
                                     0x80,
                                     WIRE_FREE,
                                     2,
                                     0x80,
                                     WIRE_MANAGED,
                                     WIRE_TEXTURE,
                                     FLAG_PAYLOAD,
                                     200,
                                     14,
                                     WIRE_MODULE,
                                     FLAG_PAYLOAD,
                                     0,
                                     WIRE_GLOBAL,
                                     FLAG_PAYLOAD | 1,
                                     0x82,
                                     38,
                                     WIRE_EDGE_FUNCTION,
                                     1,
                                     0x83,
                                     WIRE_EDGE_COMMAND,
                                     FLAG_PAYLOAD,
                                     200,
                                     9,
                                     WIRE_UNLOAD,
                                     1,
                                     0x82,
                                     WIRE_TIME,
                                     FLAG_OTHER,
                                     WIRE_STREAM_SYNC,
                                     FLAG_OTHER | 1,
                                     0,
                                     WIRE_RESET,
                                     0};
    fuzz_seed(honest, sizeof honest);
    fuzz_seed(others, sizeof others);
    fuzz_seed(mapped, sizeof mapped);
}

const struct fuzz_target fuzz_target = {
    .name = "channel", .one = one, .seeds = seeds, .mutants = 60};
