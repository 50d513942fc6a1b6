/* A program's requests. */
#include <stdlib.h>

#include "sim/guest/program/program_internal.h"
#include "sw/cuda/socket.h"

/* A request with its payload; false when the channel is closed or speaks another language. */
bool channel_request(struct host_thread *t)
{
    struct wire_request *r = &t->request;
    free(t->payload);
    t->payload = NULL;
    if (!socket_read(t->fd, r, sizeof *r) || r->magic != WIRE_MAGIC || r->version != WIRE_VERSION ||
        r->payload >= WIRE_MAX_PAYLOAD)
        return false;
    if (!r->payload)
        return true;
    t->payload = malloc((size_t)r->payload + 1);
    if (!t->payload)
        return false;
    t->payload[r->payload] = 0;
    return socket_read(t->fd, t->payload, r->payload);
}
