#include "sim/cpu/cpus.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/memsys.h"
#include "sim/mem/net/net.h"

struct seat {
    struct cpus *cpus;
    struct cpu_trace *trace;
    struct cpu_core *core; /* NULL: without a program */
    uint64_t first;        /* the core's cycle 0 is this CPU cycle of the machine */
    uint64_t wake;         /* machine cycle */
    uint32_t port;
    bool marked; /* its mark is ahead of the machine */
};

struct cpus {
    struct cpus_config config;
    uint64_t khz, core_khz; /* without their common divisor */
    uint64_t wake;          /* earliest of the seats' */
    uint64_t from, until;   /* the CPU cycles of the cycle that is ticked */
    bool ended;             /* a trace was shorter than asked for */
    uint64_t ports[NET_WORDS];
    struct seat seat[MAX_CPUS];
};

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* CPU cycles before the machine's cycle. */
static uint64_t cycles_before(const struct cpus *p, uint64_t cycle)
{
    return cycle / p->core_khz * p->khz + cycle % p->core_khz * p->khz / p->core_khz;
}

struct cpus *cpus_create(const struct cpus_config *config, struct error *err)
{
    if (!config->count || config->count > MAX_CPUS) {
        error_set(err, "%" PRIu32 " CPU cores: must be 1..%u", config->count, MAX_CPUS);
        return NULL;
    }
    if (memsys_port(config->memsys, ENDPOINT_CPU, config->count - 1) == MAX_ENDPOINTS) {
        error_set(err, "CPU core %" PRIu32 ": the memory system has no port for it",
                  config->count - 1);
        return NULL;
    }
    struct cpus *p = ALLOC(struct cpus);
    p->config = *config;
    uint64_t divisor = common_divisor(config->khz, config->core_khz);
    p->khz = config->khz / divisor;
    p->core_khz = config->core_khz / divisor;
    /* One cycle less: its clock may stand anywhere. */
    p->config.core.least = (uint32_t)cycles_before(p, memsys_least_latency(config->memsys));
    p->config.core.least -= p->config.core.least > 0;
    p->wake = CPU_NEVER;
    for (uint32_t i = 0; i < config->count; i++) {
        uint32_t port = memsys_port(config->memsys, ENDPOINT_CPU, i);
        p->seat[i] = (struct seat){.port = port, .wake = CPU_NEVER};
        p->ports[port / 64] |= 1ull << port % 64;
    }
    return p;
}

void cpus_destroy(struct cpus *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->config.count; i++)
        cpu_core_destroy(p->seat[i].core);
    free(p);
}

/* The machine's cycle that holds a CPU cycle: the last one with no more than that many before. */
static uint64_t machine_cycle(const struct cpus *p, uint64_t cycle)
{
    uint64_t n = cycle + 1;
    return n / p->khz * p->core_khz + (n % p->khz * p->core_khz + p->khz - 1) / p->khz - 1;
}

static uint32_t read_trace(void *user, struct cpu_instruction *out, uint32_t n)
{
    struct seat *s = user;
    uint32_t got = cpu_trace_read(s->trace, out, n);
    s->cpus->ended |= got < n;
    return got;
}

bool cpus_start(struct cpus *p, uint32_t core, struct cpu_trace *trace, uint64_t cycle,
                struct error *err)
{
    struct seat *s = &p->seat[core];
    s->cpus = p;
    s->trace = trace;
    s->core = cpu_core_create(&p->config.core, read_trace, s, err);
    if (!s->core)
        return false;
    s->first = cycles_before(p, cycle);
    s->wake = cycle;
    if (cycle < p->wake)
        p->wake = cycle;
    return true;
}

void cpus_run_ahead(struct cpus *p, uint32_t ahead)
{
    p->config.ahead = ahead;
}

struct cpu_core *cpus_core(struct cpus *p, uint32_t core)
{
    return p->seat[core].core;
}

/* The oldest request that leaves the core before its cycle `until`. */
static void send_request(struct cpus *p, uint32_t index, uint64_t until)
{
    struct seat *s = &p->seat[index];
    struct cpu_request r;
    if (!cpu_core_request(s->core, until, &r))
        return;
    struct mem_request request = {.line = cpu_core_place(index, r.line),
                                  .tag = r.tag,
                                  .source = (uint16_t)s->port,
                                  .owner = (uint16_t)(p->config.first_owner + index),
                                  .kind = r.write ? REQUEST_WRITE : REQUEST_READ,
                                  .sectors = ALL_SECTORS};
    if (memsys_request(p->config.memsys, &request))
        cpu_core_sent(s->core, until - 1);
}

/* A mark that was reached ahead of the machine is told when the machine is there; until then the
 * core goes no further. */
static void run_core(struct cpus *p, uint32_t index, uint64_t until, uint64_t ahead)
{
    struct seat *s = &p->seat[index];
    while (s->marked || !cpu_core_run(s->core, until, ahead)) {
        s->marked = cpu_core_marked(s->core) > until;
        if (s->marked)
            return;
        if (p->config.marked)
            p->config.marked(p->config.user, index);
    }
}

/* The machine's cycle has the CPU cycles [from, until); there may be none. */
static void tick_core(struct cpus *p, uint32_t index, uint64_t cycle, bool replied)
{
    struct seat *s = &p->seat[index];
    uint64_t from = p->from - s->first, until = p->until - s->first;
    struct mem_request reply;
    if (replied) {
        run_core(p, index, from, 0);
        memsys_reply(p->config.memsys, s->port, &reply);
        cpu_core_reply(s->core, reply.tag, from);
    }
    run_core(p, index, until, until + p->config.ahead);
    send_request(p, index, until);
    uint64_t next = cpu_core_next(s->core);
    if (s->marked && cpu_core_marked(s->core) <= next)
        next = cpu_core_marked(s->core) - 1;
    if (next == CPU_NEVER)
        s->wake = CPU_NEVER;
    else
        s->wake = next < until ? cycle + 1 : machine_cycle(p, s->first + next);
}

bool cpus_tick(struct cpus *p, uint64_t cycle)
{
    p->wake = CPU_NEVER;
    p->from = cycles_before(p, cycle);
    p->until = cycles_before(p, cycle + 1);
    uint64_t ready[NET_WORDS];
    for (uint32_t i = 0; i < NET_WORDS; i++)
        ready[i] = p->ports[i] ? memsys_reply_ports(p->config.memsys, i) : 0;
    for (uint32_t i = 0; i < p->config.count; i++) {
        struct seat *s = &p->seat[i];
        bool replied = ready[s->port / 64] >> s->port % 64 & 1;
        if (s->core && (s->wake <= cycle || replied))
            tick_core(p, i, cycle, replied);
        if (s->wake < p->wake)
            p->wake = s->wake;
    }
    return !p->ended;
}

void cpus_catch_up(struct cpus *p, uint64_t cycle)
{
    for (uint32_t i = 0; i < p->config.count; i++)
        if (p->seat[i].core)
            run_core(p, i, cycles_before(p, cycle) - p->seat[i].first, 0);
}

uint64_t cpus_next_event(const struct cpus *p, uint64_t cycle)
{
    for (uint32_t i = 0; i < NET_WORDS; i++)
        if (p->ports[i] && memsys_reply_ports(p->config.memsys, i) & p->ports[i])
            return cycle;
    return p->wake;
}
