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
    LATENCY = 9,    /* edges from that of the tick to that which changes the limit */
    KNOWN = 0x8000, /* bit of the registers AVERAGE and FIRST */
    NONE = -1,
    /* parameters of the module */
    CAP_SHIFT = 3,
    SPAN = 1,
    TURN = 2,
    CAUTION_MIN = 1,
    CAUTION_MAX = 4,
};

static const uint8_t levels[LEVELS] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48};

struct interval {
    uint16_t issued;
    bool whole;
};

struct sm_concurrency_next {
    enum cm_mode mode;
    uint16_t stall;
    struct interval now, ended;
    int pair; /* number of its lower level */
    bool upper;
    uint8_t turn;                    /* intervals of this level's turn that have ended */
    int average, first;              /* or NONE, */
    uint16_t old_average, old_first; /* ... and what the registers hold then */
    int evidence;
    uint8_t caution;
    int8_t last_move; /* -1, 0, 1 */
    uint8_t step;     /* edge after that of the tick, 0: no decision under way */
    enum cm_decision decision;
    int tripled, sum, bound; /* of the decision, as they were read */
    bool due, compares;
    struct sm_concurrency_unit_out out;
};

static bool searches(const struct sm_concurrency_next *m)
{
    return m->mode == CM_MODE_CPU || m->mode == CM_MODE_BAL;
}

static bool mode_has(enum cm_mode mode, uint32_t warps)
{
    if (mode == CM_MODE_OFF)
        return warps == TOP;
    if (mode == CM_MODE_FIXED)
        return warps >= 1 && warps <= TOP;
    for (int n = 0; n < LEVELS; n++)
        if (levels[n] == warps)
            return true;
    return false;
}

/* --- Search */

static void take_turn(struct sm_concurrency_next *m)
{
    m->out.limit = levels[m->pair + (m->upper ? SPAN : 0)];
}

static void begin_search(struct sm_concurrency_next *m, uint32_t warps)
{
    int highest = 0;
    while (highest + 1 < LEVELS && levels[highest + 1] <= warps)
        highest++;
    m->upper = highest >= SPAN;
    m->pair = m->upper ? highest - SPAN : 0;
    take_turn(m);
}

static void store_average(struct sm_concurrency_next *m)
{
    if (!m->ended.whole)
        return;
    m->average = m->average == NONE ? m->ended.issued : (m->tripled + m->ended.issued) / 4;
    m->old_average = (uint16_t)m->average;
}

static int bias_of(const struct sm_concurrency_next *m, int k)
{
    int most = m->old_average >> CAP_SHIFT;
    most = k < most ? k : most;
    return m->decision == CM_DECISION_DOWN ? most : m->decision == CM_DECISION_HOLD ? most / 2 : 0;
}

static void move_pair(struct sm_concurrency_next *m, int8_t direction)
{
    int to = m->pair + direction;
    if (to < 0 || to + SPAN >= LEVELS)
        return;
    m->pair = to;
    m->upper = direction > 0;
    if (m->last_move == -direction && m->caution < CAUTION_MAX)
        m->caution++;
    if (m->last_move == direction && m->caution > CAUTION_MIN)
        m->caution--;
    m->last_move = direction;
}

static void compare(struct sm_concurrency_next *m)
{
    m->evidence = m->sum;
    if (m->sum > m->bound || m->sum < -m->bound) {
        m->evidence = 0;
        move_pair(m, m->sum > 0 ? 1 : -1);
    }
}

static void end_turn(struct sm_concurrency_next *m)
{
    bool was_upper = m->upper;
    m->turn = 0;
    m->upper = !m->upper;
    if (m->compares)
        compare(m);
    m->first = NONE;
    if (!was_upper) {
        m->old_first = m->ended.issued;
        m->first = m->ended.whole ? m->ended.issued : NONE;
    }
    take_turn(m);
}

/* One edge between the end of an interval and the new limit. */
static void go_on(struct sm_concurrency_next *m, const struct sm_concurrency_unit_in *in)
{
    switch (m->step) {
    case 0:
        return;
    case 1:
        m->tripled = 3 * m->old_average;
        break;
    case 3:
        store_average(m);
        m->due = searches(m) && m->turn + 1 == TURN;
        m->compares = m->due && m->upper && m->ended.whole && m->first != NONE;
        break;
    case 4:
        m->sum = m->ended.issued - m->old_first - bias_of(m, in->cm_k);
        break;
    case 6:
        m->sum += m->evidence;
        break;
    case 7:
        m->bound = (m->old_average << m->caution) / 8;
        break;
    case LATENCY:
        if (m->due)
            end_turn(m);
        else if (searches(m))
            m->turn++;
        m->step = 0;
        return;
    default:
        break;
    }
    m->step++;
}

static void set_mode(struct sm_concurrency_next *m, enum cm_mode mode)
{
    m->mode = mode;
    m->step = m->turn = 0;
    m->average = m->first = NONE;
    m->evidence = 0;
    m->caution = CAUTION_MIN;
    m->last_move = 0;
    if (mode == CM_MODE_OFF)
        m->out.limit = TOP;
    if (searches(m))
        begin_search(m, m->out.limit);
}

/* --- Counts */

static void count_to(uint16_t *count)
{
    *count = (uint16_t)(*count + (*count < COUNT_MAX));
}

static void count(struct sm_concurrency_next *m, const struct sm_concurrency_unit_in *in)
{
    if (m->mode == CM_MODE_OFF)
        return;
    if (!in->core_active)
        m->now.whole = false;
    for (int s = 0; in->core_active && s < 2; s++) {
        bool issues = (in->sched_ready >> s & 1) && !(in->sched_full >> s & 1);
        count_to(issues ? &m->now.issued : &m->stall);
    }
}

static void begin_interval(struct sm_concurrency_next *m)
{
    m->stall = 0;
    m->now = (struct interval){.whole = true};
}

/* --- Software */

static uint16_t read_register(const struct sm_concurrency_next *m, uint8_t address)
{
    switch (address) {
    case CM_NEXT_REG_LIMIT:
        return m->out.limit;
    case CM_NEXT_REG_STALL:
        return m->stall;
    case CM_NEXT_REG_PAIR:
        return (uint16_t)(m->pair | m->upper << 4 | m->turn << 5);
    case CM_NEXT_REG_ISSUED:
        return m->now.issued;
    case CM_NEXT_REG_AVERAGE:
        return (uint16_t)(m->old_average | (m->average == NONE ? 0 : KNOWN));
    case CM_NEXT_REG_FIRST:
        return (uint16_t)(m->old_first | (m->first == NONE ? 0 : KNOWN));
    case CM_NEXT_REG_EVIDENCE:
        return (uint16_t)m->evidence;
    case CM_NEXT_REG_SEARCH:
        return (uint16_t)(m->caution | (m->last_move < 0) << 3 | (m->last_move > 0) << 4);
    case CM_NEXT_REG_ENDED:
        return (uint16_t)(m->ended.issued | m->ended.whole << 11);
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
    case CM_NEXT_REG_FIRST:
        return (data & ~KNOWN) <= COUNT_MAX;
    case CM_NEXT_REG_EVIDENCE:
        return data <= 4095 || data >= 65536 - 4096;
    case CM_NEXT_REG_SEARCH:
        return data < 3 << 3 && (data & 7) >= CAUTION_MIN && (data & 7) <= CAUTION_MAX;
    default:
        return false;
    }
}

static void write_known(int *value, uint16_t *old, uint16_t data)
{
    *old = data & COUNT_MAX;
    *value = data & KNOWN ? *old : NONE;
}

static void write_register(struct sm_concurrency_next *m, uint8_t address, uint16_t data)
{
    switch (address) {
    case CM_NEXT_REG_LIMIT:
        m->out.limit = (uint8_t)data;
        m->now.whole = false;
        m->step = m->turn = 0;
        m->first = NONE;
        if (searches(m))
            begin_search(m, data);
        break;
    case CM_NEXT_REG_STALL:
        m->stall = data;
        break;
    case CM_NEXT_REG_ISSUED:
        m->now.issued = data;
        break;
    case CM_NEXT_REG_AVERAGE:
        write_known(&m->average, &m->old_average, data);
        break;
    case CM_NEXT_REG_FIRST:
        write_known(&m->first, &m->old_first, data);
        break;
    case CM_NEXT_REG_EVIDENCE:
        m->evidence = (int16_t)data;
        break;
    default: /* SEARCH */
        m->caution = data & 7;
        m->last_move = (int8_t)((data >> 4 & 1) - (data >> 3 & 1));
    }
}

/* --- One edge */

void sm_concurrency_next_step(struct sm_concurrency_next *m,
                              const struct sm_concurrency_unit_in *in,
                              struct sm_concurrency_unit_out *out)
{
    bool kernel = in->kernel_begin || in->kernel_end;
    bool tick = in->cm_tick && !in->cm_set && m->mode != CM_MODE_OFF && !m->step;
    enum cm_mode before = m->mode;
    uint16_t content = read_register(m, in->reg_addr);
    bool write = in->reg_valid && in->reg_write && takes(before, in);

    m->out.idle = !m->step && !m->out.reg_done && !in->cm_tick && !in->cm_set && !kernel &&
                  !in->reg_valid && (m->mode == CM_MODE_OFF || !in->core_active);
    m->out.reg_done = in->reg_valid;
    if (in->reg_valid) {
        m->out.reg_rdata = content;
        m->out.reg_error = in->reg_addr > CM_NEXT_REG_ENDED || (in->reg_write && !write);
    }

    if (in->cm_tick && !m->step) {
        m->ended = m->now;
        m->ended.whole &= !kernel && !(write && in->reg_addr == CM_NEXT_REG_LIMIT);
    }
    uint8_t limit = m->out.limit;
    go_on(m, in);
    if (tick) {
        m->decision = (enum cm_decision)in->cm_decision;
        m->step = 1;
    } else if (kernel) {
        m->now.whole = false;
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
    m->now.whole |= m->mode == CM_MODE_OFF;
    m->out.state = m->step; /* named in their order */
    *out = m->out;
}

void sm_concurrency_next_reset(struct sm_concurrency_next *m, struct sm_concurrency_unit_out *out)
{
    *m = (struct sm_concurrency_next){.now = {.whole = true},
                                      .pair = LEVELS - 1 - SPAN,
                                      .upper = true,
                                      .average = NONE,
                                      .first = NONE,
                                      .caution = CAUTION_MIN,
                                      .out = {.limit = TOP, .idle = 1}};
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
