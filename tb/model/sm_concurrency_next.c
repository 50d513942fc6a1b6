/* Golden model of rtl/cm/cm_next_core.v, from its contract. */
#include "tb/model/sm_concurrency_next.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "evgpu_defs.h"

enum {
    COUNT_MAX = 2047,
    TOP = EVG_CM_LEVEL_8,
    LEVELS = EVG_CM_NEXT_LEVELS,
    LATENCY = 5,    /* edges from that of the tick to that which changes the limit */
    KNOWN = 0x8000, /* bit of the register AVERAGE */
    /* parameters of the module */
    LEAST_LEVEL = 2,
    FREE_LEVEL = 7,
    STAY = 3,
    SELDOM_SHIFT = 3,
    TRIAL_SHIFT = 3,
    PAUSE = 255,
};

static const uint8_t levels[LEVELS] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48};

struct interval {
    uint16_t issued;
    bool kernel_began;
};

struct sm_concurrency_next {
    enum cm_mode mode;
    uint16_t stall;
    struct interval now, ended;
    uint16_t average;
    bool has_average;
    uint8_t step; /* edge after that of the tick, 0: no decision under way */
    enum cm_decision decision;
    int tripled; /* of the decision, as they were read */
    bool busy, seldom, worse;
    uint8_t stay; /* intervals on FREE_LEVEL that have ended */
    bool trial;
    uint16_t bound; /* the least average with which the trial goes on */
    uint8_t pause;  /* intervals with all warps until the next trial */
    struct sm_concurrency_unit_out out;
};

static bool walks(const struct sm_concurrency_next *m)
{
    return m->mode == CM_MODE_CPU || m->mode == CM_MODE_BAL;
}

/* Number of the highest level that is not above so many warps; 0 for none. */
static int level_of(uint32_t warps)
{
    int level = 0;
    while (level + 1 < LEVELS && levels[level + 1] <= warps)
        level++;
    return level;
}

static bool mode_has(enum cm_mode mode, uint32_t warps)
{
    if (mode == CM_MODE_OFF)
        return warps == TOP;
    if (mode == CM_MODE_FIXED)
        return warps >= 1 && warps <= TOP;
    return levels[level_of(warps)] == warps;
}

/* --- Walk */

static bool trial_fails(const struct sm_concurrency_next *m, int level)
{
    return m->trial && m->worse && level == FREE_LEVEL && m->stay + 1 == STAY;
}

static bool trial_begins(const struct sm_concurrency_next *m, int level)
{
    return level == LEVELS - 1 && m->busy && m->decision == CM_DECISION_DOWN && !m->pause;
}

static int move_from(const struct sm_concurrency_next *m, int level)
{
    if (level < FREE_LEVEL && m->ended.kernel_began)
        return FREE_LEVEL;
    if (trial_fails(m, level))
        return LEVELS - 1;
    if (trial_begins(m, level))
        return FREE_LEVEL;
    bool computes = level >= FREE_LEVEL && m->busy;
    if (m->decision == CM_DECISION_UP || (computes && !m->trial))
        return level + 1 < LEVELS ? level + 1 : level;
    bool falls = level > LEAST_LEVEL || (level == LEAST_LEVEL && level > 0 && m->seldom);
    if (level == FREE_LEVEL && (m->stay + 1 < STAY || (computes && m->trial)))
        falls = false;
    return m->decision == CM_DECISION_DOWN && falls ? level - 1 : level;
}

static void move(struct sm_concurrency_next *m)
{
    int from = level_of(m->out.limit), to = move_from(m, from);
    bool fails = trial_fails(m, from), begins = trial_begins(m, from);
    if (fails)
        m->pause = PAUSE;
    else if (from == LEVELS - 1 && m->busy && m->pause)
        m->pause--;
    if (begins)
        m->bound = (uint16_t)(m->average - (m->average >> TRIAL_SHIFT));
    m->trial = begins || (m->trial && !fails && m->busy && to != LEVELS - 1);
    bool stays = from == FREE_LEVEL && to == FREE_LEVEL;
    m->stay = (uint8_t)(!stays ? 0 : m->stay + 1 < STAY ? m->stay + 1 : m->stay);
    m->out.limit = levels[to];
}

/* One edge between the end of an interval and the new limit. */
static void go_on(struct sm_concurrency_next *m, const struct sm_concurrency_unit_in *in)
{
    switch (m->step) {
    case 0:
        return;
    case 1:
        m->tripled = 3 * m->average;
        break;
    case 3:
        m->average =
            (uint16_t)(m->has_average ? (m->tripled + m->ended.issued) / 4 : m->ended.issued);
        m->has_average = true;
        break;
    case 4:
        m->busy = m->average >= in->cm_k;
        m->seldom = m->average < in->cm_k >> SELDOM_SHIFT;
        m->worse = m->average < m->bound;
        break;
    case LATENCY:
        if (walks(m))
            move(m);
        m->step = 0;
        return;
    default:
        break;
    }
    m->step++;
}

static void forget(struct sm_concurrency_next *m)
{
    m->trial = false;
    m->stay = m->pause = 0;
}

static void set_mode(struct sm_concurrency_next *m, enum cm_mode mode)
{
    m->mode = mode;
    m->step = 0;
    forget(m);
    m->has_average = false;
    if (mode == CM_MODE_OFF)
        m->out.limit = TOP;
    if (walks(m))
        m->out.limit = levels[level_of(m->out.limit)];
}

/* --- Counts */

static void count_to(uint16_t *count)
{
    *count = (uint16_t)(*count + (*count < COUNT_MAX));
}

static void count(struct sm_concurrency_next *m, const struct sm_concurrency_unit_in *in)
{
    if (m->mode == CM_MODE_OFF || !in->core_active)
        return;
    for (int s = 0; s < 2; s++) {
        bool issues = (in->sched_ready >> s & 1) && !(in->sched_full >> s & 1);
        count_to(issues ? &m->now.issued : &m->stall);
    }
}

static void begin_interval(struct sm_concurrency_next *m)
{
    m->stall = 0;
    m->now = (struct interval){0};
}

/* --- Software */

static uint16_t read_register(const struct sm_concurrency_next *m, uint8_t address)
{
    switch (address) {
    case CM_NEXT_REG_LIMIT:
        return m->out.limit;
    case CM_NEXT_REG_STALL:
        return m->stall;
    case CM_NEXT_REG_ISSUED:
        return m->now.issued;
    case CM_NEXT_REG_AVERAGE:
        return (uint16_t)(m->average | (m->has_average ? KNOWN : 0));
    case CM_NEXT_REG_ENDED:
        return (uint16_t)(m->ended.issued | m->ended.kernel_began << 11);
    default:
        return 0;
    }
}

/* With the mode that was in force before this edge. */
static bool takes(enum cm_mode mode, const struct sm_concurrency_unit_in *in)
{
    uint16_t data = in->reg_data;
    switch (in->reg_addr) {
    case CM_NEXT_REG_LIMIT:
        return mode_has(mode, data) && !in->cm_set;
    case CM_NEXT_REG_STALL:
    case CM_NEXT_REG_ISSUED:
        return data <= COUNT_MAX;
    case CM_NEXT_REG_AVERAGE:
        return (data & ~KNOWN) <= COUNT_MAX;
    default:
        return false;
    }
}

static void write_register(struct sm_concurrency_next *m, uint8_t address, uint16_t data)
{
    switch (address) {
    case CM_NEXT_REG_LIMIT:
        m->out.limit = (uint8_t)data;
        m->step = 0;
        forget(m);
        break;
    case CM_NEXT_REG_STALL:
        m->stall = data;
        break;
    case CM_NEXT_REG_ISSUED:
        m->now.issued = data;
        break;
    default: /* AVERAGE */
        m->average = data & COUNT_MAX;
        m->has_average = data & KNOWN;
    }
}

/* --- One edge */

void sm_concurrency_next_step(struct sm_concurrency_next *m,
                              const struct sm_concurrency_unit_in *in,
                              struct sm_concurrency_unit_out *out)
{
    bool kernel = in->kernel_begin || in->kernel_end;
    bool tick = in->cm_tick && !in->cm_set && m->mode != CM_MODE_OFF && !m->step;
    uint16_t content = read_register(m, in->reg_addr);
    bool write = in->reg_valid && in->reg_write && takes(m->mode, in);

    m->out.idle = !m->step && !m->out.reg_done && !in->cm_tick && !in->cm_set && !kernel &&
                  !in->reg_valid && (m->mode == CM_MODE_OFF || !in->core_active);
    m->out.reg_done = in->reg_valid;
    if (in->reg_valid) {
        m->out.reg_rdata = content;
        m->out.reg_error = in->reg_addr > CM_NEXT_REG_ENDED || (in->reg_write && !write);
    }

    uint8_t limit = m->out.limit;
    go_on(m, in);
    if (m->mode != CM_MODE_OFF && in->kernel_begin)
        m->now.kernel_began = true;
    if (tick) {
        m->ended = m->now;
        m->decision = (enum cm_decision)in->cm_decision;
        m->step = 1;
    }
    if (in->cm_set) {
        m->out.limit = limit;
        set_mode(m, (enum cm_mode)in->cm_mode);
    }
    if (tick || in->cm_set)
        begin_interval(m);
    count(m, in);
    if (write)
        write_register(m, in->reg_addr, in->reg_data);
    m->out.state = m->step; /* named in their order */
    *out = m->out;
}

void sm_concurrency_next_reset(struct sm_concurrency_next *m, struct sm_concurrency_unit_out *out)
{
    *m = (struct sm_concurrency_next){.out = {.limit = TOP, .idle = 1}};
    *out = m->out;
}

struct sm_concurrency_next *sm_concurrency_next_create(void)
{
    struct sm_concurrency_next *m = ALLOC(struct sm_concurrency_next);
    sm_concurrency_next_reset(m, &(struct sm_concurrency_unit_out){0});
    return m;
}

void sm_concurrency_next_destroy(struct sm_concurrency_next *model)
{
    free(model);
}
