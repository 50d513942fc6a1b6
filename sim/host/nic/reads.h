/* The reads of the NIC from device memory: result records, frames, and the last word of an entry
 * whose signal takes another link. Owner: reads.c. */
#ifndef EVGPU_HOST_NIC_READS_H
#define EVGPU_HOST_NIC_READS_H

#include "sim/host/nic.h"

#define NIC_MAX_READS 256u /* the most tags a link can have */

/* Something to be read, in pieces. */
struct job {
    uint8_t *into;
    uint64_t address;
    uint32_t bytes;
    uint32_t entry;
    uint32_t *left; /* bytes still to come, of this job and its like; NULL: the entry's */
};

struct read_entry {
    uint8_t *into;
    uint32_t *left;
    uint32_t entry;
};

struct reads {
    struct job *jobs;
    uint32_t jobs_size, jobs_head, jobs_count;
    struct read_entry under_way[NIC_MAX_READS]; /* by tag */
    uint32_t free[NIC_MAX_READS];
    uint32_t n_free;
    uint32_t *pending;  /* [config.entries]: bytes still to come for the entry */
    uint32_t push_word; /* where the reads of reads_push leave their data */
};

void reads_init(struct nic *n);
void reads_free(struct nic *n);

void reads_add(struct nic *n, const struct job *job);
void reads_run(struct nic *n, uint64_t cycle); /* hands jobs to the link as far as it takes them */

/* Reads the last word written for the entry; behind it in posted order, so that the answer means
 * that all has arrived. */
void reads_push(struct nic *n, uint64_t cycle, uint32_t entry);
uint32_t reads_pending(const struct nic *n, uint32_t entry); /* bytes still to come for it */
void reads_close(struct nic *n);

/* As pcie_endpoint.deliver_completion. */
void reads_deliver(void *user, uint64_t cycle, const struct pcie_completion *completion);

#endif
