/* What the DRAM tests share: CM-BAL's Table I, and a checker that recomputes every constraint from
 * the command trace alone. */
#ifndef EVGPU_TESTS_MEM_DRAM_FIXTURE_H
#define EVGPU_TESTS_MEM_DRAM_FIXTURE_H

#include "sim/mem/dram/dram.h"
#include "sim/mem/dram/scheduler.h"
#include "tests/mem/policy_number.h"
#include "tests/unit.h"

/* CM-BAL Table I; WL, R->W, RD->PRE, geometry are GDDR5-like. */
static inline struct dram_config table1(void)
{
    return (struct dram_config){.banks = 8,
                                .row_bytes = 2048,
                                .column_bytes = 32,
                                .burst = 2,
                                .queue = 32,
                                .cl = 12,
                                .rp = 12,
                                .rc = 40,
                                .ras = 28,
                                .ccd = 2,
                                .rcd = 12,
                                .rrd = 6,
                                .act_first = 1,
                                .cdlr = 5,
                                .wr = 12,
                                .wl = 4,
                                .rtw = 14,
                                .rtp = 2};
}

/* FR-FCFS with this cap, 0: without. */
static inline void set_cap(struct dram_config *c, uint32_t hit_cap)
{
    c->hit_cap = hit_cap;
    c->scheduler = policy_number(dram_scheduler_name, hit_cap ? "fr-fcfs-cap" : "fr-fcfs");
}

static inline struct dram *dram_for(const struct dram_config *config)
{
    struct error err = {0};
    struct dram *d = dram_create(config, &err);
    if (!d)
        fail_msg("%s", err.text);
    return d;
}

/* Last time of each command per bank and over all banks, plus 1; 0: never. */
struct checker {
    struct dram_config c;
    uint64_t now;
    uint64_t act[64], pre[64], rd[64], wr[64], ref;
    uint64_t any_rd, any_wr;
    bool open[64];
    uint64_t data_end; /* first cycle the data bus is free */
    uint64_t column_commands;
};

static inline void checker_init(struct checker *k, const struct dram_config *c)
{
    memset(k, 0, sizeof *k);
    k->c = *c;
}

static inline bool gap(const struct checker *k, uint64_t last, uint64_t cycles)
{
    return !last || k->now >= last - 1 + cycles;
}

/* May the command be issued in cycle `now`? From the trace and the configuration only. */
static inline bool checker_legal(const struct checker *k, enum dram_command command, uint32_t b)
{
    const struct dram_config *c = &k->c;
    bool ok = true;
    switch (command) {
    case DRAM_NOP:
        return true;
    case DRAM_ACT:
        ok = !k->open[b] && gap(k, k->act[b], c->rc) && gap(k, k->pre[b], c->rp) &&
             gap(k, k->ref, c->rfc);
        for (uint32_t o = 0; o < c->banks; o++)
            ok = ok && (o == b || gap(k, k->act[o], c->rrd));
        return ok;
    case DRAM_PRE:
        return k->open[b] && gap(k, k->act[b], c->ras) && gap(k, k->rd[b], c->rtp) &&
               gap(k, k->wr[b], (uint64_t)c->wl + c->burst + c->wr);
    case DRAM_RD:
        return k->open[b] && gap(k, k->act[b], c->rcd) && gap(k, k->any_rd, c->ccd) &&
               gap(k, k->any_wr, c->ccd) &&
               gap(k, k->any_wr, (uint64_t)c->wl + c->burst + c->cdlr) &&
               k->now + c->cl >= k->data_end;
    case DRAM_WR:
        return k->open[b] && gap(k, k->act[b], c->rcd) && gap(k, k->any_wr, c->ccd) &&
               gap(k, k->any_rd, c->ccd) && gap(k, k->any_rd, c->rtw) &&
               k->now + c->wl >= k->data_end;
    case DRAM_REF:
        for (uint32_t o = 0; o < c->banks; o++)
            ok = ok && !k->open[o] && gap(k, k->pre[o], c->rp) && gap(k, k->act[o], c->rc);
        return ok && gap(k, k->ref, c->rfc);
    }
    return false;
}

static inline void checker_step(struct checker *k, enum dram_command command, uint32_t b)
{
    const struct dram_config *c = &k->c;
    uint64_t stamp = k->now + 1;
    if (!checker_legal(k, command, b))
        fail_msg("command %d to bank %u is illegal in cycle %llu", (int)command, b,
                 (unsigned long long)k->now);
    if (command == DRAM_ACT) {
        k->act[b] = stamp;
        k->open[b] = true;
    } else if (command == DRAM_PRE) {
        k->pre[b] = stamp;
        k->open[b] = false;
    } else if (command == DRAM_RD) {
        k->rd[b] = k->any_rd = stamp;
        k->data_end = k->now + c->cl + c->burst;
        k->column_commands++;
    } else if (command == DRAM_WR) {
        k->wr[b] = k->any_wr = stamp;
        k->data_end = k->now + c->wl + c->burst;
        k->column_commands++;
    } else if (command == DRAM_REF) {
        k->ref = stamp;
    }
    k->now++;
}

#endif
