/* Golden model of rtl/tiles/sm_concurrency_unit.v, from the contract in
 * rtl/cm/cm_bal_core.v. */
#include "sm_concurrency_unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "evgpu_defs.h"
#include "sim/base/alloc.h"

enum {
    STALL_MAX = 2047,
    SAME_MAX = 7,
    TOP = EVG_CM_LEVEL_8,
    NONE = -1,
};

static const uint8_t levels[EVG_CM_LEVELS] = {
    EVG_CM_LEVEL_0, EVG_CM_LEVEL_1, EVG_CM_LEVEL_2, EVG_CM_LEVEL_3, EVG_CM_LEVEL_4,
    EVG_CM_LEVEL_5, EVG_CM_LEVEL_6, EVG_CM_LEVEL_7, EVG_CM_LEVEL_8,
};

struct smc {
    enum cm_mode mode;
    uint16_t stall;
    uint8_t same;
    int16_t average[EVG_CM_LEVELS]; /* NONE: not valid */
    uint8_t decide_in;              /* edges until the limit changes, 0: no decision under way */
    enum cm_decision decision;
    bool keep;  /* lowering would cost more than k */
    bool raise; /* raising would gain more than k */
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

/* The next limit below or above that the mode has; the same if there is none.
 */
static uint8_t next_limit(enum cm_mode mode, uint8_t warps, int direction)
{
    int next = warps + direction;
    while (next > 0 && next < TOP && !mode_has(mode, (uint32_t)next))
        next += direction;
    return next > 0 && next <= TOP ? (uint8_t)next : warps;
}

/* --- Averages and decision
 * -------------------------------------------------------------------- */

/* Ends an interval that had this limit. */
static void measure(struct smc *m, uint8_t limit)
{
    int level = level_of(limit);
    if (level == NONE)
        return;
    int16_t *average = &m->average[level];
    *average = (int16_t)(*average == NONE ? m->stall : (*average + 3 * m->stall) / 4);
}

/* True if both are valid and the first is more than k above the second. */
static bool exceeds(const struct smc *m, int first, int second, uint32_t k)
{
    if (first < 0 || second < 0 || first >= EVG_CM_LEVELS || second >= EVG_CM_LEVELS)
        return false;
    int a = m->average[first], b = m->average[second];
    return a != NONE && b != NONE && a > b + (int)k;
}

static void decide(struct smc *m, const struct sm_concurrency_unit_in *in)
{
    uint8_t limit = m->out.limit;
    uint8_t down = next_limit(m->mode, limit, -1), up = next_limit(m->mode, limit, 1);
    bool balance = m->mode == CM_MODE_BAL;

    if (m->decision == CM_DECISION_DOWN && !(balance && m->keep))
        m->out.limit = down;
    if (m->decision == CM_DECISION_UP || (balance && m->raise))
        m->out.limit = up;
    if (!balance) {
        m->same = 0;
        return;
    }
    uint8_t same = (uint8_t)(m->same < SAME_MAX ? m->same + 1 : SAME_MAX);
    if (m->out.limit == limit && in->cm_patience && same >= in->cm_patience)
        m->out.limit = limit < in->cm_pivot ? up : down;
    m->same = m->out.limit == limit ? same : 0;
}

static void go_on(struct smc *m, const struct sm_concurrency_unit_in *in)
{
    int level = level_of(m->out.limit);
    if (m->decide_in == 3)
        m->keep = m->mode == CM_MODE_BAL && exceeds(m, level - 1, level, in->cm_k);
    if (m->decide_in == 2)
        m->raise = m->mode == CM_MODE_BAL && exceeds(m, level, level + 1, in->cm_k);
    if (m->decide_in == 1)
        decide(m, in);
    if (m->decide_in)
        m->decide_in--;
}

static void set_mode(struct smc *m, enum cm_mode mode)
{
    m->mode = mode;
    m->same = 0;
    m->decide_in = 0;
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

/* --- Software
 * -----------------------------------------------------------------------------------
 */

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
        m->decide_in = 0;
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

/* --- One edge
 * -----------------------------------------------------------------------------------
 */

static void end_interval(struct smc *m, const struct sm_concurrency_unit_in *in)
{
    m->stall = 0;
    if (m->mode != CM_MODE_CPU && m->mode != CM_MODE_BAL)
        return;
    m->decision = (enum cm_decision)in->cm_decision;
    m->decide_in = 3;
}

void sm_concurrency_unit_model_step(void *model, const void *in_data, void *out_data)
{
    struct smc *m = model;
    const struct sm_concurrency_unit_in *in = in_data;
    const struct smc before = *m;
    bool kernel = in->kernel_begin || in->kernel_end;
    bool tick = in->cm_tick && !in->cm_set && m->mode != CM_MODE_OFF && !m->decide_in;

    m->out.idle = !m->decide_in && !m->out.reg_done && !in->cm_tick && !in->cm_set && !kernel &&
                  !in->reg_valid && (m->mode == CM_MODE_OFF || !in->core_active);
    m->out.reg_done = in->reg_valid;
    if (in->reg_valid) {
        m->out.reg_rdata = read_register(m, in->reg_addr);
        m->out.reg_error =
            in->reg_addr > CM_CORE_REG_AVERAGE_8 || (in->reg_write && !takes(m->mode, in));
    }

    go_on(m, in);
    if (tick) {
        measure(m, before.out.limit);
        end_interval(m, in);
    }
    if (in->cm_set) {
        m->out.limit = before.out.limit;
        set_mode(m, (enum cm_mode)in->cm_mode);
        m->stall = 0;
    }
    count_stalls(m, in);
    if (kernel)
        for (int level = 0; level < EVG_CM_LEVELS; level++)
            m->average[level] = NONE;
    if (in->reg_valid && in->reg_write && !m->out.reg_error)
        write_register(m, in->reg_addr, in->reg_data);
    static const uint8_t states[] = {CM_CORE_STATE_IDLE, CM_CORE_STATE_DECIDE, CM_CORE_STATE_UPPER,
                                     CM_CORE_STATE_LOWER};
    m->out.state = states[m->decide_in];
    *(struct sm_concurrency_unit_out *)out_data = m->out;
}

void sm_concurrency_unit_model_reset(void *model, void *out)
{
    struct smc *m = model;
    *m = (struct smc){.out = {.limit = TOP, .idle = 1}};
    for (int level = 0; level < EVG_CM_LEVELS; level++)
        m->average[level] = NONE;
    *(struct sm_concurrency_unit_out *)out = m->out;
}

void *sm_concurrency_unit_model_create(void)
{
    struct smc *m = ALLOC(struct smc);
    sm_concurrency_unit_model_reset(m, &(struct sm_concurrency_unit_out){0});
    return m;
}

void sm_concurrency_unit_model_destroy(void *model)
{
    free(model);
}
