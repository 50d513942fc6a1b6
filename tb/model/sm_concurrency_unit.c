/* Golden model of rtl/tiles/sm_concurrency_unit.v, from the contract in rtl/cm/cm_bal_core.v; with
 * cm_next_core in its place it is that of sm_concurrency_next.c. */
#include "sm_concurrency_unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "tb/model/sm_concurrency_next.h"
#include "tb/model/sm_concurrency_unit_parameters.h"

enum {
    STALL_MAX = 2047,
    SAME_MAX = 7,
    TOP = EVG_CM_LEVEL_8,
    NONE = -1,
    LATENCY = 9, /* edges from that of the tick to that which changes the limit */
};

static const uint8_t levels[EVG_CM_LEVELS] = {
    EVG_CM_LEVEL_0, EVG_CM_LEVEL_1, EVG_CM_LEVEL_2, EVG_CM_LEVEL_3, EVG_CM_LEVEL_4,
    EVG_CM_LEVEL_5, EVG_CM_LEVEL_6, EVG_CM_LEVEL_7, EVG_CM_LEVEL_8,
};

struct smc {
    struct sm_concurrency_next *cm_next; /* instead of all that follows, or NULL */
    enum cm_mode mode;
    uint16_t stall;
    uint8_t same;
    int16_t average[EVG_CM_LEVELS]; /* NONE: not valid */
    uint8_t step;                   /* edge after that of the tick, 0: no decision under way */
    enum cm_decision decision;      /* the controller's */
    uint16_t ended_with;            /* stalls of the interval that ended */
    bool one_kernel;                /* ... since whose end no kernel has begun or ended */
    int weighed;                    /* the average to be stored */
    int own, upper;                 /* averages as they were read, or NONE */
    bool keep;                      /* lowering would cost more than k */
    bool raise;                     /* raising would gain more than k */
    uint8_t next;                   /* the limit that was chosen */
    struct sm_concurrency_unit_out out;
};

/* Number of the level with so many warps, or NONE. */
static int level_of(uint32_t warps)
{
    for (int level = 0; level < EVG_CM_LEVELS; level++)
        if (levels[level] == warps)
            return level;
    return NONE;
}

static bool mode_has(enum cm_mode mode, uint32_t warps)
{
    if (warps < 1 || warps > TOP)
        return false;
    switch (mode) {
    case CM_MODE_OFF:
        return warps == TOP;
    case CM_MODE_CPU:
        return warps <= EVG_CM_FINE || (warps - EVG_CM_FINE) % EVG_CM_STEP == 0;
    case CM_MODE_BAL:
        return level_of(warps) != NONE;
    case CM_MODE_FIXED:
        break;
    }
    return true;
}

/* The next limit below or above that the mode has; the same if there is none. */
static uint8_t next_limit(enum cm_mode mode, uint8_t warps, int direction)
{
    int next = warps + direction;
    while (next > 0 && next < TOP && !mode_has(mode, (uint32_t)next))
        next += direction;
    return next > 0 && next <= TOP ? (uint8_t)next : warps;
}

/* --- Averages and decision */

static int average_of(const struct smc *m, int level)
{
    return level < 0 || level >= EVG_CM_LEVELS ? NONE : m->average[level];
}

/* True if both are valid and the first is more than k above the second. */
static bool exceeds(int first, int second, uint32_t k)
{
    return first != NONE && second != NONE && first > second + (int)k;
}

static void choose(struct smc *m, const struct sm_concurrency_unit_in *in)
{
    uint8_t limit = m->out.limit;
    uint8_t down = next_limit(m->mode, limit, -1), up = next_limit(m->mode, limit, 1);
    bool balance = m->mode == CM_MODE_BAL;

    m->next = limit;
    if (m->mode == CM_MODE_FIXED)
        return;
    if (m->decision == CM_DECISION_DOWN && !(balance && m->keep))
        m->next = down;
    if (m->decision == CM_DECISION_UP || (balance && m->raise))
        m->next = up;
    if (balance && m->next == limit && in->cm_patience && m->same + 1 >= in->cm_patience)
        m->next = limit < in->cm_pivot ? up : down;
}

static void move(struct smc *m)
{
    if (m->mode != CM_MODE_BAL || m->next != m->out.limit)
        m->same = 0;
    else if (m->same < SAME_MAX)
        m->same++;
    m->out.limit = m->next;
}

/* One edge between the end of an interval and the new limit. */
static void go_on(struct smc *m, const struct sm_concurrency_unit_in *in)
{
    int level = level_of(m->out.limit), old = average_of(m, level);
    switch (m->step) {
    case 0:
        return;
    case 1:
        m->weighed = old == NONE ? m->ended_with : (old + 3 * m->ended_with) / 4;
        break;
    case 2:
        if (level != NONE && m->one_kernel)
            m->average[level] = (int16_t)m->weighed;
        break;
    case 3:
        m->own = old;
        break;
    case 4:
        m->keep = exceeds(average_of(m, level - 1), m->own, in->cm_k);
        break;
    case 5:
        m->upper = level == NONE ? NONE : average_of(m, level + 1);
        break;
    case 6:
        m->raise = exceeds(old, m->upper, in->cm_k);
        break;
    case 8:
        choose(m, in);
        break;
    case LATENCY:
        move(m);
        break;
    default:
        break;
    }
    m->step = m->step == LATENCY ? 0 : (uint8_t)(m->step + 1);
}

static void set_mode(struct smc *m, enum cm_mode mode)
{
    m->mode = mode;
    m->same = 0;
    m->step = 0;
    if (mode == CM_MODE_OFF)
        m->out.limit = TOP;
    while (!mode_has(mode, m->out.limit))
        m->out.limit--;
}

static void count_stalls(struct smc *m, const struct sm_concurrency_unit_in *in)
{
    if (m->mode == CM_MODE_OFF || !in->core_active)
        return;
    for (int s = 0; s < 2; s++) {
        bool ready = in->sched_ready >> s & 1, full = in->sched_full >> s & 1;
        if ((!ready || full) && m->stall < STALL_MAX)
            m->stall++;
    }
}

/* --- Software */

static uint16_t valid_bits(const struct smc *m)
{
    uint16_t bits = 0;
    for (int level = 0; level < EVG_CM_LEVELS; level++)
        bits = (uint16_t)(bits | (m->average[level] != NONE) << level);
    return bits;
}

static uint16_t read_register(const struct smc *m, uint8_t address)
{
    switch (address) {
    case CM_CORE_REG_LIMIT:
        return m->out.limit;
    case CM_CORE_REG_STALL:
        return m->stall;
    case CM_CORE_REG_SAME:
        return m->same;
    case CM_CORE_REG_VALID:
        return valid_bits(m);
    default:
        break;
    }
    if (address > CM_CORE_REG_AVERAGE_8)
        return 0;
    int16_t average = m->average[address - CM_CORE_REG_AVERAGE_0];
    return average == NONE ? 0 : (uint16_t)average;
}

/* With the mode that was in force before this edge. */
static bool takes(enum cm_mode mode, const struct sm_concurrency_unit_in *in)
{
    switch (in->reg_addr) {
    case CM_CORE_REG_LIMIT:
        return mode_has(mode, in->reg_data) && !in->cm_set;
    case CM_CORE_REG_SAME:
        return in->reg_data <= SAME_MAX;
    case CM_CORE_REG_VALID:
        return in->reg_data < 1 << EVG_CM_LEVELS;
    default:
        return in->reg_addr <= CM_CORE_REG_AVERAGE_8 && in->reg_data <= STALL_MAX;
    }
}

static void write_register(struct smc *m, uint8_t address, uint16_t data)
{
    switch (address) {
    case CM_CORE_REG_LIMIT:
        m->out.limit = (uint8_t)data;
        m->same = 0;
        m->step = 0;
        return;
    case CM_CORE_REG_STALL:
        m->stall = data;
        return;
    case CM_CORE_REG_SAME:
        m->same = (uint8_t)data;
        return;
    case CM_CORE_REG_VALID:
        for (int level = 0; level < EVG_CM_LEVELS; level++)
            if (!(data >> level & 1))
                m->average[level] = NONE;
        return;
    default:
        m->average[address - CM_CORE_REG_AVERAGE_0] = (int16_t)data;
    }
}

/* --- One edge */

static void end_interval(struct smc *m, const struct sm_concurrency_unit_in *in)
{
    m->ended_with = m->stall;
    m->one_kernel = true;
    m->stall = 0;
    m->decision = (enum cm_decision)in->cm_decision;
    m->step = 1;
}

void sm_concurrency_unit_model_step(void *model, const void *in_data, void *out_data)
{
    struct smc *m = model;
    const struct sm_concurrency_unit_in *in = in_data;
    if (m->cm_next) {
        sm_concurrency_next_step(m->cm_next, in, out_data);
        return;
    }
    const struct smc before = *m;
    bool kernel = in->kernel_begin || in->kernel_end;
    bool tick = in->cm_tick && !in->cm_set && m->mode != CM_MODE_OFF && !m->step;

    m->out.idle = !m->step && !m->out.reg_done && !in->cm_tick && !in->cm_set && !kernel &&
                  !in->reg_valid && (m->mode == CM_MODE_OFF || !in->core_active);
    m->out.reg_done = in->reg_valid;
    if (in->reg_valid) {
        m->out.reg_rdata = read_register(m, in->reg_addr);
        m->out.reg_error =
            in->reg_addr > CM_CORE_REG_AVERAGE_8 || (in->reg_write && !takes(m->mode, in));
    }

    go_on(m, in);
    if (tick)
        end_interval(m, in);
    if (in->cm_set) {
        m->out.limit = before.out.limit;
        set_mode(m, (enum cm_mode)in->cm_mode);
        m->stall = 0;
    }
    count_stalls(m, in);
    if (kernel) {
        m->one_kernel = false;
        for (int level = 0; level < EVG_CM_LEVELS; level++)
            m->average[level] = NONE;
    }
    if (in->reg_valid && in->reg_write && !m->out.reg_error)
        write_register(m, in->reg_addr, in->reg_data);
    m->out.state = m->step; /* named in their order */
    *(struct sm_concurrency_unit_out *)out_data = m->out;
}

void sm_concurrency_unit_model_reset(void *model, void *out)
{
    struct smc *m = model;
    if (m->cm_next) {
        sm_concurrency_next_reset(m->cm_next, out);
        return;
    }
    *m = (struct smc){.out = {.limit = TOP, .idle = 1}};
    for (int level = 0; level < EVG_CM_LEVELS; level++)
        m->average[level] = NONE;
    *(struct sm_concurrency_unit_out *)out = m->out;
}

void *sm_concurrency_unit_model_create_with(const struct sm_concurrency_unit_parameters *parameters)
{
    struct smc *m = ALLOC(struct smc);
    if (parameters->next)
        m->cm_next = sm_concurrency_next_create();
    sm_concurrency_unit_model_reset(m, &(struct sm_concurrency_unit_out){0});
    return m;
}

void *sm_concurrency_unit_model_create(void)
{
    const struct sm_concurrency_unit_parameters defaults = sm_concurrency_unit_defaults();
    return sm_concurrency_unit_model_create_with(&defaults);
}

void sm_concurrency_unit_model_destroy(void *model)
{
    struct smc *m = model;
    if (m && m->cm_next)
        sm_concurrency_next_destroy(m->cm_next);
    free(m);
}
