/* Golden model of fe_range and fe_registers. */
#include "tb/model/mem_frontend_state.h"

/* --- ranges ------------------------------------------------------------------------------------
 */

bool fe_range_writes(const struct fe_model *m, uint32_t *row, uint32_t *new_bits)
{
    const struct fe_range_work *range = &m->range;
    *row = range->row;
    *new_bits = range->state == FE_RANGE_WRITE ? range->merged : range->fill ? UINT32_MAX : 0;
    return range->state == FE_RANGE_START || range->state == FE_RANGE_CLEAR ||
           range->state == FE_RANGE_WRITE;
}

static uint32_t merge(const struct fe_range_work *range, uint32_t bits)
{
    uint32_t last = range->row == range->last_row ? range->last_word : FE_WORDS - 1;
    for (uint32_t word = range->first_word; word <= last; word++)
        bits = range->fill ? bits | 1u << word : bits & ~(1u << word);
    return bits;
}

static void step_range(struct fe_model *m)
{
    struct fe_range_work *range = &m->range;
    bool at_end = range->row == range->last_row;
    switch (range->state) {
    case FE_RANGE_IDLE:
        break;
    case FE_RANGE_READ:
        range->state = range->clear ? FE_RANGE_CLEAR : FE_RANGE_MERGE;
        break;
    case FE_RANGE_MERGE: /* nothing has written since the read */
        range->merged = merge(range, m->bits[range->row]);
        range->state = FE_RANGE_WRITE;
        break;
    case FE_RANGE_WRITE:
        range->state = FE_RANGE_REST;
        break;
    case FE_RANGE_REST:
        range->state = at_end ? FE_RANGE_IDLE : FE_RANGE_READ;
        range->row++;
        range->first_word = 0;
        break;
    case FE_RANGE_START:
    case FE_RANGE_CLEAR:
        if (at_end)
            range->state = FE_RANGE_IDLE;
        range->row++;
        break;
    }
}

static void start_range(struct fe_model *m, enum fe_command command)
{
    m->range = (struct fe_range_work){
        .state = FE_RANGE_READ,
        .row = m->range_first / FE_WORDS,
        .last_row = m->range_last / FE_WORDS,
        .first_word = m->range_first % FE_WORDS,
        .last_word = m->range_last % FE_WORDS,
        .fill = command == FE_COMMAND_FILL,
        .clear = command == FE_COMMAND_CLEAR,
    };
}

/* --- commands ----------------------------------------------------------------------------------
 */

static bool is_busy(const struct fe_model *m)
{
    return m->range.state != FE_RANGE_IDLE ||
           (m->command != FE_COMMAND_NONE && m->command != FE_COMMAND_RELEASE);
}

static enum fe_code verdict(const struct fe_model *m, uint32_t command, bool busy)
{
    if (command < FE_COMMAND_FILL || command > FE_COMMAND_RELEASE)
        return FE_CODE_BAD_COMMAND;
    uint32_t needed = command == FE_COMMAND_CLEAR ? EVG_FE_CONTROL_CLEAR : EVG_FE_CONTROL_OVERRIDE;
    if (!(m->control & needed))
        return FE_CODE_OFF;
    if (command == FE_COMMAND_RELEASE)
        return FE_CODE_OK;
    if (busy)
        return FE_CODE_BUSY;
    if (m->range_first > m->range_last || m->range_last / FE_WORDS >= m->parameters.region_lines)
        return FE_CODE_BAD_RANGE;
    return FE_CODE_OK;
}

/* --- reads -------------------------------------------------------------------------------------
 */

static uint32_t status(const struct fe_model *m)
{
    const struct fe_lane *gpu = &m->lanes[FE_QUEUE_GPU];
    bool releasing =
        m->lanes[FE_QUEUE_CPU].releases || gpu->releases || m->command == FE_COMMAND_RELEASE;
    for (uint32_t i = 0; i < gpu->n_heads; i++)
        releasing |= gpu->heads[i].released;
    return (is_busy(m) ? EVG_FE_STATUS_RANGE : 0u) | (releasing ? EVG_FE_STATUS_RELEASE : 0u) |
           (m->report.held ? EVG_FE_STATUS_REPORT : 0u) | (m->settled ? EVG_FE_STATUS_BASE : 0u) |
           (uint32_t)m->code << EVG_FE_STATUS_CODE;
}

static uint32_t read_register(const struct fe_model *m, uint8_t address)
{
    const struct fe_report none = {0}, *report = m->report.held ? &m->report : &none;
    switch ((enum fe_reg)address) {
    case FE_REG_CONTROL:
        return m->control;
    case FE_REG_STATUS:
        return status(m);
    case FE_REG_FIRST:
        return m->range_first;
    case FE_REG_LAST:
        return m->range_last;
    case FE_REG_TIMEOUT_NON:
    case FE_REG_TIMEOUT_CPU:
    case FE_REG_TIMEOUT_GPU:
        return m->lanes[address - FE_REG_TIMEOUT_NON].timeout;
    case FE_REG_REPORT_LINE:
        return report->line;
    case FE_REG_REPORT_MASK:
        return report->mask;
    case FE_REG_REPORT_AGE:
        return report->age;
    case FE_REG_REPORT_INFO:
        return report->info;
    case FE_REG_ERRORS:
        return m->errors;
    case FE_REG_REGION_BASE:
        return m->region_base;
    case FE_REG_REGION_LINES:
        return m->parameters.region_lines;
    case FE_REG_LINE_BYTES:
        return EVG_FE_LINE_BYTES;
    case FE_REG_GRAIN_BYTES:
        return m->grain_words * EVG_FE_WORD_BYTES;
    case FE_REG_LOST:
        return m->losses;
    case FE_REG_LOOK_AHEAD:
        return m->parameters.look_ahead;
    case FE_REG_COMMAND:
    default:
        return 0;
    }
}

/* --- time-outs ---------------------------------------------------------------------------------
 */

static struct fe_report report_of(const struct fe_lane *lane, uint32_t queue)
{
    const struct fe_request *head = fe_oldest_of(lane);
    return (struct fe_report){
        .held = true,
        .line = head->line,
        .mask = head->mask,
        .age = lane->age,
        .info = head->id | queue << EVG_FE_INFO_QUEUE |
                (uint32_t)head->source << EVG_FE_INFO_SOURCE |
                (uint32_t)head->write << EVG_FE_INFO_WRITE |
                (uint32_t)head->trigger << EVG_FE_INFO_TRIGGER |
                (uint32_t)head->action << EVG_FE_INFO_ACTION,
    };
}

static void step_timeouts(struct fe_model *m, const struct fe_events *events)
{
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        struct fe_lane *lane = &m->lanes[q];
        bool stayed = lane->stayed, old = lane->old;
        lane->old = stayed && lane->timeout && lane->age >= lane->timeout;
        /* Others that pass the oldest of several heads leave it where it is. */
        bool leaves = events->leaves == (int32_t)q && lane->chosen <= 0;
        lane->stayed = fe_oldest_of(lane) && !leaves;
        if (!stayed || !lane->timeout) {
            lane->age = 0;
            lane->reported = false;
            continue;
        }
        if (!m->report.held && !lane->reported && old) {
            m->report = report_of(lane, q);
            lane->reported = true;
        }
        if (lane->age != UINT32_MAX)
            lane->age++;
    }
}

/* --- registers ---------------------------------------------------------------------------------
 */

static void accept_command(struct fe_model *m, uint32_t command, bool busy)
{
    m->code = (uint8_t)verdict(m, command, busy);
    if (m->code == FE_CODE_OK)
        m->command = (enum fe_command)command;
}

/* The command accepted in the cycle before. */
static void run_command(struct fe_model *m)
{
    enum fe_command command = m->command;
    m->command = FE_COMMAND_NONE;
    if (command == FE_COMMAND_NONE) {
        step_range(m);
        return;
    }
    if (command != FE_COMMAND_RELEASE) {
        start_range(m, command);
        return;
    }
    step_range(m);
    /* A departure in this very cycle is counted off with the others. */
    for (uint32_t q = FE_QUEUE_CPU; q <= FE_QUEUE_GPU; q++) {
        m->lanes[q].releases = m->lanes[q].count;
        for (uint32_t i = 0; i < m->lanes[q].n_heads; i++)
            m->lanes[q].heads[i].released = true;
    }
}

/* A multiple of the lines, rounded up to a power of two. */
static bool is_region_base(const struct fe_model *m, uint32_t line)
{
    uint32_t size = 1;
    while (size < m->parameters.region_lines)
        size *= 2;
    return line % size == 0;
}

static void set_region_base(struct fe_model *m, uint32_t line)
{
    bool fits = !m->settled && is_region_base(m, line);
    m->code = fits ? FE_CODE_OK : FE_CODE_BAD_BASE;
    if (!fits)
        return;
    m->region_base = line;
    m->settled = true;
}

static void write_register(struct fe_model *m, const struct mem_frontend_in *in, bool busy)
{
    switch ((enum fe_reg)in->reg_addr) {
    case FE_REG_CONTROL:
        m->control = in->reg_data & (EVG_FE_CONTROL_OVERRIDE | EVG_FE_CONTROL_CLEAR);
        break;
    case FE_REG_COMMAND:
        accept_command(m, in->reg_data, busy);
        break;
    case FE_REG_FIRST:
        m->range_first = in->reg_data;
        break;
    case FE_REG_LAST:
        m->range_last = in->reg_data;
        break;
    case FE_REG_TIMEOUT_NON:
    case FE_REG_TIMEOUT_CPU:
    case FE_REG_TIMEOUT_GPU:
        m->lanes[in->reg_addr - FE_REG_TIMEOUT_NON].timeout = in->reg_data;
        break;
    case FE_REG_REGION_BASE:
        set_region_base(m, in->reg_data);
        break;
    case FE_REG_ERRORS:
        m->errors = 0;
        break;
    case FE_REG_LOST:
        m->losses = 0;
        break;
    default:
        break;
    }
}

void fe_registers_step(struct fe_model *m, const struct mem_frontend_in *in,
                       const struct fe_events *events)
{
    bool was_held = m->report.held, error_left = m->error_left, lost = m->lost[1];
    bool busy = is_busy(m);
    uint32_t value = read_register(m, in->reg_addr);
    step_timeouts(m, events);
    run_command(m);
    if (in->reg_valid && in->reg_write) {
        write_register(m, in, busy);
        if (in->reg_addr == FE_REG_STATUS && in->reg_data & EVG_FE_STATUS_REPORT && was_held)
            m->report.held = false;
    } else if (in->reg_valid)
        m->out.reg_data = value;
    if (error_left && m->errors != UINT32_MAX)
        m->errors++;
    if (lost && m->losses != UINT32_MAX)
        m->losses++;
    m->out.reg_ack = in->reg_valid;
}

bool fe_registers_quiet(const struct fe_model *m)
{
    for (uint32_t q = 0; q < FE_QUEUES; q++)
        if (fe_oldest_of(&m->lanes[q]) && m->lanes[q].timeout)
            return false;
    return !m->out.reg_ack;
}
