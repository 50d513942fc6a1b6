/* The synchronised region, random: two programs' loads, stores and atomics of every shape, copies
 * with every pair of trigger and action, marked ranges and releases, all over the same few lines,
 * against a plain array of words and bits.
 *
 * The array follows the order in which the machine performs requests. At each: memory holds what
 * the array holds, the bits let the request go (unless it was released), and what the thread or the
 * host later finds in its register or buffer is what the array held then. So a word that is served
 * from anywhere else, or performed early, late or twice, is found.
 *
 * test_region_random [OPERATIONS [SEED [GRAIN-BYTES [LOOK-AHEAD]]]] ends with one line, for `make
 * fe-random`; without arguments, it takes a sample of every tile. */
#include "base/alloc.h"
#include "base/rng.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/simt/core_internal.h"
#include "sim/system/config.h"
#include "sim/system/gpu_settings.h"
#include "tests/system/region_mix.h"
#include "tests/unit.h"

enum { PROGRAMS = 2, BLOCKS = 12, THREADS = 128, ALL = BLOCKS * THREADS };
enum { LINES = 96, WORDS = 32, COPIES = 48, MARKS = 4, PATIENCE = 3000 };
enum bit { BIT_EMPTY, BIT_FULL, BIT_UNKNOWN };

static uint64_t wanted = 24000, seed = 1;
static uint32_t grain = 4, ahead = 1;

struct program {
    uint32_t n;         /* operations */
    uint32_t (*ops)[2]; /* in device memory: kind, offset */
    const uint32_t (*results)[4];
    uint32_t (*expected)[4];
    uint8_t *performed; /* of operations with a result, and of stores of words */
    uint32_t next[ALL]; /* the first that may be next in each thread */
    uint64_t param;
};

struct copy {
    bool used, write;
    uint32_t offset, words, value;
    uint8_t trigger, action;
    uint32_t data[WORDS], seen[WORDS];
};

struct mark {
    bool used, full;
    uint32_t first, last; /* words */
};

struct world {
    struct rng rng;
    struct gpu *gpu;
    struct module *module;
    uint64_t base;
    uint32_t word[LINES * WORDS];
    uint8_t bit[LINES * WORDS];
    bool met[LINES * WORDS]; /* an action has met the mark that is being worked on */
    struct program program[PROGRAMS];
    struct copy copy[COPIES];
    struct mark mark[MARKS];
    bool releasing;
    uint32_t grids, copies, commands, stamp;
    uint64_t performed, last_progress, judged, released;
};

/* --- the array -------------------------------------------------------------------------------- */

static bool in_mark(const struct world *w, uint32_t word)
{
    for (uint32_t i = 0; i < MARKS; i++)
        if (w->mark[i].used && word >= w->mark[i].first && word <= w->mark[i].last)
            return true;
    return false;
}

/* Of the words that one bit stands for: full when all are. */
static enum bit grain_bit(const struct world *w, uint32_t first)
{
    enum bit all = BIT_FULL;
    for (uint32_t word = first; word < first + grain / 4; word++) {
        bool unknown = w->bit[word] == BIT_UNKNOWN || in_mark(w, word);
        if (!unknown && w->bit[word] == BIT_EMPTY)
            return BIT_EMPTY;
        all = unknown ? BIT_UNKNOWN : all;
    }
    return all;
}

static bool may_go(struct world *w, const struct mem_request *r, uint32_t first)
{
    enum bit want = r->trigger == TRIGGER_FULL ? BIT_FULL : BIT_EMPTY;
    bool holds = true;
    for (uint32_t at = 0; at < WORDS && r->trigger != TRIGGER_NONE; at += grain / 4) {
        uint32_t words = (uint32_t)((1ull << grain / 4) - 1) << at;
        enum bit is = r->words & words ? grain_bit(w, first + at) : BIT_UNKNOWN;
        if (is == BIT_UNKNOWN)
            continue;
        holds &= is == want;
        w->judged++;
    }
    return holds;
}

static void act(struct world *w, const struct mem_request *r, uint32_t first)
{
    for (uint32_t m = r->words; m && r->action != ACTION_NONE; m &= m - 1) {
        uint32_t word = first + (uint32_t)__builtin_ctz(m);
        uint8_t after = r->action == ACTION_FILL ? BIT_FULL : BIT_EMPTY;
        w->bit[word] = after;
        w->met[word] = true;
    }
}

static const uint32_t *memory_line(const struct world *w, uint32_t first)
{
    return (const uint32_t *)(const void *)(gpu_image(w->gpu)->base + w->base + 4ull * first);
}

/* --- the GPU's requests ----------------------------------------------------------------------- */

static struct program *program_of(struct world *w, const struct warp *warp)
{
    for (uint32_t i = 0; i < PROGRAMS; i++)
        if (w->program[i].param == warp->param)
            return &w->program[i];
    fail_msg("a request of no program");
    return NULL;
}

static bool has_result(uint32_t kind)
{
    return kind <= MIX_LOAD4 || kind == MIX_ATOMIC;
}

/* The next operation of a thread that leaves a result. */
static uint32_t next_result(struct program *p, uint32_t thread)
{
    uint32_t k = p->next[thread];
    while (k < p->n && !has_result(p->ops[k][0]))
        k += ALL;
    assert_true(k < p->n);
    p->next[thread] = k + ALL;
    return k;
}

static uint32_t words_of(uint32_t kind)
{
    return kind == MIX_LOAD4 ? 4 : kind == MIX_LOAD2 || kind == MIX_STORE2 ? 2 : 1;
}

/* A thread's older stores to a word come before its loads from it. */
static void check_order(const struct program *p, uint32_t k)
{
    uint32_t first = p->ops[k][1] / 4, last = first + words_of(p->ops[k][0]) - 1;
    for (uint32_t old = k % ALL; old < k; old += ALL) {
        uint32_t kind = p->ops[old][0], from = p->ops[old][1] / 4;
        bool stores = kind == MIX_STORE || kind == MIX_STORE2;
        if (stores && from <= last && first < from + words_of(kind) && !p->performed[old])
            fail_msg("seed %llu: operation %u overtook the store %u of its thread",
                     (unsigned long long)seed, k, old);
    }
}

static void expect(struct world *w, struct program *p, uint32_t k)
{
    uint32_t n = words_of(p->ops[k][0]);
    check_order(p, k);
    memcpy(p->expected[k], &w->word[p->ops[k][1] / 4], 4 * n);
    assert_false(p->performed[k]);
    p->performed[k] = 1;
}

static void note_store(struct program *p, const struct remote *r, const struct access *a,
                       uint32_t lane)
{
    uint32_t k;
    if (a->inst->width < 4)
        return;
    memcpy(&k, r->data[lane], sizeof k);
    assert_true(k < p->n && !p->performed[k]);
    p->performed[k] = 1;
}

/* Trigger and action of the paper, 4.1; exactly the words of the lanes. */
static void check_request(const struct mem_request *r, const struct access *a, uint32_t lanes,
                          const uint64_t at[WARP_SIZE])
{
    uint32_t class = a->inst->class, words = 0, size = (uint32_t)a->inst->width * a->inst->vec;
    assert_int_equal(r->trigger, class == INST_STORE ? TRIGGER_NONE : TRIGGER_FULL);
    assert_int_equal(r->action, class == INST_LOAD ? ACTION_NONE : ACTION_FILL);
    for (uint32_t m = lanes; m; m &= m - 1)
        for (uint32_t byte = 0; byte < size; byte++)
            words |= 1u << (at[lowest(m)] - r->line + byte) / 4;
    assert_int_equal(r->words, words);
}

static void perform_gpu(struct world *w, const struct mem_request *r, uint32_t first)
{
    const struct endpoint *from = memsys_requester(w->gpu->memsys, r->source);
    struct core *c = w->gpu->sm[from->index].core;
    const struct access *a = remote_access(c, r);
    struct program *p = program_of(w, warp_of(&c->warps, a->warp));
    const struct lane_ctx *ctx = warp_ctx(&c->warps, a->warp);
    uint32_t lanes = a->tx[r->tag >> TAG_KIND_BITS >> ACCESS_BITS].lanes;
    uint32_t class = a->inst->class;
    if (class == INST_STORE)
        for (uint32_t m = r->words; m; m &= m - 1) {
            uint32_t word = (uint32_t)__builtin_ctz(m);
            w->word[first + word] = memory_line(w, first)[word];
        }
    const struct remote *remote = &c->remotes.remote[a->remote];
    uint64_t at[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        at[lane] = (uint64_t)(remote->at[lane] - c->env.image->base);
    check_request(r, a, lanes, at);
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t lane = lowest(m), k = 0;
        uint32_t thread = ctx->ctaid[0] * THREADS + ctx->tid[0][lane];
        if (class == INST_STORE) {
            note_store(p, remote, a, lane);
            continue;
        }
        bool result = class == INST_LOAD || a->inst->flags & INST_HAS_DST;
        if (result) {
            k = next_result(p, thread);
            assert_true(p->ops[k][1] == at[lane] - w->base);
            expect(w, p, k);
        }
        if (class == INST_ATOMIC)
            w->word[(at[lane] - w->base) / 4]++;
    }
}

/* --- copies ----------------------------------------------------------------------------------- */

static void perform_copy(struct world *w, const struct mem_request *r)
{
    const struct region_slot *slot = &w->gpu->fe.slot[r->tag & ~HOST_TAG_REGION];
    struct copy *c = &w->copy[slot->tag];
    assert_true(c->used);
    for (uint32_t i = 0; i < c->words; i++)
        if (c->write)
            w->word[c->offset / 4 + i] = c->value + i;
        else
            c->seen[i] = w->word[c->offset / 4 + i];
}

static void on_performed(void *user, const struct mem_request *r)
{
    struct world *w = user;
    uint32_t first = (uint32_t)(r->line - w->base) / 4;
    assert_true(r->words != 0);
    bool holds = may_go(w, r, first);
    if (!holds && !w->releasing)
        fail_msg("seed %llu: a request to line %u left against its bits", (unsigned long long)seed,
                 first / WORDS);
    w->released += !holds;
    if (r->class == CLASS_GPU)
        perform_gpu(w, r, first);
    else
        perform_copy(w, r);
    act(w, r, first);
    if (memcmp(memory_line(w, first), &w->word[first], LINE_BYTES))
        fail_msg("seed %llu: memory and array differ in line %u", (unsigned long long)seed,
                 first / WORDS);
    w->performed++;
    w->last_progress = gpu_cycle(w->gpu);
}

static void on_done(void *user, uint32_t tag, uint32_t status)
{
    struct world *w = user;
    struct copy *c = &w->copy[tag];
    assert_true(c->used && status != REGION_FAILED);
    if (!c->write)
        assert_memory_equal(c->data, c->seen, 4 * c->words);
    c->used = false;
    w->copies++;
}

static void start_copy(struct world *w)
{
    uint32_t i = 0;
    while (i < COPIES && w->copy[i].used)
        i++;
    if (i == COPIES)
        return;
    struct copy *c = &w->copy[i];
    uint32_t words = 1 + rng_below(&w->rng, WORDS), at = rng_below(&w->rng, WORDS - words + 1);
    *c = (struct copy){.used = true,
                       .write = rng_chance(&w->rng, 1, 2),
                       .offset = 128 * rng_below(&w->rng, LINES) + 4 * at,
                       .words = words,
                       .value = w->stamp,
                       .trigger = (uint8_t)rng_below(&w->rng, 3),
                       .action = (uint8_t)rng_below(&w->rng, 3)};
    w->stamp += words;
    for (uint32_t k = 0; c->write && k < words; k++)
        c->data[k] = c->value + k;
    c->used = gpu_region_request(w->gpu, &(struct region_request){.address = w->base + c->offset,
                                                                  .bytes = 4 * words,
                                                                  .write = c->write,
                                                                  .trigger = c->trigger,
                                                                  .action = c->action,
                                                                  .data = (uint8_t *)c->data,
                                                                  .tag = i});
}

/* --- ranges and releases ---------------------------------------------------------------------- */

enum { TAG_RELEASE = MARKS };

static void on_marked(void *user, uint32_t tag, uint32_t code)
{
    struct world *w = user;
    assert_int_equal(code, FE_CODE_OK);
    w->commands++;
    if (tag == TAG_RELEASE) {
        w->releasing = false;
        return;
    }
    struct mark *m = &w->mark[tag];
    m->used = false;
    for (uint32_t word = m->first; word <= m->last; word++)
        w->bit[word] = w->met[word] ? BIT_UNKNOWN : m->full ? BIT_FULL : BIT_EMPTY;
}

/* While it is worked on, and where an action meets it, its words may be either. */
static void start_mark(struct world *w, bool full, uint32_t first, uint32_t last)
{
    uint32_t i = 0;
    while (i < MARKS && w->mark[i].used)
        i++;
    for (uint32_t word = first; word <= last; word++)
        if (i == MARKS || in_mark(w, word))
            return;
    if (!gpu_region_mark(w->gpu, full, w->base + 4ull * first, 4ull * (last - first + 1), i))
        return;
    w->mark[i] = (struct mark){.used = true, .full = full, .first = first, .last = last};
    memset(&w->met[first], 0, last - first + 1);
}

static void start_release(struct world *w)
{
    if (!w->releasing)
        w->releasing = gpu_region_release(w->gpu, TAG_RELEASE);
}

/* --- programs --------------------------------------------------------------------------------- */

static void draw_ops(struct world *w, struct program *p)
{
    static const uint8_t sizes[MIX_KINDS] = {4, 4, 8, 16, 4, 8, 1, 4, 4};
    /* Threads of a warp mostly stay together, as programs do. */
    for (uint32_t k = 0; k < p->n; k++) {
        bool follow = k % 32 && rng_chance(&w->rng, 7, 8);
        uint32_t kind = follow ? p->ops[k - 1][0] : rng_below(&w->rng, MIX_KINDS);
        uint32_t size = sizes[kind];
        uint32_t offset = follow ? p->ops[k - 1][1] + size : rng_below(&w->rng, LINES * 128);
        if (k >= ALL && rng_chance(&w->rng, 1, 8)) /* the thread's last place again */
            offset = p->ops[k - ALL][1];
        p->ops[k][0] = kind;
        p->ops[k][1] = offset % (LINES * 128) / size * size;
    }
    memset(p->performed, 0, p->n);
    for (uint32_t t = 0; t < ALL; t++)
        p->next[t] = t;
}

static void start_program(struct world *w, struct program *p)
{
    struct error err = {0};
    draw_ops(w, p);
    struct launch launch = {.kernel = module_kernel(w->module, "mix"),
                            .grid = {BLOCKS, 1, 1},
                            .block = {THREADS, 1, 1},
                            .param = p->param,
                            .cookie = (uint64_t)(p - w->program)};
    if (!gpu_launch(w->gpu, &launch, &err))
        fail_msg("%s", err.text);
}

static void create_program(struct world *w, struct program *p)
{
    struct image *image = gpu_image(w->gpu);
    p->n = ALL * 6;
    uint64_t ops = image_alloc(image, 8ull * p->n, 256);
    uint64_t results = image_alloc(image, 16ull * p->n, 256);
    p->param = image_alloc(image, 32, 128);
    memcpy(image->base + p->param, (uint64_t[4]){ops, results, p->n, w->base}, 32);
    p->ops = (void *)(image->base + ops);
    p->results = (const void *)(image->base + results);
    p->expected = alloc_array(p->n, sizeof *p->expected);
    p->performed = ALLOC_ARRAY(uint8_t, p->n);
}

static void check_results(const struct program *p)
{
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t kind = p->ops[k][0], n = words_of(kind);
        assert_true(p->performed[k] || kind == MIX_BYTE || kind == MIX_REDUCE);
        if (!has_result(kind))
            continue;
        if (memcmp(p->results[k], p->expected[k], 4 * n))
            fail_msg("seed %llu: operation %u, kind %u: thread found 0x%x, array held 0x%x",
                     (unsigned long long)seed, k, kind, p->results[k][0], p->expected[k][0]);
    }
}

static void on_grid(void *user, uint64_t cookie, const struct grid *grid)
{
    struct world *w = user;
    (void)grid;
    check_results(&w->program[cookie]);
    w->grids++;
    if (w->performed < wanted)
        start_program(w, &w->program[cookie]);
    else
        w->program[cookie].n = 0;
}

/* --- all together ----------------------------------------------------------------------------- */

static void create_world(struct world *w)
{
    struct machine_config machine;
    struct error err = {0};
    assert_true(config_load(&machine, "config/gtx480.ini", &err));
    assert_true(config_override(&machine, "fe.region_kib=64", &err));
    assert_true(config_override(&machine, "gpu.cores=6", &err));
    machine.fe_grain_bytes = grain;
    machine.fe_look_ahead = ahead;
    struct gpu_config config = gpu_settings(&machine, TILE_LOCKSTEP, 0);
    struct gpu_callbacks calls = {.grid_done = on_grid,
                                  .region_done = on_done,
                                  .region_marked = on_marked,
                                  .region_performed = on_performed,
                                  .user = w};
    w->gpu = gpu_create(&config, &calls, &err);
    w->module = w->gpu ? module_parse("mix", mix_ptx, strlen(mix_ptx), &err) : NULL;
    if (!w->module || !gpu_load(w->gpu, w->module, &err) || !gpu_region_open(w->gpu, &err))
        fail_msg("%s", err.text);
    struct gpu_region region;
    assert_true(gpu_region(w->gpu, &region));
    struct image_block all = {.address = region.base, .bytes = region.bytes};
    image_add_part(gpu_image(w->gpu), &all);
    w->base = region.base;
    memset(w->bit, BIT_FULL, sizeof w->bit);
    for (uint32_t i = 0; i < PROGRAMS; i++)
        create_program(w, &w->program[i]);
}

static void destroy_world(struct world *w)
{
    gpu_destroy(w->gpu);
    module_free(w->module);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        free(w->program[i].expected);
        free(w->program[i].performed);
    }
    free(w);
}

/* What the host does in this cycle. */
static void host(struct world *w)
{
    struct rng *rng = &w->rng;
    bool ends = w->performed >= wanted;
    if (!ends && rng_chance(rng, 1, 24))
        start_copy(w);
    if (!ends && rng_chance(rng, 1, 1000)) {
        uint32_t first = rng_below(rng, LINES * WORDS), n = 1 + rng_below(rng, 4 * WORDS);
        uint32_t last = first + n < LINES * WORDS ? first + n : LINES * WORDS - 1;
        start_mark(w, rng_chance(rng, 2, 3), first, last);
    }
    if (!ends && rng_chance(rng, 1, 20000))
        start_release(w);
    if (gpu_cycle(w->gpu) - w->last_progress < PATIENCE)
        return;
    /* Everything waits for somebody who does not come. */
    w->last_progress = gpu_cycle(w->gpu);
    if (rng_chance(rng, 1, 4))
        start_release(w);
    else
        start_mark(w, rng_chance(rng, 2, 3), 0, LINES * WORDS - 1);
}

static bool ended(const struct world *w)
{
    for (uint32_t i = 0; i < COPIES; i++)
        if (w->copy[i].used)
            return false;
    return !w->program[0].n && !w->program[1].n && gpu_idle(w->gpu);
}

static void test_random(void **state)
{
    (void)state;
    struct world *w = ALLOC(struct world);
    struct error err = {0};
    rng_seed(&w->rng, seed);
    create_world(w);
    for (uint32_t i = 0; i < PROGRAMS; i++)
        start_program(w, &w->program[i]);
    while (!ended(w)) {
        host(w);
        if (!gpu_tick(w->gpu, &err))
            fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
    }
    assert_true(w->performed >= wanted && w->judged > wanted / 4 && w->copies > 10);
    printf("fe-random: PASS: seed %llu, grain %u, look-ahead %u, %llu operations (%u copies, %u "
           "marks and releases, %llu "
           "released) of %u kernels in %llu cycles, %llu bits judged\n",
           (unsigned long long)seed, grain, ahead, (unsigned long long)w->performed, w->copies,
           w->commands, (unsigned long long)w->released, w->grids,
           (unsigned long long)gpu_cycle(w->gpu), (unsigned long long)w->judged);
    destroy_world(w);
}

static void test_variants(void **state)
{
    static const uint32_t variants[][2] = {{32, 1}, {128, 1}, {4, 2}, {4, 4}, {4, 8}};
    wanted /= 8;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        grain = variants[i][0];
        ahead = variants[i][1];
        seed++;
        test_random(state);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_variants)};
    const struct CMUnitTest alone[] = {cmocka_unit_test(test_random)};
    if (argc > 4)
        ahead = (uint32_t)strtoul(argv[4], NULL, 10);
    if (argc > 3)
        grain = (uint32_t)strtoul(argv[3], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    if (argc > 1)
        wanted = strtoull(argv[1], NULL, 10);
    return argc > 1 ? cmocka_run_group_tests(alone, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
