/* Golden model of rtl/tiles/concurrency_unit.v, from the contract in rtl/cm/cm_controller.v. */
#include "concurrency_unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "evgpu_defs.h"

enum { REGISTERS = CM_REG_DECISION + 1, SUM_MAX = (1 << 14) - 1 };

struct cmu {
    uint16_t reg[REGISTERS]; /* by enum cm_reg: all that software sees, and most of the state */
    enum cm_state state;
    bool ended;                /* at the last edge an interval ended or a mode was written */
    bool forget;               /* the reading begins a mode */
    enum cm_decision compared; /* what the sums say */
    struct concurrency_unit_out out;
};

/* What each register takes. */
static const struct {
    uint16_t low, high;
} range[REGISTERS] = {
    [CM_REG_MODE] = {0, CM_MODE_FIXED},
    [CM_REG_K] = {0, 2047},
    [CM_REG_T_HIGH] = {0, SUM_MAX},
    [CM_REG_T_LOW] = {0, SUM_MAX},
    [CM_REG_INTERVAL] = {EVG_CM_INTERVAL_MIN, EVG_CM_INTERVAL},
    [CM_REG_PARTITIONS] = {1, EVG_CM_PARTITIONS},
    [CM_REG_PATIENCE] = {0, 7},
    [CM_REG_PIVOT] = {0, 63},
    [CM_REG_SUM_MC] = {0, SUM_MAX},
    [CM_REG_SUM_NET] = {0, SUM_MAX},
    [CM_REG_TIME] = {0, EVG_CM_INTERVAL - 1},
    [CM_REG_DECISION] = {0, CM_DECISION_UP},
};

/* Answers an access to the registers as they were before this edge; true if the register takes the
 * value. */
static bool answer(struct cmu *m, const struct concurrency_unit_in *in, const uint16_t *old)
{
    m->out.reg_done = in->reg_valid;
    if (!in->reg_valid)
        return false;
    bool known = in->reg_addr < REGISTERS;
    bool takes = known && in->reg_data >= range[in->reg_addr].low &&
                 in->reg_data <= range[in->reg_addr].high;
    m->out.reg_rdata = known ? old[in->reg_addr] : 0;
    m->out.reg_error = !known || (in->reg_write && !takes);
    return in->reg_write && takes;
}

static uint16_t add(uint16_t sum, uint16_t stalls)
{
    uint32_t total = (uint32_t)sum + stalls;
    return (uint16_t)(total > SUM_MAX ? SUM_MAX : total);
}

static enum cm_decision decide(const uint16_t *reg)
{
    if (reg[CM_REG_SUM_MC] >= reg[CM_REG_T_HIGH] || reg[CM_REG_SUM_NET] >= reg[CM_REG_T_HIGH])
        return CM_DECISION_DOWN;
    bool low = reg[CM_REG_SUM_MC] < reg[CM_REG_T_LOW] && reg[CM_REG_SUM_NET] < reg[CM_REG_T_LOW];
    return low ? CM_DECISION_UP : CM_DECISION_HOLD;
}

/* Reading and deciding, one edge. */
static void advance(struct cmu *m, const struct concurrency_unit_in *in, const uint16_t *old)
{
    bool ended = m->ended;
    m->ended = false;
    if (old[CM_REG_MODE] != CM_MODE_OFF) {
        m->ended = old[CM_REG_TIME] + 1 >= old[CM_REG_INTERVAL];
        m->reg[CM_REG_TIME] = m->ended ? 0 : (uint16_t)(old[CM_REG_TIME] + 1);
    }
    switch (m->state) {
    case CM_STATE_MEASURE:
        if (ended) {
            m->state = CM_STATE_READ;
            m->reg[CM_REG_SUM_MC] = m->reg[CM_REG_SUM_NET] = 0;
        }
        break;
    case CM_STATE_READ:
        if (!in->mon_valid)
            break;
        m->reg[CM_REG_SUM_MC] = add(old[CM_REG_SUM_MC], in->mon_mc);
        m->reg[CM_REG_SUM_NET] = add(old[CM_REG_SUM_NET], in->mon_net);
        if (m->out.mon_index + 1 >= old[CM_REG_PARTITIONS])
            m->state = CM_STATE_COMPARE;
        else
            m->out.mon_index++;
        break;
    case CM_STATE_COMPARE:
        m->compared = decide(old);
        m->state = CM_STATE_DECIDE;
        break;
    case CM_STATE_DECIDE:
        m->state = CM_STATE_MEASURE;
        m->out.mon_index = 0;
        m->out.cm_set = m->forget;
        m->out.cm_tick = !m->forget;
        if (!m->forget)
            m->reg[CM_REG_DECISION] = m->compared;
        m->forget = false;
        break;
    }
}

/* A write of MODE at this edge, before which the registers were `old`. */
static void begin_mode(struct cmu *m, const uint16_t *old, uint16_t mode)
{
    m->state = mode == CM_MODE_OFF ? CM_STATE_DECIDE : CM_STATE_MEASURE;
    m->ended = mode != CM_MODE_OFF;
    m->forget = true;
    m->out.mon_index = 0;
    m->out.cm_set = m->out.cm_tick = 0;
    m->reg[CM_REG_TIME] = m->reg[CM_REG_SUM_MC] = m->reg[CM_REG_SUM_NET] = 0;
    m->reg[CM_REG_DECISION] = old[CM_REG_DECISION];
}

static void show_registers(struct cmu *m)
{
    m->out.cm_mode = (uint8_t)m->reg[CM_REG_MODE];
    m->out.cm_k = m->reg[CM_REG_K];
    m->out.cm_patience = (uint8_t)m->reg[CM_REG_PATIENCE];
    m->out.cm_pivot = (uint8_t)m->reg[CM_REG_PIVOT];
    m->out.cm_decision = (uint8_t)m->reg[CM_REG_DECISION];
    m->out.state = m->state;
    m->out.mon_read = m->state == CM_STATE_READ;
}

void concurrency_unit_model_step(void *model, const void *in_data, void *out_data)
{
    struct cmu *m = model;
    const struct concurrency_unit_in *in = in_data;
    const struct cmu before = *m;
    const struct concurrency_unit_out *old = &before.out;

    m->out.idle = before.reg[CM_REG_MODE] == CM_MODE_OFF && before.state == CM_STATE_MEASURE &&
                  !old->cm_tick && !old->cm_set && !old->reg_done && !in->reg_valid;
    m->out.cm_tick = m->out.cm_set = 0;
    advance(m, in, before.reg);
    if (answer(m, in, before.reg)) {
        m->reg[in->reg_addr] = in->reg_data;
        if (in->reg_addr == CM_REG_MODE)
            begin_mode(m, before.reg, in->reg_data);
    }
    show_registers(m);
    *(struct concurrency_unit_out *)out_data = m->out;
}

void concurrency_unit_model_reset(void *model, void *out)
{
    struct cmu *m = model;
    *m = (struct cmu){.reg = {[CM_REG_K] = EVG_CM_K,
                              [CM_REG_T_HIGH] = EVG_CM_T_HIGH,
                              [CM_REG_T_LOW] = EVG_CM_T_LOW,
                              [CM_REG_INTERVAL] = EVG_CM_INTERVAL,
                              [CM_REG_PARTITIONS] = EVG_CM_PARTITIONS,
                              [CM_REG_PATIENCE] = EVG_CM_PATIENCE,
                              [CM_REG_PIVOT] = EVG_CM_PIVOT}};
    show_registers(m);
    m->out.idle = 1;
    *(struct concurrency_unit_out *)out = m->out;
}

void *concurrency_unit_model_create(void)
{
    struct cmu *m = ALLOC(struct cmu);
    concurrency_unit_model_reset(m, &(struct concurrency_unit_out){0});
    return m;
}

void concurrency_unit_model_destroy(void *model)
{
    free(model);
}
