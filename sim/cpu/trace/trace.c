#include "sim/cpu/trace/trace.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/suggest.h"
#include "sim/cpu/trace/applications.h"
#include "sim/cpu/trace/generator.h"
#include "sim/cpu/trace/trace_internal.h"

struct cpu_trace {
    const struct cpu_trace_kind *kind;
    void *self;
    char *path;       /* or the application's name */
    const char *name; /* its last part */
    uint64_t rounds;
    bool any; /* this round had an instruction */
    struct error err;
};

static bool starts_with(const char *text, const char *prefix, const char **rest)
{
    size_t n = strlen(prefix);
    *rest = text + n;
    return !strncmp(text, prefix, n);
}

/* A line of Ramulator's begins with a number. */
static bool starts_with_number(const uint8_t *bytes, size_t n)
{
    size_t i = 0;
    while (i < n && isspace(bytes[i]))
        i++;
    return i == n || isdigit(bytes[i]);
}

/* ChampSim's records hold zeros, which no text has. */
static bool looks_like_text(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isprint(bytes[i]) && !isspace(bytes[i]) && bytes[i] < 0x80)
            return false;
    }
    return true;
}

static const struct cpu_trace_kind *kind_of(struct trace_input *in, struct error *err)
{
    const uint8_t *bytes;
    size_t n = trace_input_peek(in, &bytes, sizeof(struct cpu_instruction), err);
    if (err->set)
        return NULL;
    if (!n)
        error_set(err, "the file is empty");
    else if (!looks_like_text(bytes, n))
        return &champsim_kind;
    else if (starts_with_number(bytes, n))
        return &ramulator_kind;
    else
        error_set(
            err,
            "is text but not a Ramulator trace (\"BUBBLES READ-ADDRESS [WRITE-BACK-ADDRESS]\")");
    return NULL;
}

static bool open_file(struct cpu_trace *t, const char *path, struct error *err)
{
    struct trace_input *in = trace_input_open(path, err);
    if (!in)
        return false;
    if (!t->kind) {
        t->kind = kind_of(in, err);
        if (!t->kind) {
            error_prefix(err, "%s", path);
            trace_input_close(in);
            return false;
        }
    }
    t->self = t->kind == &ramulator_kind ? ramulator_open(in) : champsim_open(in);
    t->path = alloc_string(path);
    const char *slash = strrchr(t->path, '/');
    t->name = slash ? slash + 1 : t->path;
    return true;
}

static void not_found(const char *name, struct error *err)
{
    char hint[SUGGEST_MOST + 24];
    struct suggestion near = suggest(name);
    for (uint32_t i = 0; i < CPU_APPLICATIONS; i++)
        suggest_offer(&near, cpu_applications[i].name);
    for (uint32_t i = 0; i < CPU_MIXES; i++) {
        if (!strcmp(cpu_mixes[i].name, name)) {
            error_set(err, "'%s' is a mix of applications; name one application or a file", name);
            return;
        }
        suggest_offer(&near, cpu_mixes[i].name);
    }
    error_set(err,
              "'%s' is neither a file nor an application; `evgpu cputrace --list` lists "
              "applications and mixes%s",
              name, suggest_text(&near, hint, sizeof hint));
}

struct cpu_trace *cpu_trace_open(const char *spec, uint32_t core, uint64_t seed, struct error *err)
{
    struct cpu_trace *t = ALLOC(struct cpu_trace);
    const char *path = spec, *rest;
    const struct cpu_application *a = cpu_application_find(spec);
    if (a) {
        t->kind = &generator_kind;
        t->self = generator_open(a, core, seed);
        t->path = alloc_string(a->name);
        t->name = t->path;
        return t;
    }
    if (starts_with(spec, "champsim:", &rest)) {
        t->kind = &champsim_kind;
        path = rest;
    } else if (starts_with(spec, "ramulator:", &rest)) {
        t->kind = &ramulator_kind;
        path = rest;
    }
    if (path == spec && !strchr(spec, '/') && access(spec, F_OK))
        not_found(spec, err);
    else if (open_file(t, path, err))
        return t;
    cpu_trace_close(t);
    return NULL;
}

void cpu_trace_close(struct cpu_trace *t)
{
    if (!t)
        return;
    if (t->self)
        t->kind->close(t->self);
    free(t->path);
    free(t);
}

uint32_t cpu_trace_read(struct cpu_trace *t, struct cpu_instruction *out, uint32_t n)
{
    uint32_t done = 0;
    while (done < n && !t->err.set) {
        uint32_t got = t->kind->read(t->self, out + done, n - done, &t->err);
        done += got;
        t->any |= got > 0;
        if (done == n || t->err.set)
            break;
        if (!t->any) {
            error_set(&t->err, "%s: the trace contains no instruction", t->path);
        } else if (t->kind->restart(t->self, &t->err)) {
            t->rounds++;
            t->any = false;
        }
    }
    return done;
}

const char *cpu_trace_error(const struct cpu_trace *t)
{
    return t->err.set ? t->err.text : NULL;
}

const char *cpu_trace_name(const struct cpu_trace *t)
{
    return t->name;
}

uint64_t cpu_trace_rounds(const struct cpu_trace *t)
{
    return t->rounds;
}
