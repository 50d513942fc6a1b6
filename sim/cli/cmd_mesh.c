/* evgpu mesh: the mesh network alone under made-up traffic. */
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/results/about.h"
#include "sim/mem/net/mesh_traffic.h"

struct request {
    struct mesh_traffic_config traffic;
    const char *json;
    bool hot; /* an option of the hot spot was given */
    struct error err;
};

enum {
    OPT_SIZE = 256,
    OPT_VCS,
    OPT_BUFFER,
    OPT_ROUTER,
    OPT_LINK,
    OPT_CREDIT,
    OPT_ORDERED,
    OPT_ALLOCATION,
    OPT_ROUNDS,
    OPT_HOT_NODE,
    OPT_HOT_PERCENT,
    OPT_PATTERN,
    OPT_FLITS,
    OPT_RATE,
    OPT_WARMUP,
    OPT_TICKS,
    OPT_SEED,
    OPT_JSON
};

static const struct argp_option options[] = {
    {"size", OPT_SIZE, "WIDTHxHEIGHT", 0, "size of the mesh in routers (6x6)", 1},
    {"vcs", OPT_VCS, "N", 0, "virtual channels of a link (4)", 1},
    {"buffer", OPT_BUFFER, "FLITS", 0, "buffer of a virtual channel (4)", 1},
    {"router-delay", OPT_ROUTER, "TICKS", 0, "pipeline stages of a router before its link (2)", 1},
    {"link-delay", OPT_LINK, "TICKS", 0, "delay of a link (1)", 1},
    {"credit-delay", OPT_CREDIT, "TICKS", 0, "delay of a credit (1)", 1},
    {"ordered", OPT_ORDERED, NULL, 0,
     "keep the packets of each source and destination in order, on one channel", 1},
    {"allocation", OPT_ALLOCATION, "WHO", 0,
     "side that switch allocation begins at: input or output (input)", 1},
    {"iterations", OPT_ROUNDS, "N", 0, "rounds of switch allocation in a tick (1)", 1},
    {"pattern", OPT_PATTERN, "NAME", 0,
     "traffic pattern: uniform, transpose, hotspot or reply (uniform)", 2},
    {"hot-node", OPT_HOT_NODE, "N", 0, "node of the hot spot, y * width + x (0)", 2},
    {"hot-percent", OPT_HOT_PERCENT, "N", 0,
     "share of packets sent to the hot spot, in percent (20)", 2},
    {"flits", OPT_FLITS, "N", 0, "flits of a packet; with reply, of a reply (1)", 2},
    {"rate", OPT_RATE, "R", 0, "offered load in flits per node and tick (0.1)", 2},
    {"warmup", OPT_WARMUP, "TICKS", 0, "ticks before the measurement (3000)", 2},
    {"ticks", OPT_TICKS, "TICKS", 0, "ticks of the measurement (10000)", 2},
    {"seed", OPT_SEED, "N", 0, "seed of the traffic (1)", 2},
    {"json", OPT_JSON, "FILE", 0, "write the figures as JSON", 2},
    {0},
};

static bool take_size(struct mesh_traffic_config *t, const char *text, struct error *err)
{
    char rest;
    return (isdigit((unsigned char)*text) && !strchr(text, '-') &&
            sscanf(text, "%4ux%4u%c", &t->mesh.width, &t->mesh.height, &rest) == 2) ||
           error_set(err, "--size %s: must be WIDTHxHEIGHT, of %u routers at most", text,
                     MESH_MAX_NODES);
}

static bool take_rate(struct mesh_traffic_config *t, const char *text, struct error *err)
{
    char *end;
    t->rate = strtod(text, &end);
    return (end != text && !*end && t->rate > 0 && t->rate <= 1) ||
           error_set(err, "--rate %s: must be a number above 0 and up to 1", text);
}

static const char *const pattern_names[TRAFFIC_PATTERNS] = {"uniform", "transpose", "hotspot",
                                                            "reply"};

static bool take_pattern(struct mesh_traffic_config *t, const char *text, struct error *err)
{
    for (uint32_t i = 0; i < TRAFFIC_PATTERNS; i++) {
        if (!strcmp(text, pattern_names[i])) {
            t->pattern = (enum traffic_pattern)i;
            return true;
        }
    }
    return error_set(err, "--pattern %s: must be uniform, transpose, hotspot or reply", text);
}

static bool take_allocation(struct mesh_traffic_config *t, const char *text, struct error *err)
{
    t->mesh.allocation = strcmp(text, "output") ? MESH_INPUT_FIRST : MESH_OUTPUT_FIRST;
    return t->mesh.allocation == MESH_OUTPUT_FIRST || !strcmp(text, "input") ||
           error_set(err, "--allocation %s: must be input or output", text);
}

/* Which numbers an option takes, and where its value goes: to one of both places. */
struct number_option {
    int key;
    const char *name;
    uint64_t range[2];
    uint32_t *value;
    uint64_t *wide;
};

static bool take_number(struct request *r, int key, const char *text)
{
    const uint64_t ticks = 1000000000;
    struct mesh_traffic_config *t = &r->traffic;
    struct mesh_config *m = &t->mesh;
    const struct number_option numbers[] = {
        {OPT_VCS, "--vcs", {1, MESH_MAX_VCS}, &m->vcs, NULL},
        {OPT_BUFFER, "--buffer", {1, MESH_MAX_BUFFER}, &m->vc_buffer, NULL},
        {OPT_ROUTER, "--router-delay", {1, MESH_MAX_DELAY}, &m->router_delay, NULL},
        {OPT_LINK, "--link-delay", {1, MESH_MAX_DELAY}, &m->link_delay, NULL},
        {OPT_CREDIT, "--credit-delay", {1, MESH_MAX_DELAY}, &m->credit_delay, NULL},
        {OPT_ROUNDS, "--iterations", {1, MESH_MAX_ITERATIONS}, &m->iterations, NULL},
        {OPT_HOT_NODE, "--hot-node", {0, MESH_MAX_NODES - 1}, &t->hot_node, NULL},
        {OPT_HOT_PERCENT, "--hot-percent", {0, 100}, &t->hot_percent, NULL},
        {OPT_FLITS, "--flits", {1, TRAFFIC_MAX_FLITS}, &t->flits, NULL},
        {OPT_WARMUP, "--warmup", {0, ticks}, NULL, &t->warmup},
        {OPT_TICKS, "--ticks", {1, ticks}, NULL, &t->ticks},
        {OPT_SEED, "--seed", {0, UINT64_MAX}, NULL, &t->seed}};
    const struct number_option *o = numbers;
    uint64_t value = 0;
    while (o->key != key)
        o++;
    if (!parse_between(o->name, text, o->range, &value, &r->err))
        return false;
    if (o->value)
        *o->value = (uint32_t)value;
    else
        *o->wide = value;
    return true;
}

static error_t on_option(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    bool ok = true;
    if (key < OPT_SIZE || key > OPT_JSON)
        return ARGP_ERR_UNKNOWN;
    if (key == OPT_SIZE)
        ok = take_size(&r->traffic, arg, &r->err);
    else if (key == OPT_PATTERN)
        ok = take_pattern(&r->traffic, arg, &r->err);
    else if (key == OPT_RATE)
        ok = take_rate(&r->traffic, arg, &r->err);
    else if (key == OPT_ALLOCATION)
        ok = take_allocation(&r->traffic, arg, &r->err);
    else if (key == OPT_ORDERED)
        r->traffic.mesh.any_vc = false;
    else if (key == OPT_JSON)
        r->json = arg;
    else
        ok = take_number(r, key, arg);
    r->hot = r->hot || key == OPT_HOT_NODE || key == OPT_HOT_PERCENT;
    return ok ? 0 : EINVAL;
}

/* Under the names of the options. */
static json_t *json_of_settings(const struct mesh_traffic_config *t)
{
    const struct mesh_config *m = &t->mesh;
    char size[32];
    snprintf(size, sizeof size, "%ux%u", m->width, m->height);
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:s, s:I, s:s, s:I, s:I, s:I, s:f, s:I, "
                     "s:I}",
                     "size", size, "vcs", (json_int_t)m->vcs, "buffer", (json_int_t)m->vc_buffer,
                     "router-delay", (json_int_t)m->router_delay, "link-delay",
                     (json_int_t)m->link_delay, "credit-delay", (json_int_t)m->credit_delay,
                     "ordered", (int)!m->any_vc, "allocation",
                     m->allocation == MESH_OUTPUT_FIRST ? "output" : "input", "iterations",
                     (json_int_t)m->iterations, "pattern", pattern_names[t->pattern], "hot-node",
                     (json_int_t)t->hot_node, "hot-percent", (json_int_t)t->hot_percent, "flits",
                     (json_int_t)t->flits, "rate", t->rate, "warmup", (json_int_t)t->warmup,
                     "ticks", (json_int_t)t->ticks);
}

static int report(const struct request *r, const struct mesh_traffic_result *t, double wall)
{
    struct error err = {0};
    printf("Latency      %.2f ticks, 99 %% within %.0f%s\n"
           "Throughput   %.4f of %.4f flits per node and tick offered\n"
           "Speed        %llu packets measured, %llu ticks, %.0f kcycle/s\n",
           t->latency, t->p99, t->saturated ? ", saturated" : "", t->carried, t->offered,
           (unsigned long long)t->packets, (unsigned long long)t->ticks,
           (double)t->ticks / wall / 1e3);
    if (!r->json)
        return EXIT_VERIFIED;
    json_t *json =
        json_pack("{s:f, s:f, s:f, s:f, s:b, s:I, s:I}", "latency", t->latency, "p99", t->p99,
                  "offered", t->offered, "carried", t->carried, "saturated", (int)t->saturated,
                  "packets", (json_int_t)t->packets, "ticks", (json_int_t)t->ticks);
    const struct about about = {
        .kind = "mesh", .seed = &r->traffic.seed, .settings = json_of_settings(&r->traffic)};
    json = about_before(about_json(&about), json);
    bool ok = write_json(r->json, json, &err);
    json_decref(json);
    return ok ? EXIT_VERIFIED : complain(EXIT_FAILED, &err);
}

const struct argp mesh_argp = {
    .options = options,
    .parser = on_option,
    .doc = "Measures latency and throughput of a mesh of routers with virtual channels and "
           "credits, by itself. Every node has a source queue without a bound."};

static bool has_hot_spot(struct request *r)
{
    return !r->hot || r->traffic.pattern == TRAFFIC_HOTSPOT ||
           error_set(&r->err, "--hot-node and --hot-percent need --pattern hotspot");
}

int cmd_mesh(int argc, char **argv)
{
    struct request r = {.traffic = {.mesh = mesh_table_one(),
                                    .flits = 1,
                                    .hot_percent = 20,
                                    .rate = 0.1,
                                    .warmup = 3000,
                                    .ticks = 10000,
                                    .seed = 1}};
    r.traffic.mesh.any_vc = true;
    struct mesh_traffic_result result;
    if (argp_parse(&mesh_argp, argc, argv, 0, NULL, &r) || !has_hot_spot(&r) ||
        (r.json && !check_output("--json", r.json, &r.err)))
        return complain(EXIT_BAD_INPUT, &r.err);
    double start = wall_seconds();
    if (!mesh_traffic_run(&r.traffic, &result, &r.err))
        return complain(EXIT_BAD_INPUT, &r.err);
    return report(&r, &result, wall_seconds() - start);
}
