/* The entries of the event's queue: what lies in each, how far it has come, and the completion
 * queue in the NIC's memory that says when its event is done (EDGE III-B, Figure 8). Owner:
 * entries.c. */
#ifndef EVGPU_HOST_NIC_ENTRIES_H
#define EVGPU_HOST_NIC_ENTRIES_H

#include "sim/host/nic.h"
#include "sw/edge/edge_device.h"

/* Life of an entry, as far as the NIC's own work goes. */
enum entry_state {
    ENTRY_FREE,
    ENTRY_FILLING,
    ENTRY_PUSHED,   /* signal on another link: until a read says that the data have arrived */
    ENTRY_LAUNCHED, /* signalled; its done flag may come */
    ENTRY_RESULTS,  /* result records being read */
    ENTRY_FRAMES,   /* forwarded frames being read */
    ENTRY_READ,     /* waits for its turn to be sent */
    ENTRY_EMPTYING  /* until nic_emptied */
};

struct entry {
    enum entry_state state;
    bool filling;       /* packets still come, although it has been signalled */
    uint32_t batch;     /* index of the nic_batch */
    uint32_t signalled; /* packets that its signal has said */
};

struct entries {
    struct nic_entry *buffers; /* [config.entries], as given */
    struct edge_device ring;
    uint32_t *flags;
    struct entry *entry;
    uint32_t *packets; /* [config.entries][layout.batch] packet numbers */
    struct nic_batch *batches;
    uint32_t n_batches, batches_capacity;
    uint32_t in_flight; /* entries not free */
    uint64_t signalled, partial, bad_completions;
    uint64_t told; /* NIC_RETURN_WORDS: completions that have come */
};

void entries_init(struct nic *n);
void entries_free(struct nic *n);

/* Takes the entry at the head for a new batch; false when it is not free. */
bool entries_open(struct nic *n, uint64_t first_arrival, uint32_t *entry);

/* The packet is number `index` of the entry's batch. */
void entries_add(struct nic *n, uint32_t entry, uint32_t index, uint32_t packet);
void entries_filled(struct nic *n, uint32_t entry, uint64_t cycle); /* no more come */
void entries_counted(struct nic *n, uint32_t entry, uint32_t count);
void entries_signalled(struct nic *n, uint32_t entry, uint64_t cycle);
/* Signalled before its data: they follow, then it has `count` packets. */
void entries_follow(struct nic *n, uint32_t entry);
void entries_followed(struct nic *n, uint32_t entry, uint32_t count, uint64_t cycle);
void entries_move(struct nic *n, uint32_t entry, enum entry_state state);

/* The next entry whose event is done; false: none. */
bool entries_complete(struct nic *n, uint32_t *entry);
bool entries_aborted(const struct nic *n, uint32_t entry); /* ... by the driver */

/* Result records to be read: of all packets, or, where words are taken, also of those that the
 * signal has promised and that have not come. */
uint32_t entries_results(const struct nic *n, uint32_t entry);

/* NIC_RETURN_WORDS: all results of the entry that is next are here, so that its event is done. */
void entries_answered(struct nic *n, uint32_t entry, uint64_t cycle);
bool entries_filling(const struct nic *n, uint32_t entry); /* its packets still come */
bool entries_untold(const struct nic *n); /* completions that are only counted are to come */

/* The entry's frames have been sent: it is emptied, then free. */
void entries_sent(struct nic *n, uint32_t entry, uint64_t cycle);
void entries_close(struct nic *n);

enum entry_state entries_state(const struct nic *n, uint32_t entry);
const struct nic_batch *entries_batch(const struct nic *n, uint32_t entry);
const struct nic_entry *entries_buffers(const struct nic *n, uint32_t entry);
uint32_t entries_packet(const struct nic *n, uint32_t entry, uint32_t index);
uint32_t entries_in_flight(const struct nic *n);
void entries_stats(const struct nic *n, struct nic_stats *stats);

/* A write to the completion queue, as pcie_endpoint.deliver_write. */
bool entries_deliver_write(void *user, uint64_t cycle, const struct pcie_write *write);

#endif
