#include "sw/services/echo/echogen.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/echo/echo.h"
#include "sw/services/ipv4/ipv4.h"
#include "sw/services/ipv4/pktgen_frame.h"

#define ECHO_PORT    7u
#define SERVER       0xC0000201u /* 192.0.2.1 (RFC 5737) */
#define CLIENT_PORTS 49152u      /* first of the dynamic ports */

struct echogen {
    uint32_t port;
    struct traffic_source source;
};

static const char *const kind_names[ECHOGEN_KINDS] = {"other-port", "loop",        "bad-checksum",
                                                      "bad-length", "bad-version", "options"};

struct traffic_options echogen_defaults(void)
{
    struct traffic_options o = {.seed = 1,
                                .count = 100000,
                                .rate_pps = 1000000,
                                .gaps = TRAFFIC_POISSON,
                                .sizes = TRAFFIC_FIXED,
                                .min_frame = TRAFFIC_MIN_FRAME,
                                .max_frame = TRAFFIC_MAX_FRAME};
    o.fraction[ECHOGEN_OTHER_PORT] = 10000;
    o.fraction[ECHOGEN_LOOP] = 5000;
    o.fraction[ECHOGEN_BAD_CHECKSUM] = 5000;
    return o;
}

uint32_t echogen_frame(const struct echogen *g, uint8_t *frame, uint32_t length, uint32_t kind,
                       struct rng *rng)
{
    static const enum pktgen_kind ipv4_kinds[ECHOGEN_KINDS + 1] = {
        PKTGEN_KINDS,       PKTGEN_KINDS,   PKTGEN_BAD_CHECKSUM, PKTGEN_BAD_LENGTH,
        PKTGEN_BAD_VERSION, PKTGEN_OPTIONS, PKTGEN_KINDS};
    length = pktgen_frame(frame, length, ipv4_kinds[kind], SERVER, rng);
    uint8_t *ip = frame + ECHO_ETHERNET_BYTES, *udp = ip + 4 * (ip[IPV4_VERSION_IHL] & 15u);
    uint32_t source = CLIENT_PORTS + rng_below(rng, 65536 - CLIENT_PORTS), port = g->port;
    if (kind == ECHOGEN_OTHER_PORT)
        port = port == 65535 ? 1 : port + 1;
    write_be16(udp, kind == ECHOGEN_LOOP ? port : source == port ? source - 1 : source);
    write_be16(udp + 2, port);
    return length;
}

static uint32_t make_frame(void *user, struct traffic_file *t, uint32_t kind, uint8_t *frame,
                           struct error *err)
{
    (void)err;
    return echogen_frame(user, frame, traffic_frame_length(t), kind, &t->rng);
}

struct echogen *echogen_create(uint32_t port)
{
    struct echogen *g = ALLOC(struct echogen);
    g->port = port ? port : ECHO_PORT;
    g->source = (struct traffic_source){.kinds = kind_names,
                                        .n_kinds = ECHOGEN_KINDS,
                                        .sized = true,
                                        .frame = make_frame,
                                        .user = g};
    return g;
}

void echogen_destroy(struct echogen *g)
{
    free(g);
}

const struct traffic_source *echogen_source(const struct echogen *g)
{
    return &g->source;
}
