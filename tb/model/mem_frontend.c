/* Golden model of tile mem_frontend: intake, heads, departures, replies, stall counters. */
#include <stdlib.h>

#include "base/alloc.h"
#include "tb/model/mem_frontend_state.h"

enum { STALL_MAX = 1023, NONE = -1 };

void *mem_frontend_model_create(void)
{
    struct mem_frontend_parameters p = mem_frontend_defaults();
    return mem_frontend_model_create_with(&p);
}

void *mem_frontend_model_create_with(const struct mem_frontend_parameters *parameters)
{
    struct fe_model *m = ALLOC(struct fe_model);
    m->parameters = *parameters;
    m->grain_words = parameters->grain_bytes / EVG_FE_WORD_BYTES;
    m->bits = ALLOC_ARRAY(uint32_t, parameters->region_lines);
    m->marked = ALLOC_ARRAY(bool, parameters->region_lines);
    m->owner = ALLOC_ARRAY(uint32_t, parameters->part_lines);
    for (uint32_t i = 0; i < parameters->part_lines; i++)
        m->owner[i] = i;
    mem_frontend_model_reset(m, &(struct mem_frontend_out){0});
    return m;
}

void mem_frontend_model_destroy(void *model)
{
    struct fe_model *m = model;
    free(m->bits);
    free(m->marked);
    free(m->owner);
    free(m);
}

/* What reset does not reach keeps its value: the bits, and outputs that go with a valid. */
void mem_frontend_model_reset(void *model, void *out)
{
    struct fe_model *m = model;
    for (uint32_t q = 0; q < FE_QUEUES; q++)
        m->lanes[q] =
            (struct fe_lane){.state = FE_HEAD_NEW,
                             .chosen = NONE,
                             .look_ahead = q == FE_QUEUE_GPU ? m->parameters.look_ahead : 1};
    m->range = (struct fe_range_work){
        .state = FE_RANGE_START, .last_row = m->parameters.region_lines - 1, .fill = true};
    m->report.held = m->started = m->error_left = false;
    m->incoming_queue = NONE;
    m->action.kind = FE_ACTION_NONE;
    m->command = FE_COMMAND_NONE;
    m->age_right = FE_QUEUE_GPU;
    m->last_reply = FE_QUEUE_GPU;
    m->control = m->range_first = m->range_last = m->errors = m->losses = 0;
    m->lost[0] = m->lost[1] = false;
    m->code = FE_CODE_OK;
    m->region_base = EVG_FE_REGION_BASE;
    m->settled = false;
    struct mem_frontend_out *o = &m->out;
    o->req_ready = o->dram_valid = o->rsp_valid = o->reg_ack = o->irq = o->idle = 0;
    o->head_state = 0;
    o->range_state = FE_RANGE_START;
    o->rsp_queue = m->last_reply;
    o->stall_mc = o->stall_net = 0;
    if (!m->parameters.scheduler) {
        m->started = true;
        m->range.state = FE_RANGE_IDLE;
        o->range_state = 0;
        o->rsp_queue = 0;
    }
    *(struct mem_frontend_out *)out = *o;
}

/* --- intake ------------------------------------------------------------------------------------
 */

static uint32_t declared_queue(const struct mem_frontend_in *in)
{
    if (in->req_trigger == FE_TRIGGER_NONE)
        return FE_QUEUE_NON;
    return in->req_source == FE_SOURCE_CPU ? FE_QUEUE_CPU : FE_QUEUE_GPU;
}

static struct fe_request request_of(const struct fe_model *m, const struct mem_frontend_in *in,
                                    uint32_t base)
{
    uint32_t row = in->req_line - base; /* wraps below the region */
    bool in_region = row < m->parameters.region_lines;
    bool meaningless = in->req_trigger > FE_TRIGGER_EMPTY || in->req_action > FE_ACTION_EMPTY;
    struct fe_request request = {
        .line = in->req_line,
        .mask = in->req_mask,
        .row = row,
        .trigger = in->req_trigger,
        .action = in->req_action,
        .source = in->req_source,
        .write = in->req_write,
        .error = meaningless || (in->req_trigger != FE_TRIGGER_NONE && !in_region),
        .id = in->req_id,
    };
    request.uses_bits = in_region && !request.error &&
                        (request.trigger != FE_TRIGGER_NONE || request.action != FE_ACTION_NONE);
    return request;
}

/* `base`: of the region, as it was before this cycle */
static void take_request(struct fe_model *m, const struct mem_frontend_in *in, uint32_t base)
{
    if (m->incoming_queue != NONE) {
        struct fe_lane *lane = &m->lanes[m->incoming_queue];
        lane->items[(lane->first + lane->count++) % EVG_FE_QUEUE_DEPTH] = m->incoming;
    }
    m->incoming_queue = NONE;
    uint32_t queue = declared_queue(in);
    if (!in->req_valid || !(m->out.req_ready >> queue & 1))
        return;
    m->incoming = request_of(m, in, base);
    m->settled = true;
    m->incoming_queue = m->incoming.error ? FE_QUEUE_NON : (int32_t)queue;
}

/* --- what happens in this cycle ----------------------------------------------------------------
 */

static bool acts(const struct fe_request *request)
{
    return request->uses_bits && request->action != FE_ACTION_NONE;
}

static bool triggered(const struct fe_request *request)
{
    return request->uses_bits && request->trigger != FE_TRIGGER_NONE;
}

static enum fe_head state_of(const struct fe_lane *lane)
{
    if (lane->look_ahead == 1)
        return lane->state;
    return lane->chosen == NONE ? FE_HEAD_NEW : lane->heads[lane->chosen].state;
}

static bool is_released(const struct fe_lane *lane)
{
    if (state_of(lane) != FE_HEAD_BLOCKED)
        return false;
    return lane->look_ahead == 1 ? lane->releases > 0 : lane->heads[lane->chosen].released;
}

static bool range_holds_actions(const struct fe_model *m)
{
    return m->range.state != FE_RANGE_IDLE && m->range.state != FE_RANGE_REST;
}

static bool is_ready(const struct fe_model *m, const struct fe_lane *lane,
                     const struct fe_events *e, bool dram_free)
{
    if (state_of(lane) != FE_HEAD_READY && !is_released(lane))
        return false;
    const struct fe_request *head = fe_head_of(lane);
    return lane->n_places < EVG_FE_REPLY_DEPTH && (head->error || dram_free) &&
           !(acts(head) && range_holds_actions(m)) && !(triggered(head) && e->range_writes);
}

static int32_t choose(const struct fe_model *m, const bool can[FE_QUEUES])
{
    bool cpu = can[FE_QUEUE_CPU] && m->lanes[FE_QUEUE_CPU].passed == EVG_FE_TURN_LIMIT;
    bool gpu = can[FE_QUEUE_GPU] && m->lanes[FE_QUEUE_GPU].passed == EVG_FE_TURN_LIMIT;
    if (cpu && gpu)
        return m->age_right == FE_QUEUE_CPU ? FE_QUEUE_GPU : FE_QUEUE_CPU;
    if (cpu || gpu)
        return cpu ? FE_QUEUE_CPU : FE_QUEUE_GPU;
    for (int32_t q = 0; q < FE_QUEUES; q++)
        if (can[q])
            return q;
    return NONE;
}

/* Departure, and who has been passed by it. */
static void decide_departure(struct fe_model *m, const struct mem_frontend_in *in,
                             struct fe_events *e)
{
    bool dram_free = !m->out.dram_valid || in->dram_ready, ready[FE_QUEUES], can[FE_QUEUES];
    for (int32_t q = 0; q < FE_QUEUES; q++) {
        const struct fe_request *head = fe_head_of(&m->lanes[q]);
        ready[q] = is_ready(m, &m->lanes[q], e, dram_free);
        can[q] = ready[q] && !(m->action.kind != FE_ACTION_NONE && (acts(head) || triggered(head)));
    }
    e->leaves = choose(m, can);
    if (e->leaves == NONE)
        return;
    e->released = is_released(&m->lanes[e->leaves]);
    if (m->lanes[e->leaves].passed == EVG_FE_TURN_LIMIT && e->leaves != FE_QUEUE_NON)
        m->age_right = (uint8_t)e->leaves;
    for (int32_t q = 0; q < FE_QUEUES; q++)
        if (q == e->leaves)
            m->lanes[q].passed = 0;
        else if (ready[q] && m->lanes[q].passed < EVG_FE_TURN_LIMIT)
            m->lanes[q].passed++;
}

/* The row that is written in this cycle. */
static void decide_write(const struct fe_model *m, struct fe_events *e)
{
    const struct fe_pending_action *action = &m->action;
    e->range_writes = e->writes = fe_range_writes(m, &e->row, &e->new_bits);
    if (action->kind == FE_ACTION_NONE)
        return;
    e->writes = true;
    e->row = action->row;
    e->new_bits = action->kind == FE_ACTION_FILL ? m->bits[e->row] | action->mask
                                                 : m->bits[e->row] & ~action->mask;
}

/* The head that is to be looked at, of several the youngest; NULL: none. */
static const struct fe_request *new_head(const struct fe_lane *lane)
{
    if (lane->look_ahead == 1)
        return lane->state == FE_HEAD_NEW ? fe_head_of(lane) : NULL;
    const struct fe_ahead *youngest = lane->n_heads ? &lane->heads[lane->n_heads - 1] : NULL;
    return youngest && youngest->state == FE_HEAD_NEW ? &youngest->request : NULL;
}

static int32_t decide_look(const struct fe_model *m)
{
    if (m->range.state == FE_RANGE_READ)
        return NONE;
    for (int32_t q = 0; q < FE_QUEUES; q++) {
        const struct fe_request *head = new_head(&m->lanes[q]);
        if (head && head->uses_bits)
            return q;
    }
    return NONE;
}

static int64_t decide_read(const struct fe_model *m, int32_t looks)
{
    if (m->range.state == FE_RANGE_READ)
        return m->range.row;
    return looks == NONE ? NONE : (int64_t)fe_row_of(new_head(&m->lanes[looks]));
}

static bool reply_due(const struct fe_lane *lane)
{
    const struct fe_place *first = &lane->places[lane->first_place];
    return lane->due || (lane->n_places && first->done && !first->storing);
}

static int32_t decide_reply(const struct fe_model *m, const struct mem_frontend_in *in)
{
    if (m->out.rsp_valid && !in->rsp_ready)
        return NONE;
    for (int32_t turn = 1; turn <= FE_QUEUES; turn++) {
        int32_t q = (m->last_reply + turn) % FE_QUEUES;
        if (m->lanes[q].due)
            return q;
    }
    return NONE;
}

/* A reply's place is known one cycle after the departure. */
static bool is_storing(const struct fe_lane *lane)
{
    return lane->n_places &&
           lane->places[(lane->first_place + lane->n_places - 1) % EVG_FE_REPLY_DEPTH].storing;
}

/* --- the rows of bits --------------------------------------------------------------------------
 */

uint32_t fe_whole_grains(const struct fe_model *m, uint32_t bits)
{
    for (uint32_t step = 1; step < m->grain_words; step *= 2) /* and of ever larger parts */
        bits &= bits >> step;
    uint32_t whole = 0;
    for (uint32_t word = 0; word < FE_WORDS; word += m->grain_words)
        if (bits >> word & 1)
            whole |= (UINT32_MAX >> (FE_WORDS - m->grain_words)) << word;
    return whole;
}

/* A row with part-full grains takes its place from the one that had it. */
static void write_row(struct fe_model *m, uint32_t row, uint32_t bits)
{
    m->bits[row] = bits;
    if (m->grain_words == 1)
        return;
    m->marked[row] = bits != fe_whole_grains(m, bits);
    uint32_t *owner = &m->owner[row % m->parameters.part_lines];
    if (!m->marked[row] || *owner == row)
        return;
    m->bits[*owner] = fe_whole_grains(m, m->bits[*owner]);
    *owner = row;
}

/* After this cycle's write: have words of the row that is read been lost? */
static void note_lost(struct fe_model *m, int64_t row)
{
    m->lost[1] = m->lost[0];
    m->lost[0] = row != NONE && m->marked[row] && m->owner[row % m->parameters.part_lines] != row;
}

/* --- how the parts move on ---------------------------------------------------------------------
 */

static bool holds(const struct fe_model *m, const struct fe_request *request)
{
    uint32_t full = fe_whole_grains(m, m->bits[fe_row_of(request)]) & request->mask;
    return full == (request->trigger == FE_TRIGGER_FULL ? request->mask : 0);
}

static enum fe_head next_state(const struct fe_model *m, const struct fe_request *head,
                               enum fe_head state, const struct fe_events *e)
{
    if (!head->uses_bits)
        return FE_HEAD_READY;
    if (state == FE_HEAD_NEW)
        return state;
    bool touched = e->writes && e->row == fe_row_of(head);
    if (state == FE_HEAD_LOOK)
        return triggered(head) ? FE_HEAD_JUDGE : FE_HEAD_READY;
    if (touched && triggered(head))
        return FE_HEAD_JUDGE;
    if (state == FE_HEAD_JUDGE)
        return holds(m, head) ? FE_HEAD_READY : FE_HEAD_BLOCKED;
    return state;
}

static void step_heads(const struct fe_model *m, struct fe_lane *lane, bool looked_at,
                       const struct fe_events *e)
{
    for (uint32_t i = 0; i < lane->n_heads; i++) {
        struct fe_ahead *head = &lane->heads[i];
        head->state = looked_at && i + 1 == lane->n_heads
                          ? FE_HEAD_LOOK
                          : next_state(m, &head->request, head->state, e);
    }
    if (lane->look_ahead > 1)
        return;
    const struct fe_request *head = fe_head_of(lane);
    if (looked_at)
        lane->state = FE_HEAD_LOOK;
    else if (head)
        lane->state = next_state(m, head, lane->state, e);
}

static void send_reply(struct fe_model *m, const struct mem_frontend_in *in, int32_t queue)
{
    struct mem_frontend_out *o = &m->out;
    if (in->rsp_ready)
        o->rsp_valid = 0;
    if (queue == NONE)
        return;
    struct fe_lane *lane = &m->lanes[queue];
    const struct fe_place *place = &lane->places[lane->first_place];
    o->rsp_valid = 1;
    o->rsp_id = place->id;
    o->rsp_source = place->source;
    o->rsp_status = place->status;
    o->rsp_queue = m->last_reply = (uint8_t)queue;
    lane->first_place = (lane->first_place + 1) % EVG_FE_REPLY_DEPTH;
    lane->n_places--;
    lane->due = false;
}

static void ripen_replies(struct fe_model *m)
{
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        struct fe_lane *lane = &m->lanes[q];
        struct fe_place *last =
            &lane->places[(lane->first_place + lane->n_places + EVG_FE_REPLY_DEPTH - 1) %
                          EVG_FE_REPLY_DEPTH];
        lane->due = reply_due(lane);
        last->storing = false;
    }
}

static void take_answer(struct fe_model *m, const struct mem_frontend_in *in)
{
    uint32_t queue = in->answer_tag / EVG_FE_REPLY_DEPTH;
    if (in->answer_valid && queue < FE_QUEUES)
        m->lanes[queue].places[in->answer_tag % EVG_FE_REPLY_DEPTH].done = true;
}

static void leave(struct fe_model *m, const struct mem_frontend_in *in, const struct fe_events *e)
{
    struct mem_frontend_out *o = &m->out;
    if (in->dram_ready)
        o->dram_valid = 0;
    m->action.kind = FE_ACTION_NONE;
    m->error_left = false;
    if (e->leaves == NONE)
        return;
    struct fe_lane *lane = &m->lanes[e->leaves];
    const struct fe_request *head = fe_head_of(lane);
    m->error_left = head->error;
    if (acts(head))
        m->action = (struct fe_pending_action){
            .kind = head->action, .row = fe_row_of(head), .mask = head->mask};
    /* A reply sent in this cycle has already freed its place at the front. */
    uint32_t place = (lane->first_place + lane->n_places++) % EVG_FE_REPLY_DEPTH;
    lane->places[place] = (struct fe_place){
        .id = head->id,
        .source = head->source,
        .status = head->error   ? FE_STATUS_ERROR
                  : e->released ? FE_STATUS_RELEASED
                                : FE_STATUS_OK,
        .done = head->error,
        .storing = true,
    };
    if (!head->error) {
        o->dram_valid = 1;
        o->dram_line = head->line;
        o->dram_mask = head->mask;
        o->dram_source = head->source;
        o->dram_write = head->write;
        o->dram_id = head->id;
        o->dram_tag = (uint8_t)((uint32_t)e->leaves * EVG_FE_REPLY_DEPTH + place);
    }
    if (lane->look_ahead > 1)
        return;
    lane->first = (lane->first + 1) % EVG_FE_QUEUE_DEPTH;
    lane->count--;
    lane->state = FE_HEAD_NEW;
    if (lane->releases)
        lane->releases--;
}

static void count_stall(uint16_t *counter, bool stall, bool read)
{
    if (read)
        *counter = 0;
    if (stall && *counter < STALL_MAX)
        ++*counter;
}

static bool quiet(const struct fe_model *m, const struct mem_frontend_in *in)
{
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        const struct fe_lane *lane = &m->lanes[q];
        bool still = lane->look_ahead > 1
                         ? fe_ahead_still(lane)
                         : !lane->count || (lane->state == FE_HEAD_BLOCKED && !lane->releases);
        if (!still || reply_due(lane) || is_storing(lane))
            return false;
    }
    bool stalled = (in->mc_valid && !in->mc_ready) || (in->net_valid && !in->net_ready);
    return m->started && m->incoming_queue == NONE && m->range.state == FE_RANGE_IDLE &&
           !m->out.dram_valid && !m->out.rsp_valid && fe_registers_quiet(m) && !in->req_valid &&
           !in->answer_valid && !in->reg_valid && !in->stall_read && !stalled;
}

static void show_state(struct fe_model *m)
{
    struct mem_frontend_out *o = &m->out;
    bool room[FE_QUEUES];
    o->head_state = 0;
    for (int32_t q = 0; q < FE_QUEUES; q++) {
        const struct fe_lane *lane = &m->lanes[q];
        uint32_t inside = lane->count + lane->n_heads + (m->incoming_queue == q);
        room[q] = m->started && inside < EVG_FE_QUEUE_DEPTH;
        enum fe_head oldest = lane->n_heads && !lane->moved ? lane->heads[0].state : lane->state;
        o->head_state |= (uint16_t)((uint32_t)oldest << (3 * q));
    }
    /* A triggered request may turn out to be one for NON. */
    o->req_ready =
        room[FE_QUEUE_NON] ? (uint8_t)(1u | (room[1] ? 2u : 0u) | (room[2] ? 4u : 0u)) : 0;
    o->range_state = (uint8_t)m->range.state;
    o->irq = m->report.held;
}

static void step_scheduler(struct fe_model *m, const struct mem_frontend_in *in)
{
    struct fe_events e = {.looks = decide_look(m), .replies = decide_reply(m, in)};
    const bool range_idle = m->range.state == FE_RANGE_IDLE;
    const uint32_t base = m->region_base;

    e.reads = decide_read(m, e.looks);
    decide_write(m, &e);
    decide_departure(m, in, &e);
    fe_ahead_decide(m, &e);
    fe_registers_step(m, in, &e);
    for (int32_t q = 0; q < FE_QUEUES; q++)
        step_heads(m, &m->lanes[q], e.looks == q, &e);
    if (e.writes)
        write_row(m, e.row, e.new_bits);
    note_lost(m, e.reads);
    ripen_replies(m);
    send_reply(m, in, e.replies);
    take_answer(m, in);
    leave(m, in, &e);
    if (m->parameters.look_ahead > 1)
        fe_ahead_step(&m->lanes[FE_QUEUE_GPU], e.leaves == FE_QUEUE_GPU, &e);
    take_request(m, in, base);
    m->started |= range_idle;
    show_state(m);
}

void mem_frontend_model_step(void *model, const void *in_, void *out)
{
    struct fe_model *m = model;
    const struct mem_frontend_in *in = in_;
    const bool is_quiet = quiet(m, in);

    if (m->parameters.scheduler)
        step_scheduler(m, in);
    count_stall(&m->out.stall_mc, in->mc_valid && !in->mc_ready, in->stall_read);
    count_stall(&m->out.stall_net, in->net_valid && !in->net_ready, in->stall_read);
    m->out.idle = is_quiet;
    *(struct mem_frontend_out *)out = m->out;
}
