/* FR-FCFS with a cap on row hits (hit_cap, 1 or more).
 *
 * When hit_cap requests have been started in an open row past an older request for another row of
 * that bank, requests younger than that one may not start in this row any more. The count starts
 * anew when the row is closed.
 *
 * Against starvation by other banks or by the other direction of the bus: when the oldest request
 * of the queue has been passed by 4 * hit_cap * banks others since it became the oldest, it is
 * urgent: no other request is started before it has left the queue, and classes do not count. */
#include "sim/mem/dram/dram_internal.h"
#include "sim/mem/dram/scheduler.h"

static bool check(const struct dram_config *c, struct error *err)
{
    return c->hit_cap || error_set(err, "dram hit_cap = 0: must be 1 or more with scheduler "
                                        "fr-fcfs-cap; scheduler fr-fcfs has no cap");
}

static void update(struct dram *d)
{
    bool urgent = d->passed_oldest >= (uint64_t)4 * d->config.hit_cap * d->config.banks;
    if (urgent != d->urgent) {
        d->urgent = urgent;
        d->stale |= d->busy;
    }
}

static bool keeps_row(const struct dram *d, uint32_t s, bool past)
{
    const struct slot *e = &d->slot[s];
    if (past && d->passed[e->bank] >= d->config.hit_cap)
        return false;
    const struct slot *oldest = &d->slot[d->oldest];
    return !d->urgent || s == d->oldest || oldest->bank != e->bank || oldest->row == e->row;
}

static bool may_start(const struct dram *d, uint32_t s)
{
    return !d->urgent || s == d->oldest;
}

const struct dram_scheduler dram_scheduler_fr_fcfs_cap = {
    .name = "fr-fcfs-cap",
    .check = check,
    .update = update,
    .keeps_row = keeps_row,
    .may_start = may_start,
};
