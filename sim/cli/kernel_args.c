#include "sim/cli/kernel_args.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/ptx/module.h"

struct scalar {
    const char *name;
    uint32_t bytes;
    enum { UNSIGNED, SIGNED, BITS, FLOATING } kind;
};

static const struct scalar scalars[] = {
    {"u8", 1, UNSIGNED},  {"u16", 2, UNSIGNED}, {"u32", 4, UNSIGNED}, {"u64", 8, UNSIGNED},
    {"s8", 1, SIGNED},    {"s16", 2, SIGNED},   {"s32", 4, SIGNED},   {"s64", 8, SIGNED},
    {"b8", 1, BITS},      {"b16", 2, BITS},     {"b32", 4, BITS},     {"b64", 8, BITS},
    {"f32", 4, FLOATING}, {"f64", 8, FLOATING},
};

static bool is_float(uint8_t type)
{
    return type == PTX_F32 || type == PTX_F64 || type == PTX_F16;
}

static bool check_kind(const struct kernel_param *param, uint32_t index, const struct scalar *s,
                       struct error *err)
{
    bool floats = is_float(param->type), bits = param->type <= PTX_B64;
    if (bits || s->kind == BITS || floats == (s->kind == FLOATING))
        return true;
    return error_set(err, "argument %u (%s): %s given, the kernel takes %s", index, param->name,
                     s->name, floats ? "floating point" : "an integer");
}

/* Decimal, so that 010 is ten, or 0x. */
static bool parse_integer(const struct scalar *s, const char *value, uint64_t *bits)
{
    uint32_t width = 8 * s->bytes;
    bool minus = s->kind == SIGNED && *value == '-';
    uint64_t most = UINT64_MAX >> (64 - width + (s->kind == SIGNED)), magnitude;
    if (!parse_whole(s->name, value + minus, most + minus, &magnitude, NULL))
        return false;
    *bits = minus ? 0 - magnitude : magnitude;
    return true;
}

/* Too large a number would become infinity, which has a name of its own. */
static bool parse_floating(const struct scalar *s, const char *value, uint64_t *bits)
{
    char *end = NULL;
    float f = strtof(value, &end);
    double d = strtod(value, &end);
    *bits = 0;
    memcpy(bits, s->bytes == 4 ? (void *)&f : (void *)&d, s->bytes);
    bool infinite = s->bytes == 4 ? isinf(f) : isinf(d);
    return end != value && !*end && !isspace((unsigned char)*value) &&
           (!infinite || !strpbrk(value, "0123456789"));
}

static bool apply_scalar(struct kernel_job *job, const char *name, uint32_t index,
                         const struct scalar *s, const char *value, struct error *err)
{
    const struct kernel *kernel = kernel_job_kernel(job, name, err);
    if (!kernel)
        return false;
    uint64_t bits = 0;
    bool ok =
        s->kind == FLOATING ? parse_floating(s, value, &bits) : parse_integer(s, value, &bits);
    if (!ok)
        return error_set(err, "argument %u: '%s' is not a value of type %s", index, value, s->name);
    if (index < kernel->n_params && !check_kind(&kernel->params[index], index, s, err))
        return false;
    return kernel_job_argument(job, name, index, &bits, s->bytes, err);
}

static bool apply_buffer(struct kernel_job *job, const char *name, uint32_t index,
                         struct kernel_arg *arg, const void *data, struct error *err)
{
    arg->address = kernel_job_buffer(job, data, arg->bytes, err);
    return arg->address &&
           kernel_job_argument(job, name, index, &arg->address, sizeof arg->address, err);
}

static bool apply_file(struct kernel_job *job, const char *name, uint32_t index,
                       struct kernel_arg *arg, bool raw, struct error *err)
{
    size_t bytes = 0;
    uint8_t *data = read_file(strchr(arg->text, ':') + 1, &bytes, err);
    if (!data)
        return false;
    if (!bytes) {
        free(data);
        return error_set(err, "--arg %s: the file is empty", arg->text);
    }
    arg->bytes = bytes;
    bool ok = raw ? kernel_job_argument(job, name, index, data, (uint32_t)bytes, err)
                  : apply_buffer(job, name, index, arg, data, err);
    free(data);
    return ok;
}

bool kernel_arg_apply(struct kernel_job *job, const char *name, uint32_t index,
                      struct kernel_arg *arg, struct error *err)
{
    const char *colon = strchr(arg->text, ':');
    size_t n = colon ? (size_t)(colon - arg->text) : 0;
    for (size_t i = 0; n && i < sizeof scalars / sizeof scalars[0]; i++) {
        if (strlen(scalars[i].name) == n && !strncmp(scalars[i].name, arg->text, n))
            return apply_scalar(job, name, index, &scalars[i], colon + 1, err);
    }
    if (n == 3 && !strncmp(arg->text, "buf", n))
        return apply_file(job, name, index, arg, false, err);
    if (n == 3 && !strncmp(arg->text, "raw", n))
        return apply_file(job, name, index, arg, true, err);
    if (n == 4 && !strncmp(arg->text, "zero", n))
        return parse_count("--arg zero", colon + 1, (uint64_t)1 << 40, &arg->bytes, err) &&
               apply_buffer(job, name, index, arg, NULL, err);
    return error_set(err,
                     "--arg %s: must be TYPE:VALUE with TYPE u8 to u64, s8 to s64, b8 to b64, f32, "
                     "f64, buf (a file), zero (bytes) or raw (a file, by value)",
                     arg->text);
}
