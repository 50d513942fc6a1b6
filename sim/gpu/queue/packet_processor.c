#include "sim/gpu/queue/packet_processor.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/queue/packet_processor_internal.h"

struct packet_processor *pp_create(const struct pp_env *env)
{
    struct packet_processor *p = ALLOC(struct packet_processor);
    p->env = *env;
    p->queues = ALLOC_ARRAY(struct queue, PP_QUEUES);
    p->waits = ALLOC_ARRAY(struct waiting, PP_WAITS);
    for (uint32_t i = 0; i < PP_READS; i++)
        p->free_reads[p->n_free_reads++] = PP_READS - 1 - i;
    p->next = PP_NEVER;
    return p;
}

void pp_destroy(struct packet_processor *p)
{
    if (!p)
        return;
    free(p->queues);
    free(p->waits);
    free(p->flights);
    free(p->posted);
    free(p);
}

bool pp_add_queue(struct packet_processor *p, const struct pp_queue *queue, uint32_t *number)
{
    uint32_t n = queue->packets;
    if (p->n_queues == PP_QUEUES || !n || n > PP_MAX_PACKETS || (n & (n - 1)) ||
        queue->ring % AQL_PACKET_BYTES ||
        !p->env.valid(p->env.user, queue->owner, queue->ring, n * AQL_PACKET_BYTES, true) ||
        (queue->read_index &&
         !p->env.valid(p->env.user, queue->owner, queue->read_index, AQL_INDEX_BYTES, false)))
        return false;
    *number = p->n_queues;
    p->queues[p->n_queues++] = (struct queue){.with = *queue};
    return true;
}

/* --- reads and writes --------------------------------------------------------------------------
 */

bool pp_start_read(struct packet_processor *p, uint64_t address, uint32_t bytes,
                   const struct pp_read *read)
{
    if (!p->n_free_reads)
        return false;
    uint32_t tag = p->free_reads[p->n_free_reads - 1];
    if (!p->env.read(p->env.user, address, bytes, tag))
        return false;
    p->n_free_reads--;
    p->reads[tag] = *read;
    return true;
}

static void send_posted(struct packet_processor *p, uint64_t cycle)
{
    uint32_t sent = 0;
    while (sent < p->n_posted) {
        const struct posted *w = &p->posted[sent];
        uint8_t data[AQL_SIGNAL_BYTES];
        aql_put(data, w->value, w->bytes);
        if (!p->env.write(p->env.user, w->address, data, w->bytes))
            break;
        sent++;
    }
    p->n_posted -= sent;
    memmove(p->posted, p->posted + sent, p->n_posted * sizeof *p->posted);
    if (p->n_posted)
        pp_wake(p, cycle + 1);
}

void pp_post(struct packet_processor *p, uint64_t cycle, uint64_t address, uint64_t value,
             uint32_t bytes)
{
    ARRAY_RESERVE(p->posted, p->n_posted, p->cap_posted);
    p->posted[p->n_posted++] = (struct posted){address, value, bytes};
    pp_wake(p, cycle);
}

void pp_send(struct packet_processor *p, uint64_t cycle, uint64_t address, uint32_t value)
{
    pp_post(p, cycle, address, value, sizeof value);
}

/* --- doorbells ---------------------------------------------------------------------------------
 */

void pp_doorbell(struct packet_processor *p, uint64_t cycle, uint64_t offset, uint32_t bytes,
                 uint16_t requester, uint64_t value)
{
    uint64_t number = offset / AQL_DOORBELL_PAGE;
    struct queue *q = number < p->n_queues ? &p->queues[number] : NULL;
    p->stats.doorbells++;
    if (!q || offset % AQL_DOORBELL_PAGE || bytes != AQL_INDEX_BYTES ||
        requester != q->with.requester || value < q->announced ||
        value - q->read >= q->with.packets) {
        p->stats.bad_doorbells++;
        return;
    }
    q->announced = value + 1;
    q->rung = cycle;
    pp_wake(p, cycle);
}

/* --- a queue -----------------------------------------------------------------------------------
 */

/* Reads what has been announced and finds room in the buffer, up to the end of the ring. */
static void fetch(struct packet_processor *p, struct queue *q, uint64_t cycle)
{
    uint64_t at = q->fetched & (q->with.packets - 1), count = q->announced - q->fetched;
    uint64_t room = PP_PREFETCH - (q->fetched - q->read), left = q->with.packets - at;
    if (q->fetching)
        return;
    count = count < room ? count : room;
    count = count < left ? count : left;
    if (!count)
        return;
    struct pp_read read = {
        .kind = READ_PACKETS, .who = (uint32_t)(q - p->queues), .detail = (uint32_t)count};
    q->fetching = pp_start_read(p, q->with.ring + at * AQL_PACKET_BYTES,
                                (uint32_t)count * AQL_PACKET_BYTES, &read);
    p->stats.fetches += q->fetching;
    if (!q->fetching)
        pp_wake(p, cycle + 1);
}

static uint8_t *first_packet(struct queue *q)
{
    return q->buffer[q->read % PP_PREFETCH];
}

/* The packet at the head is through: launched, complete or refused. */
static void take(struct packet_processor *p, struct queue *q, uint64_t cycle)
{
    q->read++;
    q->state = PACKET_NONE;
    p->stats.packets++;
    if (q->with.read_index)
        pp_post(p, cycle, q->with.read_index, q->read, AQL_INDEX_BYTES);
}

static void refuse(struct packet_processor *p, struct queue *q, uint64_t cycle,
                   enum pp_defect defect)
{
    const uint8_t *packet = first_packet(q);
    uint64_t signal = aql_get(packet + AQL_SIGNAL, 8);
    bool known = aql_type(packet) == AQL_DISPATCH || aql_type(packet) == AQL_BARRIER_AND;
    p->stats.defects[defect]++;
    if (known && signal && signal % AQL_SIGNAL_BYTES == 0 &&
        p->env.valid(p->env.user, q->with.owner, signal, AQL_SIGNAL_BYTES, false))
        pp_post(p, cycle, signal, PP_REFUSED, AQL_SIGNAL_BYTES);
    take(p, q, cycle);
}

/* The decoder has looked at all of it. */
static void decoded(struct packet_processor *p, struct queue *q, uint64_t cycle)
{
    enum pp_defect defect = pp_find_defect(p, q->with.owner, first_packet(q));
    if (defect != PP_DEFECTS)
        refuse(p, q, cycle, defect);
    else
        q->state = PACKET_ORDER;
}

/* False: it waits for its queue's kernels. */
static bool in_order(struct queue *q)
{
    const uint8_t *packet = first_packet(q);
    if (aql_barrier(packet) && q->running)
        return false;
    q->depend = 0;
    q->until = 0;
    q->state = aql_type(packet) == AQL_DISPATCH ? PACKET_KERNEL : PACKET_DEPEND;
    return true;
}

static struct flight *new_flight(struct packet_processor *p, uint32_t *number)
{
    if (p->free_flight) {
        *number = p->free_flight - 1;
        p->free_flight = p->flights[*number].next;
        return &p->flights[*number];
    }
    ARRAY_RESERVE(p->flights, p->n_flights, p->cap_flights);
    *number = p->n_flights++;
    return &p->flights[*number];
}

/* False: kernel management has no room. */
static bool launch(struct packet_processor *p, struct queue *q, uint64_t cycle)
{
    struct aql_dispatch d = aql_read_dispatch(first_packet(q));
    uint32_t number;
    struct flight *f = new_flight(p, &number);
    *f = (struct flight){
        .signal = d.signal, .index = q->read, .rung = q->rung, .queue = (uint32_t)(q - p->queues)};
    enum pp_launched how = p->env.launch(p->env.user, &q->with, &d, number);
    if (how != PP_LAUNCHED) {
        p->flights[number].next = p->free_flight;
        p->free_flight = number + 1;
    }
    if (how == PP_NO_ROOM)
        return false;
    if (how != PP_LAUNCHED) {
        refuse(p, q, cycle, how == PP_OUTSIDE ? PP_BAD_ADDRESS : PP_TOO_LARGE);
        return true;
    }
    q->running++;
    p->stats.kernels++;
    take(p, q, cycle);
    return true;
}

/* A barrier goes through its signals; false: it waits. */
static bool depend(struct packet_processor *p, struct queue *q, uint64_t cycle)
{
    const uint8_t *packet = first_packet(q);
    uint64_t signal = 0;
    while (q->depend < AQL_BARRIER_DEPEND &&
           !(signal = aql_get(packet + AQL_DEPEND + AQL_SIGNAL_BYTES * q->depend, 8)))
        q->depend++;
    if (q->depend == AQL_BARRIER_DEPEND) {
        uint64_t complete = aql_get(packet + AQL_SIGNAL, 8);
        if (complete)
            pp_post(p, cycle, complete, 0, AQL_SIGNAL_BYTES);
        take(p, q, cycle);
        return true;
    }
    struct pp_read read = {.kind = READ_DEPEND, .who = (uint32_t)(q - p->queues)};
    if (q->until > cycle) {
        pp_wake(p, q->until);
        return false;
    }
    if (pp_start_read(p, signal, AQL_SIGNAL_BYTES, &read))
        q->state = PACKET_ANSWER;
    else
        pp_wake(p, cycle + 1);
    return false;
}

static bool read_kernel(struct packet_processor *p, struct queue *q, uint64_t cycle)
{
    struct pp_read read = {.kind = READ_KERNEL, .who = (uint32_t)(q - p->queues)};
    uint64_t object = aql_get(first_packet(q) + AQL_KERNEL, 8);
    if (pp_start_read(p, object, AQL_PACKET_BYTES, &read))
        q->state = PACKET_ANSWER;
    else
        pp_wake(p, cycle + 1);
    return false;
}

static bool to_decoder(struct packet_processor *p, struct queue *q, uint64_t cycle)
{
    if (q->fetched == q->read)
        return false;
    if (p->decoder_free > cycle) {
        pp_wake(p, p->decoder_free);
        return false;
    }
    q->state = PACKET_DECODE;
    q->until = p->decoder_free = cycle + p->env.decode;
    p->stats.decoding += p->env.decode;
    p->turn = (uint32_t)(q - p->queues) + 1;
    return true;
}

/* One step of the packet at the head; false: it waits. */
static bool step(struct packet_processor *p, struct queue *q, uint64_t cycle)
{
    switch (q->state) {
    case PACKET_NONE:
        return to_decoder(p, q, cycle);
    case PACKET_DECODE:
        if (q->until > cycle) {
            pp_wake(p, q->until);
            return false;
        }
        decoded(p, q, cycle);
        return true;
    case PACKET_ORDER:
        return in_order(q);
    case PACKET_KERNEL:
        return read_kernel(p, q, cycle);
    case PACKET_LAUNCH:
        if (launch(p, q, cycle))
            return true;
        pp_wake(p, cycle + 1);
        return false;
    case PACKET_DEPEND:
        return depend(p, q, cycle);
    default:
        return false;
    }
}

void pp_tick(struct packet_processor *p, uint64_t cycle)
{
    p->next = PP_NEVER;
    uint32_t first = p->n_queues ? p->turn % p->n_queues : 0;
    for (uint32_t k = 0; k < p->n_queues; k++) {
        struct queue *q = &p->queues[(first + k) % p->n_queues];
        if (q->read == q->announced)
            continue;
        fetch(p, q, cycle);
        while (step(p, q, cycle))
            fetch(p, q, cycle);
    }
    if (p->n_waits)
        pp_waits_tick(p, cycle);
    if (p->n_posted)
        send_posted(p, cycle);
}

/* --- answers -----------------------------------------------------------------------------------
 */

static void take_packets(struct queue *q, uint32_t count, const uint8_t *data)
{
    for (uint32_t i = 0; i < count; i++)
        memcpy(q->buffer[q->fetched++ % PP_PREFETCH], data + (size_t)i * AQL_PACKET_BYTES,
               AQL_PACKET_BYTES);
    q->fetching = false;
}

/* A barrier's signal: 0, and the next one is looked at; otherwise it is read again. */
static void take_signal(struct packet_processor *p, struct queue *q, uint64_t cycle,
                        const uint8_t *data)
{
    bool over = aql_get(data, AQL_SIGNAL_BYTES) == 0;
    q->depend += over;
    q->until = over ? cycle : cycle + p->env.poll;
    q->state = PACKET_DEPEND;
}

void pp_data(struct packet_processor *p, uint64_t cycle, uint32_t tag, const uint8_t *data)
{
    struct pp_read read = p->reads[tag];
    p->reads[tag].kind = READ_FREE;
    p->free_reads[p->n_free_reads++] = tag;
    if (read.kind == READ_WORD) {
        pp_waits_data(p, cycle, read.who, data);
        return;
    }
    struct queue *q = &p->queues[read.who];
    if (read.kind == READ_PACKETS)
        take_packets(q, read.detail, data);
    else if (read.kind == READ_KERNEL)
        q->state = PACKET_LAUNCH;
    else
        take_signal(p, q, cycle, data);
    pp_wake(p, cycle + 1);
}

void pp_kernel_done(struct packet_processor *p, uint64_t cycle, uint64_t cookie,
                    const struct grid *grid)
{
    struct flight f = p->flights[cookie];
    struct queue *q = &p->queues[f.queue];
    p->flights[cookie].next = p->free_flight;
    p->free_flight = (uint32_t)cookie + 1;
    q->running--;
    if (f.signal)
        pp_post(p, cycle + 1, f.signal, 0, AQL_SIGNAL_BYTES);
    if (q->with.ended)
        q->with.ended(q->with.user, f.index, f.rung, grid);
    pp_wake(p, cycle + 1);
}

/* --- figures -----------------------------------------------------------------------------------
 */

uint64_t pp_next_event(const struct packet_processor *p)
{
    return p->next;
}

bool pp_busy(const struct packet_processor *p)
{
    for (uint32_t i = 0; i < p->n_queues; i++) {
        if (p->queues[i].read != p->queues[i].announced || p->queues[i].running)
            return true;
    }
    return p->n_waits || p->n_posted;
}

uint64_t pp_read_index(const struct packet_processor *p, uint32_t queue)
{
    return p->queues[queue].read;
}

void pp_get_stats(const struct packet_processor *p, struct pp_stats *stats)
{
    *stats = p->stats;
}
