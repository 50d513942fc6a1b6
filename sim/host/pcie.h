/* One PCIe link: two sides, one direction each way, several endpoints per side (the GPU on one
 * side, the NIC and the host behind the root complex on the other).
 *
 * Each endpoint has a finite send queue. Per direction the link takes packets (TLPs) from the send
 * queues of its side, round robin, as its bandwidth allows and as long as the receiver has credits;
 * a TLP arrives when its last byte has left the sender plus the one-way latency. TLPs arrive in the
 * order in which they were sent, which gives the ordering that devices rely on: writes never pass
 * writes, a read request and a completion push the earlier writes of their sender before them.
 * A write that its receiver refuses is offered again every cycle, and holds everything behind it;
 * nothing is lost. Reads are never refused: their number is bounded by the tags.
 *
 * Time is in core cycles, kept in integers; nanoseconds are rounded to the nearest cycle at
 * creation. Call pcie_tick in every cycle for which pcie_next_event(p) <= cycle; other cycles cost
 * nothing. */
#ifndef EVGPU_HOST_PCIE_H
#define EVGPU_HOST_PCIE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct pcie;

#define PCIE_MAX_ENDPOINTS 16u

struct pcie_config {
    uint32_t core_khz;
    uint64_t bytes_per_second[2]; /* [s]: direction that side s sends on; TLP headers included */
    uint32_t latency_ns;          /* one way, on top of the serialisation; at least one cycle */
    uint32_t max_payload;         /* bytes per TLP, power of two, 64..4096 */
    uint32_t header_bytes; /* per TLP, framing included (24 for PCIe 3 with 64-bit addresses) */
    uint32_t send_queue;   /* TLPs per endpoint, >= 4096 / max_payload */
    uint32_t credits;      /* TLPs sent and not yet accepted by the receiver, per direction */
    uint32_t read_tags;    /* outstanding reads per endpoint, 1..256 */
    uint32_t max_read;     /* bytes per read, 64..4096 */
};

/* Where an address lies at its endpoint (base address register). */
enum pcie_bar {
    PCIE_BAR_MEMORY = 0,   /* GPU: device memory; host: memory; NIC: completion queue */
    PCIE_BAR_DOORBELL = 1, /* GPU: doorbell pages */
    PCIE_BAR_COMMAND = 2,  /* GPU: driver commands */
    PCIE_BAR_POLLED = 3,   /* GPU: device memory, a word that kernels poll */
    PCIE_BAR_QUEUE = 4,    /* GPU: doorbell pages of user-level queues */
    PCIE_BAR_TAKEN = 5 /* GPU: memory with full/empty bits; a read of whole words waits until they
                        * are full, and empties them */
};

struct pcie_write {
    uint64_t address;
    const uint8_t *data; /* valid during the call; NULL: bulk (pcie_bulk) */
    uint32_t bytes;      /* 1..max_payload on delivery (bulk: 4096); up to 4096 when sent */
    uint32_t tag;        /* the sender's own; arrives unchanged */
    uint16_t rid;        /* requester id of the sender; set by the link */
    uint8_t from, to;    /* endpoints */
    uint8_t bar;         /* enum pcie_bar */
};

struct pcie_read {
    uint64_t address;
    uint32_t bytes;  /* 1..max_read */
    uint32_t tag;    /* the requester's own; comes back in the completions */
    uint32_t handle; /* names the read in pcie_complete; set by the link */
    uint16_t rid;
    uint8_t from, to;
    uint8_t bar;
};

/* One completion TLP. The pieces of one read arrive in order of `offset`. */
struct pcie_completion {
    const uint8_t *data; /* valid during the call */
    uint32_t offset, bytes;
    uint32_t tag;
    bool last;
};

struct pcie_endpoint {
    const char *name;
    uint8_t side; /* 0 or 1 */
    uint16_t rid; /* PCIe requester id */
    void *user;
    /* False: refused for now, offered again next cycle. NULL: nobody may write here. */
    bool (*deliver_write)(void *user, uint64_t cycle, const struct pcie_write *write);
    /* Answered by pcie_complete, now or later, in any order. NULL: nobody may read here. */
    void (*deliver_read)(void *user, uint64_t cycle, const struct pcie_read *read);
    /* NULL: this endpoint does not read. */
    void (*deliver_completion)(void *user, uint64_t cycle,
                               const struct pcie_completion *completion);
};

struct pcie_direction_stats {
    uint64_t tlps, bytes; /* bytes with headers */
    uint64_t writes, write_bytes, reads, completions, completion_bytes;
    uint64_t refused_cycles; /* cycles in which the receiver refused the write at the front */
    uint64_t credit_stalls;  /* TLPs that waited for a credit with the wire free */
};

struct pcie *pcie_create(const struct pcie_config *config, struct error *err);
void pcie_destroy(struct pcie *p);

/* Returns the endpoint's number, or -1. Attach before the first transfer. */
int pcie_attach(struct pcie *p, const struct pcie_endpoint *endpoint, struct error *err);

/* Sends a posted write, cut into TLPs of max_payload. False when the send queue has no room for all
 * of it; nothing was sent then. The data are copied. `from` and `to` are on opposite sides. */
bool pcie_write(struct pcie *p, uint64_t cycle, const struct pcie_write *write);

/* Sends the TLPs of a posted write whose data the caller moves by other means: they occupy the link
 * as those of pcie_write do, and arrive as one write without data when the last one has. False when
 * the send queue is full. */
bool pcie_bulk(struct pcie *p, uint64_t cycle, const struct pcie_write *write);

/* Sends a read request. False when the endpoint has no free tag or no room in its queue. */
bool pcie_read(struct pcie *p, uint64_t cycle, const struct pcie_read *read);

/* The answer of the endpoint that was read: all of the read's bytes. Always taken. */
void pcie_complete(struct pcie *p, uint64_t cycle, uint32_t handle, const void *data);

/* One cycle. Never goes back in time. */
void pcie_tick(struct pcie *p, uint64_t cycle);

/* The next cycle in which pcie_tick has something to do; CYCLE_NEVER (sim/host/rate.h) when idle.
 */
uint64_t pcie_next_event(const struct pcie *p);

/* Nothing queued, in flight, or waiting for an answer. */
bool pcie_idle(const struct pcie *p);

uint32_t pcie_max_read(const struct pcie *p);
/* The endpoint takes reads, or writes. */
bool pcie_serves(const struct pcie *p, uint8_t endpoint, bool read);
uint32_t pcie_max_payload(const struct pcie *p);
uint64_t pcie_latency(const struct pcie *p); /* one way, cycles */
/* TLPs that the endpoint has handed over and that have not begun to leave, answers apart. */
uint32_t pcie_queued(const struct pcie *p, uint8_t endpoint);
/* Bytes so far, with headers, that came from or went to the endpoint. */
uint64_t pcie_bytes_of(const struct pcie *p, uint8_t endpoint);
void pcie_stats(const struct pcie *p, uint32_t side, struct pcie_direction_stats *stats);

#endif
