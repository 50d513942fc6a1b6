/* Commands of one DRAM channel: what every scheduler (scheduler.h) shares.
 *
 * Address: row number r = address / row_bytes; bank = r % banks, row = r / banks. So addresses are
 * sequential within a row, and consecutive rows lie in consecutive banks. Open page: a row stays
 * open until another row of its bank is wanted or a refresh is due.
 *
 * Queue: `queue` requests, reads and writes together, in order of arrival. A request consists of
 * bytes / column_bytes column commands, issued in order of address. It leaves the queue when its
 * last column command is issued, and is complete when the last data of it has been transferred:
 * dram_pop gives it after the tick of that cycle.
 *
 * Command bus: at most one command per cycle. In each cycle:
 *  1. A refresh falls due every `refi` cycles (n * refi, whatever the delay of the one before).
 *     While one is due only it is served: open banks are precharged as soon as each allows it,
 *     lowest bank first, then REF is issued when tRP and tRC of every bank have passed.
 *  2. Column commands. A request is ready when its row is open, RD or WR is legal in this cycle,
 * and the scheduler lets it start, or it has started. The oldest ready request goes.
 *  3. Row commands. The oldest request of each bank gets its row: ACT if the bank is closed; PRE if
 *     another row is open and the scheduler keeps that for no request in the queue. Of the legal
 *     ones, the one of the oldest request goes.
 *  4. One exception to "2 before 3", with act_first: in the first cycle that tRRD allows it, an ACT
 * goes before a column command that the channel (tCCD, turnaround, data bus) would have allowed in
 * an earlier cycle. The data bus has a gap there anyway, and activations keep the pace of tRRD.
 *
 * Order: a request is not started before every older one that overlaps its addresses, and of which
 * it or the other is a write, has issued its last column command. So a read after a write to the
 * same column returns the written data, after the write is complete, and a write never overtakes a
 * read of what it overwrites.
 *
 * Requests already started are finished first, in the row that is open.
 *
 * Classes (priority > 0): of each bank, and of the channel, requests of a class with priority go
 * before all others, except for those already started; rules 2 to 4 then decide among equals. What
 * such a request has to wait for (order) goes before the others, too. While the scheduler calls the
 * oldest request urgent, classes do not count. The last `reserved` entries of the queue are for
 * classes with priority.
 *
 * Timing, in cycles between commands ("end" is the cycle after the last data):
 *   ACT to RD/WR same bank  tRCD      ACT to PRE same bank  tRAS      ACT to ACT same bank  tRC
 *   ACT to ACT other bank   tRRD      PRE to ACT same bank  tRP       RD to PRE same bank   tRTP
 *   RD/WR to RD/WR any bank tCCD      RD to WR any bank     tRTW      RD data: tCL .. tCL+burst-1
 *   WR data: WL .. WL+burst-1         end of WR data to RD any bank   tCDLR
 *   end of WR data to PRE same bank   tWR               REF to ACT or REF, any bank         tRFC
 * and data come in the order of the commands, without overlap on the bus. */
#include "sim/mem/dram/dram_internal.h"
#include "sim/mem/dram/scheduler.h"

/* --- legality --------------------------------------------------------------------------------- */

/* First cycle at which timing allows the command; the bank must be in the right state for it. */
static uint64_t act_time(const struct dram *d, uint32_t b)
{
    return b == d->last_act ? d->act_at[b] : later(d->act_at[b], d->rrd_at);
}

static uint64_t column_time(const struct dram *d, uint32_t b, bool write)
{
    return later(d->column_at[b], d->kind_at[write]);
}

bool dram_legal(const struct dram *d, enum dram_command command, uint32_t bank)
{
    if (bank >= d->config.banks)
        return false;
    bool open = d->open >> bank & 1;
    switch (command) {
    case DRAM_NOP:
        return true;
    case DRAM_ACT:
        return !open && d->now >= act_time(d, bank);
    case DRAM_PRE:
        return open && d->now >= d->pre_at[bank];
    case DRAM_RD:
    case DRAM_WR:
        return open && d->now >= column_time(d, bank, command == DRAM_WR);
    case DRAM_REF:
        return !d->open && d->now >= refresh_time(d);
    }
    return false;
}

/* The last column command of the request is out: it leaves the queue for the completion ring. */
static void retire(struct dram *d, uint32_t s, uint64_t at)
{
    struct slot *e = &d->slot[s];
    uint32_t bank = e->bank;
    for (uint32_t i = e->bank_younger; i != NO_SLOT; i = d->slot[i].bank_younger)
        d->slot[i].blockers -= ordered(&e->request, &d->slot[i].request);
    *(e->older == NO_SLOT ? &d->oldest : &d->slot[e->older].younger) = e->younger;
    *(e->younger == NO_SLOT ? &d->youngest : &d->slot[e->younger].older) = e->older;
    *(e->bank_older == NO_SLOT ? &d->bank_oldest[bank] : &d->slot[e->bank_older].bank_younger) =
        e->bank_younger;
    *(e->bank_younger == NO_SLOT ? &d->bank_youngest[bank] : &d->slot[e->bank_younger].bank_older) =
        e->bank_older;
    if (d->bank_oldest[bank] == NO_SLOT)
        d->busy &= ~(1ull << bank);
    if (e->older == NO_SLOT)
        d->passed_oldest = 0;
    e->younger = d->free;
    d->free = s;
    occupancy_leave(&d->use, d->now);
    d->firsts[bank] -= e->first;
    d->n_started--;
    uint32_t tail = (d->ring_head + d->ring_count++) % d->ring_size;
    d->ring[tail] = (struct done){e->request, at};
}

/* --- commands --------------------------------------------------------------------------------- */

static void issue_act(struct dram *d, uint32_t s)
{
    struct slot *e = &d->slot[s];
    uint32_t b = e->bank;
    e->opened = true;
    d->open_row[b] = e->row;
    d->open |= 1ull << b;
    d->stale |= 1ull << b;
    d->column_at[b] = d->now + d->config.rcd;
    d->pre_at[b] = d->now + d->config.ras;
    d->act_at[b] = d->now + d->config.rc;
    d->rrd_at = d->now + d->config.rrd;
    d->last_act = b;
    d->stats.activates++;
}

static void issue_pre(struct dram *d, uint32_t b)
{
    d->open_row[b] = NO_ROW;
    d->open &= ~(1ull << b);
    d->stale |= 1ull << b;
    d->passed[b] = 0;
    d->act_at[b] = later(d->act_at[b], d->now + d->config.rp);
    d->stats.precharges++;
}

static void issue_refresh(struct dram *d)
{
    for (uint32_t b = 0; b < d->config.banks; b++)
        d->act_at[b] = later(d->act_at[b], d->now + d->config.rfc);
    d->refresh_at += d->config.refi;
    d->stats.refreshes++;
}

/* The first column command of a request: hit or miss, and whom it passes. */
static void start(struct dram *d, uint32_t s)
{
    struct slot *e = &d->slot[s];
    e->started = true;
    d->n_started++;
    if (e->opened)
        d->stats.row_misses++;
    else
        d->stats.row_hits++;
    uint32_t i = d->bank_oldest[e->bank];
    while (i != s && d->slot[i].row == e->row)
        i = d->slot[i].bank_younger;
    d->passed[e->bank] += i != s;
    d->passed_oldest += s != d->oldest;
}

static void issue_column(struct dram *d, uint32_t s)
{
    const struct dram_config *c = &d->config;
    struct slot *e = &d->slot[s];
    bool write = e->request.write;
    uint64_t data = d->now + (write ? c->wl : c->cl);
    if (!e->started)
        start(d, s);
    d->bus_free = data + c->burst;
    d->kind_at[0] = later(d->now + c->ccd, d->bus_free > c->cl ? d->bus_free - c->cl : 0);
    d->kind_at[1] = later(d->now + c->ccd, d->bus_free > c->wl ? d->bus_free - c->wl : 0);
    if (write) {
        d->kind_at[0] = later(d->kind_at[0], d->bus_free + c->cdlr);
        d->pre_at[e->bank] = later(d->pre_at[e->bank], d->bus_free + c->wr);
        d->stats.writes++;
    } else {
        d->kind_at[1] = later(d->kind_at[1], d->now + c->rtw);
        d->pre_at[e->bank] = later(d->pre_at[e->bank], d->now + c->rtp);
        d->stats.reads++;
    }
    d->stats.bus_busy += c->burst;
    d->stale |= 1ull << e->bank;
    if (!--e->columns)
        retire(d, s, d->bus_free);
    if (d->scheduler->update)
        d->scheduler->update(d);
}

/* --- scheduling ------------------------------------------------------------------------------- */

/* Finds the bank's candidates for column commands and whether its open row is still wanted. */
static void look_up_hits(struct dram *d, uint32_t b)
{
    bool past = false;
    d->hit[0][b] = d->hit[1][b] = NO_SLOT;
    d->wanted &= ~(1ull << b);
    d->stale &= ~(1ull << b);
    if (d->open_row[b] == NO_ROW)
        return;
    for (uint32_t s = d->bank_oldest[b]; s != NO_SLOT; s = d->slot[s].bank_younger) {
        const struct slot *e = &d->slot[s];
        if (e->row != d->open_row[b]) {
            past = true;
            continue;
        }
        if (!e->started && !e->first && dram_some_first(d, b))
            continue;
        if (!e->started && !d->scheduler->keeps_row(d, s, past))
            continue;
        d->wanted |= 1ull << b;
        bool held = e->blockers || (!e->started && !d->scheduler->may_start(d, s));
        if (!held && d->hit[e->request.write][b] == NO_SLOT)
            d->hit[e->request.write][b] = s;
        if (d->hit[0][b] != NO_SLOT && d->hit[1][b] != NO_SLOT)
            return;
    }
}

/* The best candidate so far of one kind of command, and the first cycle any other is possible. */
struct choice {
    uint32_t column, row; /* slots */
    uint64_t next;
};

static bool before(const struct dram *d, const struct slot *a, const struct slot *b)
{
    if (a->first != b->first && !d->urgent)
        return a->first;
    return a->age < b->age;
}

static void consider(const struct dram *d, uint32_t *best, uint32_t s, uint64_t at, uint64_t *next)
{
    if (at > d->now)
        *next = at < *next ? at : *next;
    else if (*best == NO_SLOT || before(d, &d->slot[s], &d->slot[*best]))
        *best = s;
}

static void consider_bank(const struct dram *d, uint32_t b, struct choice *choice)
{
    uint64_t bit = 1ull << b;
    uint32_t first = dram_first_of(d, b);
    if (!(d->open & bit)) {
        consider(d, &choice->row, first, act_time(d, b), &choice->next);
        return;
    }
    if (!(d->wanted & bit)) {
        consider(d, &choice->row, first, d->pre_at[b], &choice->next);
        return;
    }
    bool room = d->ring_count + d->n_started < d->ring_size;
    for (int kind = 0; kind < 2; kind++) {
        uint32_t s = d->hit[kind][b];
        if (s != NO_SLOT && (room || d->slot[s].started))
            consider(d, &choice->column, s, column_time(d, b, kind), &choice->next);
    }
}

static enum dram_command issue_row(struct dram *d, uint32_t s, uint32_t *bank)
{
    *bank = d->slot[s].bank;
    if (d->open >> *bank & 1) {
        issue_pre(d, *bank);
        return DRAM_PRE;
    }
    issue_act(d, s);
    return DRAM_ACT;
}

/* Rule 4 of the policy. */
static bool row_first(const struct dram *d, const struct choice *choice)
{
    if (choice->row == NO_SLOT || choice->column == NO_SLOT)
        return choice->row != NO_SLOT;
    if (!d->config.act_first)
        return false;
    uint32_t b = d->slot[choice->row].bank;
    bool write = d->slot[choice->column].request.write;
    return !(d->open >> b & 1) && d->now == d->rrd_at && b != d->last_act &&
           d->now > d->kind_at[write];
}

enum dram_command dram_schedule(struct dram *d, uint32_t *bank)
{
    for (uint64_t m = d->stale & d->busy; m; m &= m - 1)
        look_up_hits(d, (uint32_t)__builtin_ctzll(m));
    struct choice choice = {.column = NO_SLOT, .row = NO_SLOT, .next = d->refresh_at};
    for (uint64_t m = d->busy; m; m &= m - 1)
        consider_bank(d, (uint32_t)__builtin_ctzll(m), &choice);
    if (row_first(d, &choice))
        return issue_row(d, choice.row, bank);
    if (choice.column != NO_SLOT) {
        bool write = d->slot[choice.column].request.write;
        *bank = d->slot[choice.column].bank;
        issue_column(d, choice.column);
        return write ? DRAM_WR : DRAM_RD;
    }
    d->wake = choice.next;
    return DRAM_NOP;
}

enum dram_command dram_schedule_refresh(struct dram *d, uint32_t *bank)
{
    uint64_t next = NEVER;
    for (uint64_t m = d->open; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m);
        if (d->pre_at[b] <= d->now) {
            issue_pre(d, b);
            *bank = b;
            return DRAM_PRE;
        }
        next = d->pre_at[b] < next ? d->pre_at[b] : next;
    }
    if (!d->open)
        next = refresh_time(d);
    if (next > d->now) {
        d->wake = next;
        return DRAM_NOP;
    }
    issue_refresh(d);
    return DRAM_REF;
}
