/* Preemption changes nothing: random kernels, disturbed at random times in random ways, leave
 * exactly the memory that they leave undisturbed. Once with the plain event unit of unit.h, once
 * with the golden model of the tile. PREEMPT_SEED and PREEMPT_RUNS select other runs. */
#include "kernelgen.h"
#include "unit.h"

#include "sim/simt/core_internal.h"

#define EVENT_OUT  4096u
#define MAX_EVENTS 200 /* per run */

/* The event: local memory, divergence, loads, atomics, a barrier, then lane * k + 1 to memory. */
#define EVENT_KERNEL                                                                               \
    ".visible .entry event(.param .u64 dst, .param .u64 table, .param .u32 k)\n{\n"                \
    ".local .align 8 .b8 frame[64];\n.reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<10>;\n"   \
    "ld.param.u64 %rd1, [dst];\nld.param.u64 %rd4, [table];\nld.param.u32 %r1, [k];\n"             \
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"                \
    "mov.u64 %rd5, frame;\nand.b32 %r3, %r2, 7;\nmul.wide.u32 %rd6, %r3, 4;\n"                     \
    "add.s64 %rd6, %rd6, %rd5;\nmad.lo.u32 %r4, %r2, %r1, 1;\nst.local.u32 [%rd6], %r4;\n"         \
    "setp.gt.u32 %p1, %r2, 11;\nsetp.lt.u32 %p2, %r2, 20;\nsetp.eq.u32 %p3, %r3, 2;\n"             \
    "not.pred %p4, %p3;\nand.pred %p5, %p4, %p1;\nadd.s64 %rd7, %rd4, %rd2;\n"                     \
    "ld.global.u32 %r10, [%rd7];\nld.global.u32 %r11, [%rd7+4096];\n"                              \
    "mov.u32 %r12, 12;\nmov.u32 %r13, 13;\nmov.u32 %r14, 14;\nmov.u32 %r15, 15;\n"                 \
    "@%p1 bra $big;\nadd.u32 %r12, %r12, %r13;\nbra $join;\n"                                      \
    "$big:\nadd.u32 %r12, %r13, 12;\n$join:\nadd.u32 %r12, %r12, %r14;\nadd.u32 %r12, %r12, "      \
    "%r15;\n"                                                                                      \
    "sub.u32 %r12, %r12, 54;\nred.global.add.u32 [%rd1+256], 1;\nbar.sync 0;\n"                    \
    "ld.local.u32 %r5, [%rd6];\nadd.u32 %r5, %r5, %r12;\nsub.u32 %r6, %r10, %r11;\n"               \
    "and.b32 %r6, %r6, 0;\nadd.u32 %r5, %r5, %r6;\nst.global.u32 [%rd3], %r5;\nret;\n}\n"

struct run {
    struct rig rig;
    struct rng rng;
    struct grid grid;
    uint64_t out, own, table, result_bytes, own_bytes;
    uint64_t event_out[EVG_PEWT_ENTRIES], event_param[EVG_PEWT_ENTRIES];
};

static void choose_l1(struct core_config *k, struct rng *rng)
{
    k->l1_bytes = rng_chance(rng, 1, 4) ? 0 : 512u << rng_below(rng, 5);
    k->l1_mshrs = 1u << rng_below(rng, 6);
    k->l1_mshr_merges = 1 + rng_below(rng, 8);
    k->l1_index = rng_chance(rng, 1, 2) ? INDEX_PLAIN : INDEX_HASHED;
    k->l1_fetch = rng_chance(rng, 1, 2) ? FETCH_LINE : FETCH_SECTOR;
    k->l1_allocate = rng_chance(rng, 1, 2) ? ALLOCATE_ON_MISS : ALLOCATE_ON_FILL;
    k->l1_global_store = rng_chance(rng, 1, 2) ? L1_STORE_THROUGH : L1_STORE_EVICT;
    k->l1_local_store = rng_chance(rng, 1, 4) ? L1_STORE_THROUGH : L1_STORE_BACK;
    k->l1_miss_latency = rng_chance(rng, 1, 2) ? 0 : 1 + rng_below(rng, 40);
    k->operand_cycles = rng_below(rng, 5);
    k->writeback_cycles = rng_below(rng, 3);
}

static struct core_config random_config(struct rng *rng)
{
    struct core_config k = rig_config();
    k.schedulers = 1u << rng_below(rng, 3);
    k.fetch_width = 1 + rng_below(rng, 2);
    k.icache_latency = 1 + rng_below(rng, 3);
    k.icache_bytes = rng_chance(rng, 1, 2) ? 1024 : 8192;
    choose_l1(&k, rng);
    k.ldst_queue = 1 + rng_below(rng, 8);
    k.warp_limit = rng_chance(rng, 1, 4) ? 1 + rng_below(rng, 8) : 0;
    return k;
}

/* Often so few registers that no block leaves any for events. */
static void limit_registers(struct core_config *k, const char *text, struct rng *rng)
{
    struct error err = {0};
    struct module *m = module_parse("test.ptx", text, strlen(text), &err);
    assert_non_null(m);
    uint32_t warp = module_kernel(m, "bg")->regs * WARP_SIZE;
    k->registers = rng_chance(rng, 1, 2) ? 65536 : warp * (7 + rng_below(rng, 8));
    module_free(m);
}

static void open_run(struct run *r, const struct core_config *config, const char *ptx,
                     uint64_t seed)
{
    rig_open(&r->rig, config, ptx);
    rng_seed(&r->rng, seed);
    uint32_t threads = 1 + rng_below(&r->rng, 200), blocks = 1 + rng_below(&r->rng, 4);
    r->result_bytes = (uint64_t)threads * blocks * GEN_RESULT;
    r->own_bytes = (uint64_t)threads * blocks * 4;
    r->out = rig_alloc(&r->rig, r->result_bytes);
    r->own = rig_alloc(&r->rig, r->own_bytes);
    r->table = rig_alloc(&r->rig, GEN_TABLE);
    for (uint32_t i = 0; i < GEN_TABLE / 4; i++)
        rig_words(&r->rig, r->table)[i] = (uint32_t)rng_u64(&r->rng);
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        r->event_out[e] = rig_alloc(&r->rig, EVENT_OUT);
        r->event_param[e] = rig_alloc(&r->rig, 128);
        uint64_t args[] = {r->event_out[e], r->table, 3};
        memcpy(r->rig.image.base + r->event_param[e] + PARAM_HEADER_BYTES, args, sizeof args);
    }
    uint64_t args[] = {r->out, r->table, r->own, 1 + rng_below(&r->rng, 6)};
    r->grid = rig_grid(&r->rig, "bg", blocks, threads, 4, args);
}

/* The outputs of completed events are complete; counts how many times each ran. */
static uint32_t check_events(struct run *r)
{
    uint32_t total = 0;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        const uint32_t *out = rig_words(&r->rig, r->event_out[e]);
        for (uint32_t i = 0; out[64] && i < 32; i++)
            assert_int_equal(out[i], i * 3 + 1);
        total += out[64] / 32;
    }
    return total;
}

static void disturb_by_hand(struct run *r)
{
    struct unit u = {.rig = &r->rig};
    uint32_t odds = 10 + rng_below(&r->rng, 300);
    for (uint32_t n = 0; r->grid.blocks_done < r->grid.total_blocks || !unit_idle(&u); n++) {
        rig_launch(&r->rig, &r->grid);
        core_event_inputs(r->rig.core, &r->rig.in);
        if (u.take == TAKE_IDLE && rng_chance(&r->rng, 1, odds)) {
            uint32_t e = 0;
            while (e < EVG_PEWT_ENTRIES && u.event[e].state != ENTRY_FREE)
                e++;
            bool fresh = rng_chance(&r->rng, 1, 8) && r->rig.in.core_free_warp;
            u.opts = rng_below(&r->rng, 16);
            uint32_t w = fresh ? r->rig.in.core_free_slot
                               : rng_below(&r->rng, core_resident_warps(r->rig.core) + 1);
            r->rig.out.cand_req = 1; /* only a borrowable warp may be taken */
            r->rig.out.cand_req_group = (uint8_t)(w / EVG_SCAN_LANES);
            unit_steps(&u, 1);
            core_event_inputs(r->rig.core, &r->rig.in);
            r->rig.out.cand_req = 0;
            if (e < EVG_PEWT_ENTRIES && (fresh || r->rig.in.cand_ok >> w % EVG_SCAN_LANES & 1))
                unit_start(&u, "event", r->event_param[e], w, fresh, rng_chance(&r->rng, 1, 2));
        }
        unit_steps(&u, 1);
        if (n == RIG_LIMIT) {
            core_describe(r->rig.core, rig_print, NULL);
            fail_msg("hangs");
        }
    }
    assert_int_equal(check_events(r), u.completed);
}

/* Events offered to the tile's model, with its policies and options. */
struct offered {
    void *model;
    uint32_t sent, done;
    uint64_t busy; /* parameter entries in use, by event_out index */
};

static void offer(struct run *r, struct offered *o, bool more)
{
    struct sm_event_unit_in *in = &r->rig.in;
    const struct sm_event_unit_out *out = &r->rig.out;
    /* ev_valid with ev_ready high at the last edge: taken. */
    if (in->ev_valid && out->ev_ready)
        in->ev_valid = 0;
    in->done_ready = rng_chance(&r->rng, 1, 2);
    if (in->ev_valid || !more)
        return;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        if (o->busy >> e & 1)
            continue;
        const struct kernel *kernel = rig_kernel(&r->rig, "event");
        in->ev_valid = 1;
        in->ev_kernel = kernel->code_address;
        in->ev_param = r->event_param[e];
        in->ev_mask = FULL_MASK;
        in->ev_dims = 32 | 1 << 6 | 1 << 12;
        in->ev_regs = unit_regs(kernel);
        in->ev_row = (uint8_t)e;
        in->ev_tag = (uint16_t)o->sent++;
        o->busy |= 1ull << e;
        return;
    }
}

static void disturb_by_model(struct run *r)
{
    struct offered o = {.model = sm_event_unit_model_create()};
    struct rig *rig = &r->rig;
    sm_event_unit_model_reset(o.model, &rig->out);
    uint32_t odds = 20 + rng_below(&r->rng, 400);
    rig->in.cfg_policy = (uint8_t)rng_below(&r->rng, 3);
    rig->in.cfg_opts = (uint8_t)rng_below(&r->rng, 16);
    rig->in.cfg_preempt = 1;
    rig->in.cfg_warp_groups = 2;
    for (uint32_t n = 0; r->grid.blocks_done < r->grid.total_blocks || o.busy; n++) {
        rig_launch(rig, &r->grid);
        /* Not for ever: four events at a time can keep four warps from ever going on. */
        offer(r, &o, o.sent < MAX_EVENTS && rng_chance(&r->rng, 1, odds));
        bool wanted = core_event_inputs(rig->core, &rig->in);
        if (wanted || !rig->out.idle || rig->in.ev_valid) {
            uint8_t before = rig->out.done_valid & rig->in.done_ready, row = rig->out.done_row;
            sm_event_unit_model_step(o.model, &rig->in, &rig->out);
            core_event_commands(rig->core, &rig->out);
            rig->wake = rig->cycle;
            if (before) {
                o.busy &= ~(1ull << row);
                o.done++;
            }
        }
        if (!rig_tick(rig))
            fail_msg("%s", rig->err.text);
        if (n == RIG_LIMIT) {
            core_describe(rig->core, rig_print, NULL);
            fail_msg("hangs: take state %u, back state %u", rig->out.take_state,
                     rig->out.back_state);
        }
    }
    /* The last victims go on after their events' completion: nothing may be left. */
    assert_int_equal(o.done, o.sent);
    assert_int_equal(check_events(r), o.done);
    sm_event_unit_model_destroy(o.model);
}

static uint64_t option(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

struct totals {
    uint64_t events, dropped, saved, cycles;
};

/* Nothing is left in the core's tables. */
static void check_empty(const struct core *core)
{
    assert_true(core_empty(core));
    assert_int_equal(core->lsu.pool.n_free, ACCESSES);
    assert_int_equal(core->lsu.l2_accesses.n_free[L2_OTHER], L2_ACCESSES);
    assert_int_equal(lsu_queued(&core->lsu) + ibuffers_on_way(&core->slots.ibuffers), 0);
    assert_int_equal(core->slots.wheel.count, 0);
    assert_int_equal(blocks_free_registers(&core->pipeline.blocks), core->slots.config.registers);
    assert_int_equal(core->pipeline.blocks.free_threads, core->slots.config.threads);
    assert_int_equal(core->pipeline.blocks.free_slots, core->slots.config.blocks);
    assert_int_equal(core->pipeline.blocks.free_shared, core->slots.config.shared_bytes);
    assert_int_equal(core->lsu.l1.mshr.used + core->lsu.const_mshr.used, 0);
    assert_int_equal(core->lsu.l1.mshrs.count + core->lsu.l1.writebacks + core->lsu.l1.out.count,
                     0);
    for (uint32_t q = 0; q < 2; q++)
        assert_int_equal(core->lsu.queue[q].held, LSU_FREE);
    for (uint32_t e = 0; e < core->lsu.l1.cache.sets * core->lsu.l1.cache.ways; e++)
        assert_int_equal(core->lsu.l1.cache.pins[e], 0);
    for (uint32_t w = 0; w < SLOTS; w++)
        assert_int_equal(pipe_count(&core->slots.scoreboard, w) + lsu_loads(&core->lsu, w) +
                             lsu_stores(&core->lsu, w) +
                             l2_accesses_in_flight(&core->lsu.l2_accesses, w),
                         0);
}

/* An access that is held is in the queue. */
static void check_held(const struct core_stats *s)
{
    uint64_t held = 0;
    for (uint32_t h = 0; h < LSU_HOLDS; h++)
        held += s->lsu_held[h];
    assert_true(held <= s->lsu_queue_cycles);
}

static void compare(uint64_t seed, void (*disturb)(struct run *), struct totals *totals)
{
    static char text[1 << 17];
    struct gen gen = {.text = text, .size = sizeof text};
    rng_seed(&gen.rng, seed);
    emit(&gen, "%s", RIG_PTX EVENT_KERNEL);
    gen_kernel(&gen);
    struct core_config config = random_config(&gen.rng);
    limit_registers(&config, text, &gen.rng);
    struct run plain = {0}, disturbed = {0};
    open_run(&plain, &config, text, seed);
    assert_true(rig_finish(&plain.rig, &plain.grid));
    open_run(&disturbed, &config, text, seed);
    disturbed.rig.skip = rng_chance(&gen.rng, 1, 2);
    disturb(&disturbed);
    assert_memory_equal(rig_words(&plain.rig, plain.out), rig_words(&disturbed.rig, disturbed.out),
                        plain.result_bytes);
    assert_memory_equal(rig_words(&plain.rig, plain.own), rig_words(&disturbed.rig, disturbed.own),
                        plain.own_bytes);
    rig_ticks(&disturbed.rig, 2000); /* replies to dropped loads */
    check_empty(plain.rig.core);
    check_empty(disturbed.rig.core);
    struct core_stats s = rig_stats(&disturbed.rig);
    check_held(&s);
    totals->events += disturbed.rig.started;
    totals->dropped += s.loads_dropped;
    totals->saved += s.registers_saved;
    totals->cycles += disturbed.rig.cycle;
    rig_close(&plain.rig);
    rig_close(&disturbed.rig);
}

static void many(void (*disturb)(struct run *))
{
    uint64_t seed = option("PREEMPT_SEED", 1), runs = option("PREEMPT_RUNS", 60);
    struct totals totals = {0};
    for (uint64_t i = 0; i < runs; i++) {
        printf("seed %llu\n", (unsigned long long)(seed + i));
        fflush(stdout);
        compare(seed + i, disturb, &totals);
    }
    printf("%llu events, %llu loads dropped, %llu registers saved, %llu cycles\n",
           (unsigned long long)totals.events, (unsigned long long)totals.dropped,
           (unsigned long long)totals.saved, (unsigned long long)totals.cycles);
    if (runs < 50)
        return;
    assert_true(totals.events > 500);
    assert_true(totals.dropped > 20);
    assert_true(totals.saved > 1000);
}

static void test_by_hand(void **state)
{
    (void)state;
    many(disturb_by_hand);
}

static void test_by_model(void **state)
{
    (void)state;
    many(disturb_by_model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_by_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
