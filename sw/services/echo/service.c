/* The service `echo`: every UDP datagram to its port goes back to its sender (RFC 862). */
#include "sw/services/common/service.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/echo/echo_reference.h"
#include "sw/services/echo/echogen.h"

struct echo_inputs {
    uint32_t port; /* 0: any */
    struct echogen *generator;
};

/* Kernel values. */
enum { PORT };

/* The reference needs no state beside the service's inputs. */
static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    (void)err;
    const struct echo_inputs *in = inputs;
    tables->value[PORT] = in->port;
    struct echo_inputs *state = ALLOC(struct echo_inputs);
    *state = *in;
    return state;
}

static void expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    const struct echo_inputs *in = state;
    packet_want_result(want, echo_reference(want->frame, packet->length, in->port));
}

static const uint8_t arguments[] = {PACKET_SLOTS, PACKET_SLOT_BYTES, PACKET_COUNT,
                                    PACKET_VALUE + PORT, PACKET_RESULTS};

static const struct packet_kind answers = {.file = "echo",
                                           .kernel = "echo",
                                           .block_kernel = "echo",
                                           .persistent = "echo_persistent",
                                           .threads_per_packet = 1,
                                           .arguments = arguments,
                                           .n_arguments = sizeof arguments,
                                           .verdicts = ECHO_VERDICTS,
                                           .forward = 1u << ECHO_ANSWERED,
                                           .verdict_name = echo_verdict_name,
                                           .create = create,
                                           .destroy = free,
                                           .expect = expect};

/* --- settings -----------------------------------------------------------------------------------
 */

enum { UDP_PORT };

static const struct setting_row settings[] = {
    [UDP_PORT] = {.key = "udp_port",
                  .type = SETTING_NUMBER,
                  .unit = "N",
                  .help = "UDP port of the server; 0: any",
                  .most = 65535,
                  .usual = 7},
    {.key = NULL}};

static void release(void *inputs)
{
    struct echo_inputs *in = inputs;
    echogen_destroy(in->generator);
    free(in);
}

static void *prepare(const struct service_input *input, struct error *err)
{
    (void)err;
    struct echo_inputs *in = ALLOC(struct echo_inputs);
    in->port = (uint32_t)input->values[UDP_PORT].number;
    in->generator = echogen_create(in->port);
    return in;
}

static const struct traffic_source *traffic(const void *inputs, struct traffic_options *usual)
{
    const struct echo_inputs *in = inputs;
    *usual = echogen_defaults();
    return echogen_source(in->generator);
}

const struct event_service echo_service = {
    .name = "echo",
    .summary = "an event kernel sends UDP datagrams back to their senders",
    .settings = settings,
    .kinds = {&answers},
    .filter = {"IPv4", ECHO_ETHERTYPE, false},
    .rate = SERVICE_RATE,
    .prepare = prepare,
    .release = release,
    .traffic = traffic};
