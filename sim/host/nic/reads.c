#include "sim/host/nic/reads.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

void reads_init(struct nic *n)
{
    const struct nic_config *c = &n->config;
    struct reads *r = &n->reads;

    /* Per entry: its push or results, then its frames, of two parts each where words are taken. */
    uint32_t parts = c->returns == NIC_RETURN_WORDS ? 2 : 1;
    r->jobs_size = c->entries * c->layout.batch * parts + c->entries;
    r->jobs = ALLOC_ARRAY(struct job, r->jobs_size);
    r->pending = ALLOC_ARRAY(uint32_t, c->entries);
    r->n_free = NIC_MAX_READS;
    for (uint32_t i = 0; i < NIC_MAX_READS; i++)
        r->free[i] = NIC_MAX_READS - 1 - i;
}

void reads_free(struct nic *n)
{
    free(n->reads.jobs);
    free(n->reads.pending);
}

void reads_add(struct nic *n, const struct job *job)
{
    struct reads *r = &n->reads;

    struct job *added = &r->jobs[(r->jobs_head + r->jobs_count++) % r->jobs_size];

    *added = *job;
    if (!added->left)
        added->left = &r->pending[job->entry];
    *added->left += job->bytes;
}

uint32_t reads_pending(const struct nic *n, uint32_t entry)
{
    return n->reads.pending[entry];
}

void reads_run(struct nic *n, uint64_t cycle)
{
    struct reads *r = &n->reads;
    uint32_t max = pcie_max_read(n->config.gpu_link);
    uint8_t bar = n->config.returns == NIC_RETURN_WORDS ? PCIE_BAR_TAKEN : PCIE_BAR_MEMORY;

    while (r->jobs_count) {
        struct job *job = &r->jobs[r->jobs_head];
        uint32_t bytes = job->bytes < max ? job->bytes : max;
        uint32_t tag = r->n_free ? r->free[r->n_free - 1] : 0;
        struct pcie_read read = {.address = job->address,
                                 .bytes = bytes,
                                 .tag = tag,
                                 .from = n->config.self,
                                 .to = n->config.gpu,
                                 .bar = bar};

        if (!r->n_free || !pcie_read(n->config.gpu_link, cycle, &read)) {
            nic_wait_for_link(n, n->config.gpu_link, cycle);
            return;
        }
        r->n_free--;
        r->under_way[tag] = (struct read_entry){job->into, job->left, job->entry};
        job->into += bytes;
        job->address += bytes;
        job->bytes -= bytes;
        if (job->bytes == 0) {
            r->jobs_head = r->jobs_head + 1 == r->jobs_size ? 0 : r->jobs_head + 1;
            r->jobs_count--;
        }
    }
}

void reads_push(struct nic *n, uint64_t cycle, uint32_t entry)
{
    struct job job = {.into = (uint8_t *)&n->reads.push_word,
                      .address = entries_buffers(n, entry)->count,
                      .bytes = sizeof n->reads.push_word,
                      .entry = entry};

    entries_move(n, entry, ENTRY_PUSHED);
    reads_add(n, &job);
    reads_run(n, cycle);
}

/* All that was to be read for the entry is here. */
static void entry_read(struct nic *n, uint32_t entry)
{
    switch (entries_state(n, entry)) {
    case ENTRY_PUSHED:
        fill_arrived(n, entry);
        break;
    case ENTRY_RESULTS:
        send_results_read(n, entry);
        if (n->reads.pending[entry] == 0)
            entries_move(n, entry, ENTRY_READ);
        break;
    default:
        entries_move(n, entry, ENTRY_READ);
        break;
    }
}

void reads_deliver(void *user, uint64_t cycle, const struct pcie_completion *completion)
{
    struct nic *n = *(struct nic **)user;
    struct reads *r = &n->reads;
    const struct read_entry *read = &r->under_way[completion->tag];

    memcpy(read->into + completion->offset, completion->data, completion->bytes);
    *read->left -= completion->bytes;
    if (completion->last)
        r->free[r->n_free++] = completion->tag;
    if (agenda_closed(&n->agenda))
        return;
    bool complete = *read->left == 0;

    if (complete && n->config.returns == NIC_RETURN_ENTRY)
        entry_read(n, read->entry);
    if (complete || r->jobs_count)
        nic_wake(n, cycle);
}

void reads_close(struct nic *n)
{
    n->reads.jobs_count = 0;
}
