/* The golden model of free_run: the models of the tiles between doorbells, memory and cores, from
 * the contracts of fpga/free. */
#include "fpga/free/free_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "free_run_kind.h"

enum {
    PHASE_IDLE,
    PHASE_CLEAR,
    PHASE_RUN,
    PHASE_DONE,
    CLEARED = 1024,
    ANSWER = 17, /* cycles that a read of memory takes */
    RID = 0x100,
    TURNS = 8, /* times that an entry of a queue is used before its tag comes again */
};
#define FLAGS  0x80000000u
#define QUEUES 0x10000u

enum ring_state { RING_IDLE, RING_COMMAND, RING_ANSWER, RING_RING };

struct free_run {
    void *frontend, *unit[FREE_CORES];
    struct gpu_frontend_in fin;
    struct gpu_frontend_out fout;
    struct sm_event_unit_in uin[FREE_CORES];
    struct sm_event_unit_out uout[FREE_CORES];
    struct free_core core[FREE_CORES];
    struct free_latency latency;
    struct free_run_out out;
    uint32_t cleared;
    bool start;
    uint16_t now;
    uint32_t turn, random;
    struct {
        enum ring_state state;
        uint32_t row, random, burst, flight, write_row;
        bool write;
    } ring;
    struct {
        bool valid;
        uint8_t tag;
        uint64_t addr;
    } reads[ANSWER];
    struct {
        bool valid, bad;
        uint32_t at, turn, found;
    } flag;
    uint8_t turns[FREE_ROWS * FREE_QUEUE];
};

void *free_run_model_create(void)
{
    struct free_run *m = ALLOC(struct free_run);
    m->frontend = gpu_frontend_kind.model_create();
    for (int c = 0; c < FREE_CORES; c++)
        m->unit[c] = sm_event_unit_kind.model_create();
    return m;
}

void free_run_model_destroy(void *model)
{
    struct free_run *m = model;
    if (!m)
        return;
    gpu_frontend_kind.model_destroy(m->frontend);
    for (int c = 0; c < FREE_CORES; c++)
        sm_event_unit_kind.model_destroy(m->unit[c]);
    free(m);
}

void free_run_model_reset(void *model, void *out)
{
    struct free_run *m = model;
    struct free_run fresh = {.frontend = m->frontend, .random = 1};
    memcpy(fresh.unit, m->unit, sizeof fresh.unit);
    *m = fresh;
    m->ring.random = 1;
    gpu_frontend_kind.model_reset(m->frontend, &m->fout);
    for (int c = 0; c < FREE_CORES; c++) {
        sm_event_unit_kind.model_reset(m->unit[c], &m->uout[c]);
        free_core_reset(&m->core[c]);
    }
    free_latency_reset(&m->latency);
    memcpy(out, &m->out, sizeof m->out);
}

/* --- inputs of the tiles
 * -------------------------------------------------------------------------- */

static void configure(struct free_run *m, const struct free_run_in *in)
{
    m->fin.cfg_core_groups = 1;
    m->fin.cfg_core_mask = (1u << FREE_CORES) - 1;
    m->fin.cfg_mode = SCHED_MODE_PREEMPT;
    m->fin.big_ready = 1;
    m->fin.mr_ready = 1;
    m->fin.wr_size = EVG_DOORBELL_BYTES;
    for (int c = 0; c < FREE_CORES; c++) {
        m->uin[c].cfg_policy = in->policy;
        m->uin[c].cfg_opts = in->opts;
        m->uin[c].cfg_preempt = 1;
        m->uin[c].cfg_spare = in->spare;
        m->uin[c].cfg_warp_groups = 1;
    }
}

static void put_command(struct free_run *m)
{
    static const uint8_t units[FREE_ROWS] = {4, 8, 8, 12};
    struct gpu_frontend_in *in = &m->fin;
    uint32_t row = m->ring.row;
    in->cmd_valid = m->ring.state == RING_COMMAND;
    in->cmd_op = FRONTEND_CMD_REGISTER;
    in->cmd_row = (uint8_t)row;
    in->cmd_rid = (uint16_t)(RID | row);
    in->cmd_kernel = (uint64_t)units[row] << 56 | 0x4000 | row << 12;
    in->cmd_base = QUEUES | row << 12;
    in->cmd_size = 16;
    in->cmd_last = in->cmd_base + 16 * (FREE_QUEUE - 1);
    for (int i = 0; i < 6; i++)
        in->cmd_dims[i] = i == 3 ? 32 : 1;
    in->cmd_priority = (uint8_t)row;
    in->cmd_flag_first = FLAGS | row << 10;
    in->cmd_flag_last = in->cmd_flag_first + 4 * (FREE_QUEUE - 1);
}

static void put_read(struct free_run *m)
{
    m->fin.mr_rsp_valid = m->reads[ANSWER - 1].valid;
    m->fin.mr_rsp_tag = m->reads[ANSWER - 1].tag;
    uint64_t addr = m->reads[ANSWER - 1].addr;
    m->fin.mr_rsp_data = FLAGS | (addr >> 12 & 3) << 10 | (addr >> 4 & 0xff) << 2;
}

static void put_scan(struct free_run *m)
{
    struct gpu_frontend_in *in = &m->fin;
    in->stat_valid = m->fout.stat_req;
    in->stat_occupancy = in->stat_victims = in->stat_levels = 0;
    in->stat_busy = in->stat_free = in->stat_fits = 0;
    for (int c = 0; c < FREE_CORES; c++) {
        bool is_free, fits;
        free_core_scan(&m->core[c], &m->uin[c], m->fout.stat_req_regs, &is_free, &fits);
        in->stat_occupancy |= (uint32_t)m->uout[c].occupancy << 3 * c;
        in->stat_victims |= (uint32_t)m->uout[c].victims << 3 * c;
        in->stat_levels |= (uint32_t)m->uout[c].levels << 4 * c;
        in->stat_busy |= (uint8_t)(m->uout[c].busy << c);
        in->stat_free |= (uint8_t)(is_free << c);
        in->stat_fits |= (uint8_t)(fits << c);
    }
}

static void dispatch(struct free_run *m)
{
    const struct gpu_frontend_out *out = &m->fout;
    m->fin.ev_ack = out->ev_valid && m->uout[out->ev_core % FREE_CORES].ev_ready;
    for (int c = 0; c < FREE_CORES; c++) {
        struct sm_event_unit_in *in = &m->uin[c];
        in->ev_valid = m->fin.ev_ack && out->ev_core == c;
        in->ev_kernel = out->ev_kernel;
        in->ev_param = out->ev_param;
        in->ev_mask = out->ev_mask;
        in->ev_dims = out->ev_dims;
        in->ev_regs = out->ev_regs;
        in->ev_row = out->ev_row;
        in->ev_tag = out->ev_tag;
        in->ev_priority = out->ev_priority;
    }
}

/* One completion per cycle, from the cores in turn. */
static void collect(struct free_run *m)
{
    m->fin.done_valid = 0;
    for (uint32_t c = 0; c < FREE_CORES; c++)
        m->uin[c].done_ready = 0;
    for (uint32_t i = 0; i < FREE_CORES && m->fout.done_ready; i++) {
        uint32_t c = (m->turn + i) % FREE_CORES;
        if (!m->uout[c].done_valid)
            continue;
        m->fin.done_valid = 1;
        m->fin.done_row = m->uout[c].done_row;
        m->fin.done_param = m->uout[c].done_param;
        m->fin.done_tag = m->uout[c].done_tag;
        m->fin.done_aborted = m->uout[c].done_aborted;
        m->uin[c].done_ready = 1;
        m->turn = (c + 1) % FREE_CORES;
        return;
    }
}

/* --- the parts at the edge
 * ------------------------------------------------------------------------ */

static void read_edge(struct free_run *m)
{
    memmove(&m->reads[1], &m->reads[0], (ANSWER - 1) * sizeof m->reads[0]);
    m->reads[0].valid = m->fout.mr_valid;
    m->reads[0].tag = m->fout.mr_tag;
    m->reads[0].addr = m->fout.mr_addr;
}

/* False: a registration was refused. */
static bool ring_edge(struct free_run *m, const struct free_run_in *in, bool done)
{
    bool wants = m->ring.state == RING_RING && m->out.rung != in->goal &&
                 (m->ring.burst || (m->ring.random & 0xffff) < in->rate);
    bool rings = wants && m->ring.flight < in->most, ok = true;
    if (m->out.phase == PHASE_RUN)
        m->out.held += wants && !rings;
    switch (m->ring.state) {
    case RING_IDLE:
        if (m->start)
            m->ring.state = RING_COMMAND;
        break;
    case RING_COMMAND:
        if (m->fout.cmd_ready)
            m->ring.state = RING_ANSWER;
        break;
    case RING_ANSWER:
        if (m->fout.rsp_valid) {
            ok = m->fout.rsp_code == FRONTEND_CODE_OK;
            m->ring.state = m->ring.row == FREE_ROWS - 1 ? RING_RING : RING_COMMAND;
            m->ring.row = (m->ring.row + 1) % FREE_ROWS;
        }
        break;
    case RING_RING:
        break;
    }
    m->ring.write = rings;
    m->ring.write_row = m->ring.random >> 16 & 3;
    if (rings) {
        m->ring.burst = m->ring.burst ? m->ring.burst - 1 : in->burst;
        m->out.rung++;
    }
    m->ring.flight += (uint32_t)rings - (uint32_t)done;
    m->ring.random = m->start ? free_random_seed(in->seed) : free_random_next(m->ring.random);
    return ok;
}

/* Row and the low bits of the sequence number of a tag: those of an entry of the row's queue. */
static uint32_t place_of(uint32_t tag)
{
    return (tag >> EVG_ROW_EVENT_BITS) % FREE_ROWS * FREE_QUEUE + tag % FREE_QUEUE;
}

/* False: an event is complete that is not due. */
static bool flag_edge(struct free_run *m, bool flagged)
{
    const struct gpu_frontend_out *out = &m->fout;
    bool ok = !m->flag.valid || (!m->flag.bad && m->flag.found == m->flag.turn);
    uint32_t at = place_of(out->pw_tag);
    uint32_t found = m->turns[at];
    if (m->out.phase == PHASE_CLEAR)
        m->turns[m->cleared] = 0;
    else if (m->flag.valid)
        m->turns[m->flag.at] = (uint8_t)((m->flag.found + 1) % TURNS);
    m->flag.valid = flagged;
    m->flag.at = at;
    m->flag.turn = out->pw_tag / FREE_QUEUE % TURNS;
    m->flag.found = found;
    m->flag.bad = out->pw_addr != (FLAGS | at << 2) ||
                  out->pw_tag >> EVG_ROW_EVENT_BITS >= FREE_ROWS ||
                  out->pw_data != EVG_COMPLETION_DONE;
    return ok;
}

static bool latency_edge(struct free_run *m, const struct free_run_in *in)
{
    struct free_push pushes[FREE_CORES];
    for (int c = 0; c < FREE_CORES; c++) {
        const struct sm_event_unit_out *out = &m->uout[c];
        pushes[c].hold = out->vic_valid;
        pushes[c].push = m->uin[c].push_ok;
        pushes[c].entry = out->push_entry;
        pushes[c].at = place_of(out->push_tag);
        pushes[c].class = out->push_fresh ? 0 : out->push_spare ? 1 : 2;
        m->out.pushed += pushes[c].push;
    }
    bool ok = free_latency_edge(&m->latency, pushes, m->now,
                                m->fout.acc_valid ? (int)place_of(m->fout.acc_tag) : -1,
                                m->out.phase == PHASE_CLEAR ? (int)(m->cleared % 512) : -1, in->at);
    const struct free_latency *l = &m->latency;
    m->out.sum_free = l->launch_sum[0];
    m->out.sum_spare = l->launch_sum[1];
    m->out.sum_saved = l->launch_sum[2];
    m->out.take_spare = l->take_sum[1];
    m->out.take_saved = l->take_sum[2];
    m->out.launch_most = l->launch_most;
    m->out.take_most = l->take_most;
    m->out.bin = l->launch.read;
    m->out.take_bin = l->take.read;
    return ok;
}

static void phase_edge(struct free_run *m, const struct free_run_in *in, bool over)
{
    m->start = m->out.phase == PHASE_CLEAR && m->cleared == CLEARED - 1;
    m->out.cycles += m->out.phase == PHASE_RUN;
    if (m->out.phase == PHASE_IDLE)
        m->out.phase = in->run ? PHASE_CLEAR : PHASE_IDLE;
    else if (m->out.phase == PHASE_CLEAR && m->cleared++ == CLEARED - 1)
        m->out.phase = PHASE_RUN;
    else if (m->out.phase == PHASE_RUN && over)
        m->out.phase = PHASE_DONE;
    m->now++;
}

static void show(struct free_run *m)
{
    uint32_t last = m->latency.launch_last, octave = 0;
    while (last >>= 1)
        octave++;
    uint32_t done = m->out.phase == PHASE_DONE, runs = m->out.phase == PHASE_RUN;
    uint32_t wrong = m->out.wrong != 0, beat = m->out.cycles >> 23 & 1;
    m->out.leds = (uint8_t)(done << 7 | runs << 6 | wrong << 5 | beat << 4 | octave);
}

void free_run_model_step(void *model, const void *inputs, void *out)
{
    struct free_run *m = model;
    const struct free_run_in *in = inputs;
    configure(m, in);
    put_command(m);
    put_read(m);
    m->fin.wr_valid = m->ring.write;
    m->fin.wr_addr = m->ring.write_row << 12;
    m->fin.wr_rid = (uint16_t)(RID | m->ring.write_row);
    for (int c = 0; c < FREE_CORES; c++)
        free_core_inputs(&m->core[c], &m->uout[c], &m->uin[c]);
    put_scan(m);
    dispatch(m);
    collect(m);
    m->fin.pw_ready = (m->random & 3) != 0;

    bool flagged = m->fout.pw_valid && m->fin.pw_ready;
    bool over = m->out.phase == PHASE_RUN && m->ring.state == RING_RING &&
                m->out.rung == in->goal && !m->ring.flight;
    bool rejected = m->fout.err_unregistered || m->fout.err_misaligned || m->fout.err_size ||
                    m->fout.err_foreign || m->fout.err_overrun;
    bool wrong = m->fout.pw_bad || rejected;
    for (int c = 0; c < FREE_CORES; c++) {
        wrong |= m->core[c].was_wrong;
        free_core_edge(&m->core[c], &m->uout[c], m->out.phase == PHASE_RUN && !m->start);
        if (m->start)
            free_core_start(&m->core[c], (uint32_t)c, in->seed);
    }
    wrong |= !latency_edge(m, in);
    wrong |= !flag_edge(m, flagged);
    m->random = m->start ? free_random_seed(~in->seed) : free_random_next(m->random);
    wrong |= !ring_edge(m, in, flagged || m->fout.pw_bad);
    m->out.accepted += m->fout.acc_valid;
    m->out.completed += flagged;
    m->out.wrong = (uint16_t)(m->out.wrong + (uint16_t)(wrong && m->out.wrong != UINT16_MAX));
    read_edge(m);
    phase_edge(m, in, over);
    gpu_frontend_kind.model_step(m->frontend, &m->fin, &m->fout);
    for (int c = 0; c < FREE_CORES; c++)
        sm_event_unit_kind.model_step(m->unit[c], &m->uin[c], &m->uout[c]);
    show(m);
    memcpy(out, &m->out, sizeof m->out);
}
