#include "sim/guest/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/base/histogram.h"
#include "sim/guest/figures.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/matrixMul/matmul.h"

struct product {
    struct product_options options;
    struct machine *machine;
    struct guest *guest;
    const struct kernel *kernel;
    float *a, *b; /* on the host */
    uint64_t c;   /* device address of the product */
    uint64_t parameters;
    uint32_t thread, stream;
    uint64_t started; /* launches */
    bool running, again, done;
    struct histogram all;    /* cycles of every product */
    struct histogram beside; /* of those that overlapped the work of a service */
};

static bool has_begun(const struct product *p)
{
    struct gpu_stats stats;
    gpu_stats(machine_gpu(p->machine), &stats);
    return stats.cores.warp_instructions > 0;
}

static void on_ended(void *user, const struct grid *grid)
{
    struct product *p = user;
    uint64_t cycles = grid->end_cycle - grid->start_cycle;
    bool beside = machine_services_at_work(p->machine);
    histogram_add(&p->all, cycles);
    if (beside)
        histogram_add(&p->beside, cycles);
    p->running = false;
    p->again = (beside || !machine_has_services(p->machine)) && p->all.count < p->options.products;
    p->done = !p->again;
}

/* The next product is launched in the cycle after the end of the one before. */
static bool launch(struct product *p, struct error *err)
{
    uint32_t tiles = (p->options.rows + MATMUL_TILE - 1) / MATMUL_TILE;
    struct guest_launch request = {.kernel = p->kernel,
                                   .grid = {tiles, tiles, 1},
                                   .block = {MATMUL_TILE, MATMUL_TILE, 1},
                                   .parameters = p->parameters,
                                   .thread = p->thread,
                                   .stream = p->stream,
                                   .ended = on_ended,
                                   .user = p};
    p->again = false;
    p->running = true;
    return guest_launch(p->guest, &request, err);
}

static bool start(void *self, uint64_t cycle, struct error *err)
{
    (void)cycle;
    return launch(self, err);
}

static bool tick(void *self, uint64_t cycle, struct error *err)
{
    (void)cycle;
    return launch(self, err);
}

static uint64_t next_event(const void *self)
{
    const struct product *p = self;
    return p->again ? machine_cycle(p->machine) : CYCLE_NEVER;
}

static bool under_way(const void *self)
{
    return has_begun(self);
}

static bool finished(const void *self)
{
    return ((const struct product *)self)->done;
}

static bool verdict(void *self, char *text, size_t room)
{
    struct product *p = self;
    uint64_t n = p->options.rows;
    float *want = ALLOC_ARRAY(float, n *n);
    const float *got = machine_memory(p->machine, p->c, n * n * sizeof *got);
    matmul_reference(p->a, p->b, want, p->options.rows);
    bool same = true;
    snprintf(text, room, "the matrix");
    for (uint64_t i = 0; i < n * n && same; i++) {
        same = !memcmp(&want[i], &got[i], sizeof *got);
        if (!same)
            snprintf(text, room, "element %llu is %.9g, the host reference has %.9g",
                     (unsigned long long)i, (double)got[i], (double)want[i]);
    }
    free(want);
    return same;
}

static void describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    const struct product *p = self;
    char text[200];
    snprintf(text, sizeof text, "%s: product %llu %s", guest_name(p->guest),
             (unsigned long long)p->all.count + 1, p->running ? "is running" : "has not begun");
    line(user, text);
}

/* Products beside services against as many without, the first of them with cold caches. */
static double slowdown(const struct product *p, const struct histogram_summary *beside)
{
    double alone = (double)p->options.alone_first +
                   (double)(beside->count - 1) * (double)p->options.alone_next;
    return beside->mean * (double)beside->count / alone;
}

static void print(const void *self, FILE *to)
{
    const struct product *p = self;
    struct histogram_summary s = histogram_summarise(&p->beside);
    fprintf(to, "\nProgram               %s %u x %u: %llu products", guest_name(p->guest),
            p->options.rows, p->options.rows, (unsigned long long)p->all.count);
    if (s.count)
        fprintf(to, ", %llu beside services, %.0f cycles each", (unsigned long long)s.count,
                s.mean);
    if (s.count && p->options.alone_first)
        fprintf(to, "; slowdown %.3f (alone: %llu, then %llu)", slowdown(p, &s),
                (unsigned long long)p->options.alone_first,
                (unsigned long long)p->options.alone_next);
    fprintf(to, "\n");
}

static json_t *json(const void *self)
{
    const struct product *p = self;
    json_t *j = json_pack("{s:i, s:I, s:I}", "rows", (int)p->options.rows, "cycles_alone_first",
                          (json_int_t)p->options.alone_first, "cycles_alone_next",
                          (json_int_t)p->options.alone_next);
    json_object_set_new(j, "cycles", figures_json_histogram(&p->all));
    json_object_set_new(j, "cycles_beside_services", figures_json_histogram(&p->beside));
    return j;
}

static void destroy(void *self)
{
    struct product *p = self;
    free(p->a);
    free(p->b);
    histogram_free(&p->all);
    histogram_free(&p->beside);
    free(p);
}

static const struct guest_ops ops = {.kind = "program",
                                     .role = GUEST_LOAD,
                                     .start = start,
                                     .tick = tick,
                                     .next_event = next_event,
                                     .under_way = under_way,
                                     .finished = finished,
                                     .verdict = verdict,
                                     .describe = describe,
                                     .print = print,
                                     .json = json,
                                     .destroy = destroy};

static bool make_matrices(struct product *p, struct error *err)
{
    uint64_t count = (uint64_t)p->options.rows * p->options.rows, bytes = count * sizeof(float);
    p->a = ALLOC_ARRAY(float, count);
    p->b = ALLOC_ARRAY(float, count);
    input_floats(p->options.seed, p->a, count);
    input_floats(p->options.seed + 1, p->b, count);
    uint64_t a = guest_alloc(p->guest, bytes, 256, err);
    uint64_t b = guest_alloc(p->guest, bytes, 256, err);
    p->c = guest_alloc(p->guest, bytes, 256, err);
    p->parameters = guest_alloc(p->guest, p->kernel->param_bytes, 256, err);
    if (err->set)
        return false;
    memcpy(machine_memory(p->machine, a, bytes), p->a, bytes);
    memcpy(machine_memory(p->machine, b, bytes), p->b, bytes);
    uint64_t values[4] = {a, b, p->c, p->options.rows};
    for (uint32_t i = 0; i < p->kernel->n_params && i < 4; i++) {
        const struct kernel_param *param = &p->kernel->params[i];
        memcpy(machine_memory(p->machine, p->parameters + param->offset, param->size), &values[i],
               param->size);
    }
    return true;
}

bool product_create(struct machine *m, const char *name, const struct product_options *options,
                    struct error *err)
{
    struct product *p = ALLOC(struct product);
    p->options = *options;
    p->machine = m;
    p->guest = machine_add_guest(m, &ops, name, p);
    struct module *module = module_load(options->ptx, err);
    if (!module || !guest_load(p->guest, module, err))
        return false;
    p->kernel = module_launchable(module, "matmul", err);
    if (!p->kernel) {
        error_prefix(err, "%s", options->ptx);
        return false;
    }
    return make_matrices(p, err) && guest_thread(p->guest, &p->thread, err) &&
           guest_stream(p->guest, &p->stream, err);
}

void product_cycles(const struct guest *g, uint64_t *first, uint64_t *last)
{
    const struct product *p = guest_self(g);
    *first = p->all.count ? p->all.samples[0] : 0;
    *last = p->all.count ? p->all.samples[p->all.count - 1] : 0;
}
