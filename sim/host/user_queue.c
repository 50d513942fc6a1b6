#include "sim/host/user_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MOST 65536u /* packets, signals */

struct user_queue {
    struct user_queue_config config;
    uint8_t *ring;          /* in host memory; NULL: in the GPU's */
    uint64_t write, read;   /* packets */
    const uint8_t *pending; /* a packet in the GPU's memory whose doorbell is still to be rung */
    bool told_full;
    struct user_queue_stats stats;
};

struct user_queue *user_queue_create(const struct user_queue_config *config, struct error *err)
{
    uint32_t n = config->packets;
    if (!n || n > MOST || (n & (n - 1))) {
        error_set(
            err,
            "user-level queue: the number of packets is %u; it must be a power of two up to %u", n,
            MOST);
        return NULL;
    }
    if (config->signals > MOST) {
        error_set(err, "user-level queue: the number of signals is %u; it must be at most %u",
                  config->signals, MOST);
        return NULL;
    }
    struct user_queue *q = ALLOC(struct user_queue);
    q->config = *config;
    if (!config->device_ring)
        q->ring = ALLOC_ARRAY(uint8_t, (size_t)n * AQL_PACKET_BYTES);
    for (uint32_t i = 0; q->ring && i < n; i++)
        q->ring[(size_t)i * AQL_PACKET_BYTES] = AQL_INVALID;
    return q;
}

void user_queue_destroy(struct user_queue *q)
{
    if (!q)
        return;
    free(q->ring);
    free(q);
}

/* --- the GPU's side of the window --------------------------------------------------------------
 */

static bool on_write(void *user, uint64_t cycle, const struct pcie_write *write)
{
    struct user_queue *q = *(struct user_queue **)user;
    uint64_t offset = write->address - q->config.window;
    uint64_t signal = (offset - USER_QUEUE_SIGNALS) / AQL_SIGNAL_BYTES;
    uint64_t value = 0;
    bool whole = write->bytes == AQL_INDEX_BYTES && offset % AQL_INDEX_BYTES == 0;

    if (whole)
        value = aql_get(write->data, AQL_INDEX_BYTES);
    if (whole && offset == USER_QUEUE_READ_INDEX && value > q->read && value <= q->write) {
        q->read = value;
    } else if (whole && offset >= USER_QUEUE_SIGNALS && signal < q->config.signals) {
        q->stats.refused += value != 0;
        q->config.signalled(q->config.user, cycle, (uint32_t)signal);
    } else {
        q->stats.bad_writes++;
    }
    return true;
}

static void on_read(void *user, uint64_t cycle, const struct pcie_read *read)
{
    struct user_queue *q = *(struct user_queue **)user;
    uint64_t offset = read->address - q->config.window;
    uint64_t bytes = q->ring ? (uint64_t)q->config.packets * AQL_PACKET_BYTES : 0;
    uint8_t data[4096] = {0};

    if (offset < bytes && read->bytes <= bytes - offset)
        memcpy(data, q->ring + offset, read->bytes);
    pcie_complete(q->config.link, cycle, read->handle, data);
}

void user_queue_endpoint(struct pcie_endpoint *endpoint, struct user_queue **queue)
{
    endpoint->user = queue;
    endpoint->deliver_write = on_write;
    endpoint->deliver_read = on_read;
    endpoint->deliver_completion = NULL;
}

/* --- the producer ------------------------------------------------------------------------------
 */

static bool write_gpu(struct user_queue *q, uint64_t cycle, uint8_t bar, uint64_t address,
                      const uint8_t *data, uint32_t bytes)
{
    struct pcie_write write = {.address = address,
                               .data = data,
                               .bytes = bytes,
                               .from = q->config.host,
                               .to = q->config.gpu,
                               .bar = bar};
    return pcie_write(q->config.link, cycle, &write);
}

/* The packet itself; once. */
static bool put_packet(struct user_queue *q, uint64_t cycle, const uint8_t *packet)
{
    uint64_t at = (q->write & (q->config.packets - 1)) * AQL_PACKET_BYTES;
    if (q->pending)
        return q->pending == packet;
    if (q->ring) {
        memcpy(q->ring + at, packet, AQL_PACKET_BYTES);
        return true;
    }
    if (!write_gpu(q, cycle, PCIE_BAR_MEMORY, q->config.device_ring + at, packet, AQL_PACKET_BYTES))
        return false;
    q->pending = packet;
    return true;
}

bool user_queue_push(struct user_queue *q, uint64_t cycle, const uint8_t *packet)
{
    uint8_t index[AQL_INDEX_BYTES];
    if (q->write - q->read == q->config.packets) {
        q->stats.full += !q->told_full;
        q->told_full = true;
        return false;
    }
    aql_put(index, q->write, sizeof index);
    if (!put_packet(q, cycle, packet) ||
        !write_gpu(q, cycle, PCIE_BAR_QUEUE, q->config.doorbell, index, sizeof index))
        return false;
    q->pending = NULL;
    q->told_full = false;
    q->write++;
    q->stats.packets++;
    return true;
}

void user_queue_get_stats(const struct user_queue *q, struct user_queue_stats *stats)
{
    *stats = q->stats;
}
