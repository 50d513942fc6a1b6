/* axi_frontend: a driver and devices at its AXI4-Lite slave, memory behind its AXI4 master,
 * cores that run events. Every channel stalls by a pattern of its own. At every edge the bench
 * checks what AXI asks of the outputs, and against a reference which answer each access gets, which
 * entry each event has, which pointer is read and which flag is written. */
#include "axi_regs.h"
#include "base/rng.h"
#include "evgpu_defs.h"
#include "axi_frontend.h"
#include "tests/tb/bench/pattern.h"
#include "tests/unit.h"

enum {
    REGISTERS = 0x20000,
    OKAY = 0,
    SLVERR = 2,
    RING = 4096, /* accesses and events under way */
    PATIENCE = 20000,
    ROWS = 4, /* of the tests with traffic */
    ENTRIES = 16,
    ENTRY = 64,
    DEVICE = 0x123,
};

#define QUEUE_BASE(row)   (0x100000000u + 0x10000u * (uint64_t)(row))
#define FLAG(row, number) (0x900000000u + 0x1000u * (uint64_t)(row) + 4u * (number))

struct access {
    uint32_t addr, data;
    uint16_t user;
    uint8_t strobe;
    uint8_t want; /* answer */
    bool check;   /* ... of a write; of a read its data are kept */
};

struct ring {
    struct access items[RING];
    uint32_t head, tail;
};

struct event {
    uint64_t param;
    uint8_t row, tag; /* tag: of the read */
    uint16_t event_tag;
    uint64_t due;
};

struct bench {
    void *rtl;
    struct axi_frontend_in in;
    struct axi_frontend_out out, before;
    struct rng rng;
    uint64_t cycle;
    struct pattern aw, w, b, ar, r, m_ar, m_r, m_aw, m_w, m_b, ack, done;
    struct ring aws, ws, bs, ars, rs; /* offered; offered; awaiting its answer; likewise of reads */
    uint32_t answers, read_answers, last_data;
    uint8_t last_answer;
    /* Events that run, reads of their pointers, and writes whose answer is due */
    struct event running[RING], reads[RING];
    uint32_t n_running, n_reads;
    uint32_t aw_out, w_out, b_out; /* handshakes of the master's write channels */
    uint64_t aw_addr[RING];
    bool bad_pointer, read_error, write_error; /* of the next events' */
    uint32_t launched[EVG_EKT_ROWS], flags[EVG_EKT_ROWS], completions, flags_total;
};

/* --- the bus ---------------------------------------------------------------------------------- */

static void held(bool valid_before, bool ready, bool valid, bool same)
{
    if (valid_before && !ready)
        assert_true(valid && same);
}

/* What AXI asks of a valid: it stays, its payload with it, until its ready. */
static void check_held(const struct bench *b)
{
    const struct axi_frontend_out *o = &b->out, *p = &b->before;
    held(p->s_bvalid, b->in.s_bready, o->s_bvalid, o->s_bresp == p->s_bresp);
    held(p->s_rvalid, b->in.s_rready, o->s_rvalid,
         o->s_rresp == p->s_rresp && o->s_rdata == p->s_rdata);
    held(p->m_arvalid, b->in.m_arready, o->m_arvalid,
         o->m_araddr == p->m_araddr && o->m_arid == p->m_arid && o->m_arlen == p->m_arlen &&
             o->m_arsize == p->m_arsize && o->m_arburst == p->m_arburst);
    held(p->m_awvalid, b->in.m_awready, o->m_awvalid,
         o->m_awaddr == p->m_awaddr && o->m_awid == p->m_awid && o->m_awlen == p->m_awlen &&
             o->m_awsize == p->m_awsize && o->m_awburst == p->m_awburst);
    held(p->m_wvalid, b->in.m_wready, o->m_wvalid,
         o->m_wdata == p->m_wdata && o->m_wstrb == p->m_wstrb && o->m_wlast == p->m_wlast);
}

static struct access *front(struct ring *ring)
{
    return ring->head == ring->tail ? NULL : &ring->items[ring->head % RING];
}

static void push(struct ring *ring, const struct access *a)
{
    assert_true(ring->tail - ring->head < RING);
    ring->items[ring->tail++ % RING] = *a;
}

/* A valid that stands stays; else the pattern decides. */
static uint8_t offer(struct bench *b, struct pattern *p, const struct access *next, uint8_t was,
                     bool taken)
{
    if (was && !taken)
        return 1;
    return next && pattern_next(p, &b->rng, 128);
}

static void drive_slave(struct bench *b, const bool taken[3])
{
    struct axi_frontend_in *in = &b->in;
    const struct access *a = front(&b->aws);
    in->s_awvalid = offer(b, &b->aw, a, in->s_awvalid, taken[0]);
    if (in->s_awvalid) {
        in->s_awaddr = a->addr;
        in->s_awuser = a->user;
    }
    a = front(&b->ws);
    in->s_wvalid = offer(b, &b->w, a, in->s_wvalid, taken[1]);
    if (in->s_wvalid) {
        in->s_wdata = a->data;
        in->s_wstrb = a->strobe;
    }
    a = front(&b->ars);
    in->s_arvalid = offer(b, &b->ar, a, in->s_arvalid, taken[2]);
    if (in->s_arvalid)
        in->s_araddr = a->addr;
    in->s_bready = pattern_next(&b->b, &b->rng, 128);
    in->s_rready = pattern_next(&b->r, &b->rng, 128);
}

/* --- memory ----------------------------------------------------------------------------------- */

static uint32_t row_of(uint64_t param)
{
    uint64_t row = (param - QUEUE_BASE(0)) >> 16;
    assert_true(param >= QUEUE_BASE(0) && row < EVG_EKT_ROWS);
    return (uint32_t)row;
}

static uint64_t pointer_of(const struct bench *b, uint64_t param)
{
    uint32_t row = row_of(param);
    uint64_t flag = FLAG(row, (param - QUEUE_BASE(row)) / ENTRY);
    return b->bad_pointer ? flag + 0x800 : flag;
}

static void drive_memory(struct bench *b)
{
    struct axi_frontend_in *in = &b->in;
    in->m_arready = pattern_next(&b->m_ar, &b->rng, 128);
    in->m_awready = pattern_next(&b->m_aw, &b->rng, 128);
    in->m_wready = pattern_next(&b->m_w, &b->rng, 128);
    in->m_rvalid = b->n_reads && pattern_next(&b->m_r, &b->rng, 100);
    if (in->m_rvalid) { /* any of those that wait */
        uint32_t i = rng_below(&b->rng, b->n_reads);
        in->m_rid = b->reads[i].tag;
        in->m_rdata = pointer_of(b, b->reads[i].param);
        in->m_rresp = b->read_error ? SLVERR : OKAY;
        b->reads[i] = b->reads[--b->n_reads];
    }
    uint32_t both = b->aw_out < b->w_out ? b->aw_out : b->w_out;
    in->m_bvalid = both > b->b_out && pattern_next(&b->m_b, &b->rng, 100);
    in->m_bresp = b->write_error ? SLVERR : OKAY;
    b->b_out += in->m_bvalid;
}

static void take_master(struct bench *b)
{
    const struct axi_frontend_out *o = &b->before; /* as it stood at the edge */
    if (o->m_arvalid && b->in.m_arready) {
        assert_true(!o->m_arlen && o->m_arsize == 3 && o->m_arburst == 1 && !(o->m_araddr % 8));
        for (uint32_t i = 0; i < b->n_reads; i++)
            assert_true(b->reads[i].tag != o->m_arid);
        b->reads[b->n_reads++] = (struct event){.param = o->m_araddr, .tag = o->m_arid};
    }
    if (o->m_awvalid && b->in.m_awready) {
        assert_true(!o->m_awlen && o->m_awsize == 2 && o->m_awburst == 1 && !o->m_awid);
        b->aw_addr[b->aw_out++ % RING] = o->m_awaddr;
    }
    if (o->m_wvalid && b->in.m_wready) {
        assert_true(o->m_wlast);
        assert_true(o->m_wstrb == 0x0f || o->m_wstrb == 0xf0);
        assert_int_equal((uint32_t)(o->m_wstrb == 0x0f ? o->m_wdata : o->m_wdata >> 32),
                         EVG_COMPLETION_DONE);
        /* Address and data are offered together: the one not taken yet still stands. */
        uint64_t addr = b->aw_out > b->w_out ? b->aw_addr[b->w_out % RING] : o->m_awaddr;
        assert_int_equal(o->m_wstrb, addr & 4 ? 0xf0 : 0x0f);
        uint32_t row = (uint32_t)((addr - FLAG(0, 0)) / 0x1000);
        assert_true(addr == FLAG(row, b->flags[row] % ENTRIES));
        b->flags[row]++;
        b->flags_total++;
        b->w_out++;
    }
}

/* --- cores ------------------------------------------------------------------------------------ */

static void drive_cores(struct bench *b)
{
    const struct axi_frontend_out *o = &b->out;
    struct axi_frontend_in *in = &b->in;
    in->stat_valid = o->stat_req;
    in->stat_group = o->stat_req_group;
    in->stat_free = in->stat_fits = 0xff;
    in->ev_ack = o->ev_valid && pattern_next(&b->ack, &b->rng, 128);
    in->big_ready = 1;
    bool offered = in->done_valid && !b->before.done_ready;
    if (offered)
        return;
    in->done_valid =
        b->n_running && b->running[0].due <= b->cycle && pattern_next(&b->done, &b->rng, 128);
    if (in->done_valid) {
        in->done_row = b->running[0].row;
        in->done_param = b->running[0].param;
        in->done_tag = b->running[0].event_tag;
    }
}

static void take_cores(struct bench *b)
{
    const struct axi_frontend_out *o = &b->before;
    if (b->in.done_valid && o->done_ready) {
        b->n_running--;
        memmove(&b->running[0], &b->running[1], b->n_running * sizeof b->running[0]);
        b->completions++;
    }
    if (!(o->ev_valid && b->in.ev_ack))
        return;
    uint32_t row = row_of(o->ev_param);
    assert_int_equal(row, o->ev_row);
    assert_true(o->ev_param == QUEUE_BASE(row) + ENTRY * (b->launched[row] % ENTRIES));
    assert_true(o->ev_kernel == 0x4000 + row && o->ev_regs == 8 && o->ev_mask == 0xffffffff);
    b->launched[row]++;
    b->running[b->n_running++] = (struct event){.param = o->ev_param,
                                                .row = o->ev_row,
                                                .event_tag = o->ev_tag,
                                                .due = b->cycle + rng_below(&b->rng, 40)};
}

/* --- a cycle ---------------------------------------------------------------------------------- */

static void step(struct bench *b)
{
    b->before = b->out;
    axi_frontend_rtl_step(b->rtl, &b->in, &b->out);
    b->cycle++;
    const struct axi_frontend_out *o = &b->before;
    check_held(b);
    const bool taken[3] = {b->in.s_awvalid && o->s_awready, b->in.s_wvalid && o->s_wready,
                           b->in.s_arvalid && o->s_arready};
    b->aws.head += taken[0];
    b->ws.head += taken[1];
    b->ars.head += taken[2];
    if (o->s_bvalid && b->in.s_bready) {
        const struct access *a = front(&b->bs);
        assert_non_null(a); /* no answer without a request */
        assert_true(b->aws.head > b->bs.head && b->ws.head > b->bs.head);
        if (a->check)
            assert_int_equal(o->s_bresp, a->want);
        b->last_answer = o->s_bresp;
        b->bs.head++;
        b->answers++;
    }
    if (o->s_rvalid && b->in.s_rready) {
        assert_non_null(front(&b->rs));
        assert_true(b->ars.head > b->rs.head);
        b->last_data = o->s_rdata;
        b->last_answer = o->s_rresp;
        b->rs.head++;
        b->read_answers++;
    }
    take_master(b);
    take_cores(b);
    drive_slave(b, taken);
    drive_memory(b);
    drive_cores(b);
}

static void steps(struct bench *b, uint32_t cycles)
{
    while (cycles--)
        step(b);
}

static void start_write(struct bench *b, uint32_t addr, uint32_t data, uint8_t strobe,
                        uint16_t user)
{
    const struct access a = {.addr = addr, .data = data, .strobe = strobe, .user = user};
    push(&b->aws, &a);
    push(&b->ws, &a);
    push(&b->bs, &a);
}

/* Writes and waits for the answer. */
static uint8_t write_bytes(struct bench *b, uint32_t addr, uint32_t data, uint8_t strobe)
{
    start_write(b, addr, data, strobe, DEVICE);
    for (uint32_t i = 0; front(&b->bs); i++) {
        assert_true(i < PATIENCE);
        step(b);
    }
    return b->last_answer;
}

static uint8_t write_word(struct bench *b, uint32_t offset, uint32_t data)
{
    return write_bytes(b, REGISTERS + offset, data, 0xf);
}

static uint8_t read_any(struct bench *b, uint32_t addr, uint32_t *data)
{
    const struct access a = {.addr = addr};
    push(&b->ars, &a);
    push(&b->rs, &a);
    for (uint32_t i = 0; front(&b->rs); i++) {
        assert_true(i < PATIENCE);
        step(b);
    }
    *data = b->last_data;
    return b->last_answer;
}

static uint32_t read_word(struct bench *b, uint32_t offset)
{
    uint32_t data;
    assert_int_equal(read_any(b, REGISTERS + offset, &data), OKAY);
    return data;
}

/* A doorbell of `strobe`'s bytes, whose answer must be OKAY; nobody waits for it. */
static void ring(struct bench *b, uint32_t addr, uint8_t strobe, uint16_t user)
{
    start_write(b, addr, 0, strobe, user);
    b->bs.items[(b->bs.tail - 1) % RING].check = true;
}

static void settle(struct bench *b)
{
    for (uint32_t i = 0; front(&b->bs) || b->n_running || !b->out.idle; i++) {
        assert_true(i < PATIENCE);
        step(b);
    }
}

/* --- the driver ------------------------------------------------------------------------------- */

static uint32_t go(struct bench *b, uint32_t op, uint32_t row)
{
    assert_int_equal(write_word(b, EVG_AXI_COMMAND,
                                op | row << EVG_AXI_COMMAND_ROW_LSB | 1u << EVG_AXI_COMMAND_GO_LSB),
                     OKAY);
    uint32_t result;
    do
        result = read_word(b, EVG_AXI_RESULT);
    while (result & 1);
    return result >> EVG_AXI_RESULT_CODE_LSB & 7;
}

static void write_pair(struct bench *b, uint32_t offset, uint64_t value)
{
    assert_int_equal(write_word(b, offset, (uint32_t)value), OKAY);
    assert_int_equal(write_word(b, offset + 4, (uint32_t)(value >> 32)), OKAY);
}

static void register_row(struct bench *b, uint32_t row)
{
    write_word(b, EVG_AXI_OWNER, DEVICE);
    write_pair(b, EVG_AXI_KERNEL_LO, 0x0800000000004000u + row);
    write_pair(b, EVG_AXI_BASE_LO, QUEUE_BASE(row));
    write_pair(b, EVG_AXI_SIZE_LO, ENTRY);
    write_pair(b, EVG_AXI_LAST_LO, QUEUE_BASE(row) + ENTRY * (ENTRIES - 1));
    write_pair(b, EVG_AXI_FLAG_FIRST_LO, FLAG(row, 0));
    write_pair(b, EVG_AXI_FLAG_LAST_LO, FLAG(row, ENTRIES - 1));
    for (uint32_t i = 0; i < 6; i++)
        write_word(b, EVG_AXI_GRID_X + 4 * i, i == 3 ? 32 : 1);
    assert_int_equal(go(b, FRONTEND_CMD_REGISTER, 0), FRONTEND_CODE_OK);
    assert_int_equal(read_word(b, EVG_AXI_RESULT) >> EVG_AXI_RESULT_ROW_LSB & 31, row);
}

static void reset(struct bench *b)
{
    axi_frontend_rtl_reset(b->rtl, &(struct axi_frontend_in){0}, 2, &b->out);
    void *rtl = b->rtl;
    struct rng rng = b->rng;
    struct axi_frontend_out out = b->out;
    memset(b, 0, sizeof *b);
    b->rtl = rtl;
    b->rng = rng;
    b->out = out;
    struct pattern *p[] = {&b->aw,  &b->w,    &b->b,   &b->ar,  &b->r,   &b->m_ar,
                           &b->m_r, &b->m_aw, &b->m_w, &b->m_b, &b->ack, &b->done};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        *p[i] = pattern_random(&b->rng);
        if (p[i]->kind == PATTERN_NEVER)
            p[i]->kind = PATTERN_CHANCE;
    }
}

static int setup(void **state)
{
    static uint64_t seed = 1;
    struct bench *b = calloc(1, sizeof *b);
    if (!b)
        return -1;
    tile_randomise((uint32_t)seed, true);
    b->rtl = axi_frontend_rtl_create("axi");
    rng_seed(&b->rng, seed++);
    reset(b);
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    axi_frontend_rtl_destroy(b->rtl);
    free(b);
    return 0;
}

/* --- tests ------------------------------------------------------------------------------------ */

struct reg {
    const char *name;
    uint32_t offset, stored, cleared, pulsed, shown, reset;
};
#define REG(name, offset, stored, cleared, pulsed, shown, reset)                                   \
    {#name, offset, stored, cleared, pulsed, shown, reset},
static const struct reg regs[] = {EVG_AXI_REGISTERS(REG)};
enum { REGS = sizeof regs / sizeof *regs };

/* Every register holds its reset value, keeps what software may write, byte by byte, and nothing
 * else. */
static void test_registers(void **state)
{
    struct bench *b = *state;
    for (uint32_t i = 0; i < REGS; i++) {
        const struct reg *r = &regs[i];
        uint32_t fixed = ~(r->shown | r->pulsed | r->stored | r->cleared);
        assert_int_equal(read_word(b, r->offset) & ~r->shown, r->reset & ~r->shown);
        uint32_t go_bit = r->offset == EVG_AXI_COMMAND ? 1u << EVG_AXI_COMMAND_GO_LSB : 0;
        uint32_t value = r->reset;
        for (uint32_t n = 0; n < 12; n++) {
            uint32_t data = (uint32_t)rng_u64(&b->rng) & ~go_bit;
            uint8_t strobe = (uint8_t)rng_below(&b->rng, 16);
            for (uint32_t byte = 0; byte < 4; byte++)
                if (strobe >> byte & 1) {
                    uint32_t mask = 0xffu << 8 * byte & r->stored;
                    value = (value & ~mask) | (data & mask);
                }
            assert_int_equal(write_bytes(b, REGISTERS + r->offset, data, strobe), OKAY);
            assert_int_equal(read_word(b, r->offset) & (r->stored | r->pulsed), value & r->stored);
            assert_int_equal(read_word(b, r->offset) & fixed, r->reset & fixed);
        }
    }
    for (uint32_t i = 0; i < REGS; i++) /* none has changed another one */
        if (!regs[i].stored)
            assert_int_equal(read_word(b, regs[i].offset) & ~regs[i].shown,
                             regs[i].reset & ~regs[i].shown);
}

static void test_no_such_register(void **state)
{
    struct bench *b = *state;
    uint32_t data, last = regs[REGS - 1].offset;
    const uint32_t none[] = {last + 4, 0x100, 0x1000, 0x1fffc};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(write_word(b, none[i], 0xffffffff), SLVERR);
        assert_int_equal(read_any(b, REGISTERS + none[i], &data), SLVERR);
        assert_int_equal(data, 0);
    }
    assert_int_equal(read_any(b, 0x3000, &data), OKAY); /* a doorbell */
    assert_int_equal(data, 0);
}

/* A command stands still from its go to its answer; then an interrupt. */
static void test_commands(void **state)
{
    struct bench *b = *state;
    write_word(b, EVG_AXI_IRQ_ENABLE, 1);
    assert_int_equal(go(b, FRONTEND_CMD_REGISTER, 0), FRONTEND_CODE_BAD_ARGUMENT);
    steps(b, 3);
    assert_true(b->out.irq);
    write_word(b, EVG_AXI_IRQ_STATUS, 1);
    steps(b, 3);
    assert_false(b->out.irq);
    register_row(b, 0);
    write_word(b, EVG_AXI_IRQ_STATUS, 1);
    write_word(b, EVG_AXI_IRQ_ENABLE, 0);
    b->aw = b->w = b->b = (struct pattern){.kind = PATTERN_ALWAYS};
    start_write(b, REGISTERS + EVG_AXI_COMMAND, 1u << 31 | FRONTEND_CMD_REGISTER, 0xf, 0);
    for (uint32_t i = 0; i < 16; i++) { /* a registration takes longer */
        start_write(b, REGISTERS + EVG_AXI_BASE_LO, 0xdeadbee0, 0xf, 0);
        b->bs.items[(b->bs.tail - 1) % RING].check = true;
        b->bs.items[(b->bs.tail - 1) % RING].want = SLVERR;
    }
    while (front(&b->bs))
        step(b);
    while (read_word(b, EVG_AXI_RESULT) & 1)
        ;
    assert_int_equal(read_word(b, EVG_AXI_BASE_LO), (uint32_t)QUEUE_BASE(0));
    assert_int_equal(read_word(b, EVG_AXI_RESULT),
                     FRONTEND_CODE_OK << EVG_AXI_RESULT_CODE_LSB | 1 << EVG_AXI_RESULT_ROW_LSB);
    assert_int_equal(read_word(b, EVG_AXI_IRQ_STATUS), 1);
    assert_int_equal(go(b, FRONTEND_CMD_UNREGISTER, 1), FRONTEND_CODE_OK);
    assert_int_equal(read_word(b, EVG_AXI_FREED), 2);
    assert_int_equal(read_word(b, EVG_AXI_IRQ_STATUS), 3);
    write_word(b, EVG_AXI_FREED, 2);
    write_word(b, EVG_AXI_IRQ_STATUS, 2);
    assert_int_equal(read_word(b, EVG_AXI_FREED), 0);
    assert_int_equal(read_word(b, EVG_AXI_IRQ_STATUS), 1);
    assert_int_equal(go(b, FRONTEND_CMD_UNREGISTER, 1), FRONTEND_CODE_NOT_REGISTERED);
    assert_int_equal(go(b, FRONTEND_CMD_ABORT, 0), FRONTEND_CODE_NOT_RUNNING);
    assert_int_equal(read_word(b, EVG_AXI_STATUS) >> EVG_AXI_STATUS_LEVELS_LSB & 15, 1);
}

static void test_refused_doorbells(void **state)
{
    struct bench *b = *state;
    write_word(b, EVG_AXI_CORES_LO, 1);
    write_word(b, EVG_AXI_IRQ_ENABLE, 1 << EVG_AXI_IRQ_STATUS_DOORBELL_LSB);
    register_row(b, 0);
    static const uint8_t wrong_size[] = {0x1, 0x3, 0x7}, misaligned[] = {0x2, 0x4, 0x8, 0xc, 0xe};
    ring(b, 0, 0x0, DEVICE); /* no byte: no doorbell */
    for (uint32_t i = 0; i < sizeof wrong_size; i++)
        ring(b, 0, wrong_size[i], DEVICE);
    for (uint32_t i = 0; i < sizeof misaligned; i++)
        ring(b, 0, misaligned[i], DEVICE);
    ring(b, 4, 0xf, DEVICE);
    ring(b, 0xffc, 0xf, DEVICE);
    for (uint32_t i = 0; i < 4; i++)
        ring(b, 0, 0xf, DEVICE ^ 1);
    ring(b, 0x1000, 0xf, DEVICE);
    ring(b, 0x1f000, 0xf, DEVICE);
    ring(b, 0, 0xf, DEVICE);
    settle(b);
    steps(b, 4);
    assert_true(b->out.irq);
    assert_int_equal(read_word(b, EVG_AXI_BAD_SIZE), 3);
    assert_int_equal(read_word(b, EVG_AXI_MISALIGNED), 7);
    assert_int_equal(read_word(b, EVG_AXI_FOREIGN), 4);
    assert_int_equal(read_word(b, EVG_AXI_UNREGISTERED), 2);
    assert_int_equal(read_word(b, EVG_AXI_ACCEPTED), 1);
    assert_int_equal(read_word(b, EVG_AXI_FLAGS), 1);
    write_word(b, EVG_AXI_IRQ_STATUS, ~0u);
    ring(b, 4, 0xf, DEVICE); /* not the first any more */
    settle(b);
    steps(b, 4);
    assert_false(b->out.irq);
    write_word(b, EVG_AXI_CLEAR, 1);
    for (uint32_t offset = EVG_AXI_ACCEPTED; offset < EVG_AXI_CLEAR; offset += 4)
        assert_int_equal(read_word(b, offset), 0);
    ring(b, 4, 0xf, DEVICE);
    settle(b);
    steps(b, 4);
    assert_true(b->out.irq);
}

/* Doorbells of several rows among stalls of every channel: each event in its order, each flag once.
 */
static void test_traffic(void **state)
{
    struct bench *b = *state;
    for (uint32_t round = 0; round < 6; round++) {
        reset(b);
        write_word(b, EVG_AXI_CORES_LO, 0xffff);
        for (uint32_t row = 0; row < ROWS; row++)
            register_row(b, row);
        uint32_t rung[ROWS] = {0}, total = 0;
        for (uint32_t n = 0; n < 1500; n++) {
            uint32_t row = rng_below(&b->rng, ROWS);
            if (rng_chance(&b->rng, 1, 2) && b->bs.tail - b->bs.head < RING / 2) {
                ring(b, row * EVG_DOORBELL_PAGE, 0xf, DEVICE);
                rung[row]++;
                total++;
            }
            if (rng_chance(&b->rng, 1, 16))
                read_word(b, EVG_AXI_ID);
            steps(b, 1 + rng_below(&b->rng, 4));
        }
        settle(b);
        for (uint32_t row = 0; row < ROWS; row++) {
            assert_int_equal(b->launched[row], rung[row]);
            assert_int_equal(b->flags[row], rung[row]);
        }
        assert_true(total > 500);
        assert_int_equal(read_word(b, EVG_AXI_ACCEPTED), total);
        assert_int_equal(read_word(b, EVG_AXI_COMPLETED), total);
        assert_int_equal(read_word(b, EVG_AXI_FLAGS), total);
        assert_int_equal(read_word(b, EVG_AXI_BUS_ERRORS), 0);
        assert_int_equal(read_word(b, EVG_AXI_IRQ_STATUS), 1);
        assert_int_equal(read_word(b, EVG_AXI_STATUS) & 1, 1); /* idle, whoever asks */
    }
}

/* One doorbell in each cycle, as long as the row has room. */
static void test_throughput(void **state)
{
    struct bench *b = *state;
    write_word(b, EVG_AXI_CORES_LO, 1);
    register_row(b, 0);
    b->aw = b->w = b->b = (struct pattern){.kind = PATTERN_ALWAYS};
    uint32_t before = b->answers;
    for (uint32_t i = 0; i < 1000; i++)
        ring(b, 0, 0xf, DEVICE);
    steps(b, 1005);
    assert_int_equal(b->answers - before, 1000);
    settle(b);
    assert_int_equal(read_word(b, EVG_AXI_ACCEPTED), 1000);
    assert_int_equal(read_word(b, EVG_AXI_FLAGS), 1000);
}

/* Flags that are not written, and why. */
static void test_lost_flags(void **state)
{
    struct bench *b = *state;
    write_word(b, EVG_AXI_CORES_LO, 1);
    write_word(b, EVG_AXI_FLAG_LIMIT, 5000);
    register_row(b, 0);
    b->bad_pointer = true;
    ring(b, 0, 0xf, DEVICE);
    settle(b);
    assert_int_equal(read_word(b, EVG_AXI_BAD_POINTER), 1);
    assert_int_equal(read_word(b, EVG_AXI_LOST), FLAG_LOST_POINTER << EVG_AXI_LOST_WHY_LSB);
    assert_true((read_word(b, EVG_AXI_LOST_ADDR_LO) | (uint64_t)read_word(b, EVG_AXI_LOST_ADDR_HI)
                                                          << 32) == FLAG(0, 0) + 0x800);
    assert_int_equal(read_word(b, EVG_AXI_IRQ_STATUS), 1 | 1 << EVG_AXI_IRQ_STATUS_FLAG_LSB);
    b->bad_pointer = false;
    b->read_error = true;
    ring(b, 0, 0xf, DEVICE);
    settle(b);
    assert_int_equal(read_word(b, EVG_AXI_NO_ANSWER), 1);
    assert_int_equal(read_word(b, EVG_AXI_LOST), FLAG_LOST_ANSWER << EVG_AXI_LOST_WHY_LSB | 1);
    b->read_error = false;
    b->write_error = true;
    write_word(b, EVG_AXI_IRQ_STATUS, ~0u);
    b->flags[0] = 2;
    ring(b, 0, 0xf, DEVICE);
    settle(b);
    steps(b, 4);
    assert_int_equal(read_word(b, EVG_AXI_BUS_ERRORS), 1);
    assert_int_equal(read_word(b, EVG_AXI_FLAGS), 0);
    assert_int_equal(read_word(b, EVG_AXI_IRQ_STATUS), 1 << EVG_AXI_IRQ_STATUS_BUS_LSB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_registers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_such_register, setup, teardown),
        cmocka_unit_test_setup_teardown(test_commands, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused_doorbells, setup, teardown),
        cmocka_unit_test_setup_teardown(test_traffic, setup, teardown),
        cmocka_unit_test_setup_teardown(test_throughput, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lost_flags, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
