/* The steps of a plan. */
#include "sw/cuda/fft/plan.h"

#define MOST_ELEMENTS 0x7fffffffull
#define LARGEST_RADIX                                                                              \
    61 /* a pass takes so many multiplications each; beyond, a convolution is faster */

struct maker {
    struct fft_plan *plan;
    bool tables;
    cufftResult result;
};

unsigned int fft_columns(const struct fft_plan *plan)
{
    unsigned int n = plan->n[FFT_RANK - 1];
    return fft_from_real(plan->type) || fft_to_real(plan->type) ? n / 2 + 1 : n;
}

struct fft_layout fft_packed(const struct fft_plan *plan, unsigned int columns)
{
    return (struct fft_layout){.dist = (long long)plan->n[0] * plan->n[1] * columns,
                               .stride = 1,
                               .pitch = {plan->n[0], plan->n[1], columns}};
}

static bool same(const struct fft_layout *a, const struct fft_layout *b)
{
    return a->dist == b->dist && a->stride == b->stride && a->pitch[1] == b->pitch[1] &&
           a->pitch[2] == b->pitch[2];
}

static struct fft_step *add(struct maker *m, enum fft_kind kind)
{
    struct fft_plan *plan = m->plan;
    if (plan->n_steps == FFT_STEPS) {
        m->result = CUFFT_INTERNAL_ERROR;
        return &plan->steps[0];
    }
    struct fft_step *step = &plan->steps[plan->n_steps++];
    *step = (struct fft_step){.kind = kind};
    return step;
}

static void *table(struct maker *m, enum fft_kind kind, unsigned int n, unsigned int room)
{
    void *made = m->tables ? fft_table(m->plan, kind, n, room) : NULL;
    if (m->tables && !made)
        m->result = CUFFT_ALLOC_FAILED;
    return made;
}

static void add_move(struct maker *m, enum fft_kind kind, unsigned int columns,
                     const struct fft_layout *from, const struct fft_layout *to)
{
    const struct fft_plan *plan = m->plan;
    struct fft_step *step = add(m, kind);
    step->sizes = (struct fft_sizes){{plan->n[0], plan->n[1], columns}, plan->batch};
    step->from = *from;
    step->to = *to;
}

/* The next factor: large ones with kernels of their own first. */
static unsigned int next_radix(unsigned int rest)
{
    static const unsigned int own[] = {8, 4, 2, 3, 5, 7};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (rest % own[i] == 0)
            return own[i];
    }
    unsigned int radix = 11;
    while (rest % radix && radix * radix <= rest)
        radix += 2;
    return rest % radix ? rest : radix;
}

static void add_passes(struct maker *m, struct fft_lines lines, bool in_rows)
{
    void *roots = lines.n > 1 ? table(m, FFT_PASS, lines.n, 0) : NULL;
    for (unsigned int done = 1; done < lines.n;) {
        struct fft_step *step = add(m, FFT_PASS);
        unsigned int radix = next_radix(lines.n / done);
        step->rows = step->forward = in_rows;
        step->lines = lines;
        step->factor = (struct fft_factor){radix, done};
        step->table = roots;
        done *= radix;
    }
}

static bool is_smooth(unsigned int n)
{
    while (n > 1) {
        unsigned int radix = next_radix(n);
        if (radix > LARGEST_RADIX)
            return false;
        n /= radix;
    }
    return true;
}

static void add_convolution(struct maker *m, struct fft_lines lines)
{
    unsigned long long wide = 1; /* up to 2^32, for more than 2^30 elements */
    while (wide < 2ull * lines.n - 1)
        wide *= 2;
    unsigned long long rows = lines.count / lines.n, count = rows * wide;
    if (count > MOST_ELEMENTS) {
        m->result = CUFFT_INVALID_SIZE;
        library_refuse(__func__, "CUFFT_INVALID_SIZE", "count <= MOST_ELEMENTS");
        return;
    }
    unsigned int room = (unsigned int)wide;
    struct fft_lines inner = {.n = room, .step = 1, .count = (unsigned int)count};
    size_t bytes = (size_t)count * fft_bytes(m->plan->type);
    if (m->plan->rows_bytes < bytes)
        m->plan->rows_bytes = bytes;
    struct fft_step *step = add(m, FFT_CHIRP_IN);
    step->rows = true;
    step->lines = lines;
    step->room = room;
    step->table = table(m, FFT_CHIRP_IN, lines.n, 0);
    add_passes(m, inner, true);
    step = add(m, FFT_CHIRP_MUL);
    step->rows = true;
    step->lines = inner;
    step->room = room;
    step->table = table(m, FFT_CHIRP_MUL, lines.n, room);
    add_passes(m, inner, true);
    step = add(m, FFT_CHIRP_OUT);
    step->lines = lines;
    step->room = room;
    step->table = table(m, FFT_CHIRP_IN, lines.n, 0);
}

/* One dimension of packed data with so many columns. */
static void add_dimension(struct maker *m, int dimension, unsigned int columns)
{
    const struct fft_plan *plan = m->plan;
    unsigned int sizes[FFT_RANK] = {plan->n[0], plan->n[1], columns};
    struct fft_lines lines = {.n = sizes[dimension], .step = 1};
    for (int i = dimension + 1; i < FFT_RANK; i++)
        lines.step *= sizes[i];
    lines.count = sizes[0] * sizes[1] * sizes[2] * plan->batch;
    if (is_smooth(lines.n))
        add_passes(m, lines, false);
    else
        add_convolution(m, lines);
}

static void complex_steps(struct maker *m)
{
    const struct fft_plan *plan = m->plan;
    unsigned int columns = plan->n[FFT_RANK - 1];
    struct fft_layout packed = fft_packed(plan, columns);
    if (!same(&plan->in, &packed))
        add_move(m, FFT_MOVE, columns, &plan->in, &packed);
    for (int i = FFT_RANK - 1; i >= 0; i--)
        add_dimension(m, i, columns);
    if (!same(&plan->out, &packed) || !plan->n_steps)
        add_move(m, FFT_MOVE, columns, &packed, &plan->out);
}

/* Whole rows, then the other dimensions of their first halves. */
static void from_real_steps(struct maker *m)
{
    const struct fft_plan *plan = m->plan;
    unsigned int n = plan->n[FFT_RANK - 1], half = fft_columns(plan);
    struct fft_layout whole = fft_packed(plan, n), packed = fft_packed(plan, half);
    bool one = plan->n[0] == 1 && plan->n[1] == 1;
    add_move(m, FFT_FROM_REAL, n, &plan->in, &whole);
    add_dimension(m, FFT_RANK - 1, n);
    add_move(m, FFT_MOVE, half, &whole, one ? &plan->out : &packed);
    for (int i = FFT_RANK - 2; i >= 0; i--)
        add_dimension(m, i, half);
    if (!one && !same(&plan->out, &packed))
        add_move(m, FFT_MOVE, half, &packed, &plan->out);
}

static void to_real_steps(struct maker *m)
{
    const struct fft_plan *plan = m->plan;
    unsigned int n = plan->n[FFT_RANK - 1], half = fft_columns(plan);
    struct fft_layout whole = fft_packed(plan, n), packed = fft_packed(plan, half);
    bool one = plan->n[0] == 1 && plan->n[1] == 1;
    if (!one && !same(&plan->in, &packed))
        add_move(m, FFT_MOVE, half, &plan->in, &packed);
    for (int i = 0; i < FFT_RANK - 1; i++)
        add_dimension(m, i, half);
    add_move(m, FFT_MIRROR, n, one ? &plan->in : &packed, &whole);
    add_dimension(m, FFT_RANK - 1, n);
    add_move(m, FFT_TO_REAL, n, &whole, &plan->out);
}

cufftResult fft_steps(struct fft_plan *plan, bool tables)
{
    struct maker m = {.plan = plan, .tables = tables};
    unsigned long long count = plan->batch;
    for (int i = 0; i < FFT_RANK; i++) {
        FFT_CHECK(count <= MOST_ELEMENTS / plan->n[i], CUFFT_INVALID_SIZE);
        count *= plan->n[i];
    }
    plan->n_steps = 0;
    plan->rows_bytes = 0;
    plan->array_bytes = (size_t)count * fft_bytes(plan->type);
    if (fft_from_real(plan->type))
        from_real_steps(&m);
    else if (fft_to_real(plan->type))
        to_real_steps(&m);
    else
        complex_steps(&m);
    return m.result;
}
