/* A wait for a word of the synchronised region that is over its time: one line that says who waits,
 * for which word, since when, and who could still fill it. */
#include <stdio.h>
#include <string.h>

#include "sim/gpu/gpu_internal.h"
#include "sim/mem/region/fe.h"

struct text {
    char *at;
    size_t room, used;
};

static void add(struct text *t, const char *separator, const char *what)
{
    int n = snprintf(t->at + t->used, t->room - t->used, "%s%s", t->used ? separator : "", what);
    if (n > 0)
        t->used += (size_t)n < t->room - t->used ? (size_t)n : t->room - t->used - 1;
}

/* The first word that the report's trigger is against. */
static uint64_t blocked_word(const struct gpu *gpu, const struct fe_report *report)
{
    uint32_t words = memsys_fe_against(gpu->memsys, &report->request);
    if (!words)
        words = report->words;
    return report->request.line + 4u * (uint32_t)__builtin_ctz(words ? words : 1);
}

static void describe_waiter(struct gpu *gpu, const struct mem_request *r, uint64_t word, char *text,
                            size_t room)
{
    const struct endpoint *from = memsys_requester(gpu->memsys, r->source);
    if (from->kind == ENDPOINT_CORE)
        core_describe_access(gpu->sm[from->index].core, r, word, text, room);
    else
        snprintf(text, room, "copy of the host or a device, %s of 0x%llx",
                 r->kind == REQUEST_WRITE ? "write" : "read", (unsigned long long)r->line);
}

/* --- who could do it -------------------------------------------------------------------------- */

struct search {
    uint64_t word;
    uint8_t action; /* that would end the wait */
    uint32_t found;
};

/* Requests that stand behind a head of their queue. */
struct behind {
    const struct gpu *gpu;
    const struct mem_request *head;
    const struct mem_request *one; /* that a core waits for */
    uint32_t n;
};

static void see_request(void *user, const struct mem_request *r, bool left)
{
    struct search *s = user;
    uint32_t words = r->words ? r->words : sector_words(r->sectors);
    bool touches = s->word - r->line < LINE_BYTES && words >> (s->word - r->line) / 4 & 1;
    s->found += !left && touches && r->action == s->action;
}

static uint32_t pending_requests(const struct gpu *gpu, const struct search *what)
{
    struct search s = *what;
    memsys_fe_each(gpu->memsys, see_request, &s);
    for (uint32_t l = 0; l < 2; l++)
        for (uint32_t i = gpu->region.list[l].first; i != UINT32_MAX; i = gpu->region.slot[i].next)
            see_request(&s, &gpu->region.request[i], false);
    return s.found;
}

static bool of_core(const struct gpu *gpu, const struct mem_request *r)
{
    return memsys_requester(gpu->memsys, r->source)->kind == ENDPOINT_CORE;
}

static void see_behind(void *user, const struct mem_request *r, bool left)
{
    struct behind *b = user;
    bool head = r->source == b->head->source && r->tag == b->head->tag;
    if (left || head || !r->trigger || !of_core(b->gpu, r))
        return;
    b->one = r;
    b->n++;
}

/* The queue of a partition's GPU requests is in order (full/empty paper, 4.3): whoever stands
 * behind the head gets no word, and might be the one to fill the head's. */
static void add_behind(struct gpu *gpu, const struct fe_report *report, struct text *t)
{
    struct behind b = {.gpu = gpu, .head = &report->request};
    char line[160];
    if (of_core(gpu, b.head))
        fe_each(memsys_fe(gpu->memsys, report->partition), see_behind, &b);
    if (!b.n)
        return;
    const struct endpoint *from = memsys_requester(gpu->memsys, b.one->source);
    snprintf(line, sizeof line, "%u request%s behind it in its queue, one of kernel %.60s", b.n,
             b.n > 1 ? "s" : "", core_access_kernel(gpu->sm[from->index].core, b.one)->name);
    add(t, ", ", line);
}

static void add_lent(const struct gpu *gpu, struct text *t)
{
    const struct kernel *kernel = NULL;
    uint32_t n = 0;
    char line[128];
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        n += core_lent_warps(gpu->sm[i].core, &kernel);
    if (!n)
        return;
    snprintf(line, sizeof line, "%u warp%s under events, one of kernel %.60s", n, n > 1 ? "s" : "",
             kernel->name);
    add(t, ", ", line);
}

static void add_blocks(const struct gpu *gpu, struct text *t)
{
    char line[128];
    const struct kernel_manager *kmu = &gpu->kmu;
    for (uint32_t i = 0; i < kmu->n_running; i++) {
        const struct grid *g = &kmu->running[kmu->order[i]].grid;
        if (g->next_block == g->total_blocks)
            continue;
        snprintf(line, sizeof line, "%llu non-resident blocks of kernel %.60s",
                 (unsigned long long)(g->total_blocks - g->next_block), g->kernel->name);
        add(t, ", ", line);
    }
    for (uint32_t i = 0; i < kmu->n_pending; i++) {
        snprintf(line, sizeof line, "kernel %.60s, which has not started",
                 kmu->pending[i].launch.kernel->name);
        add(t, ", ", line);
    }
    uint32_t others = 0;
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        others += core_unblocked_warps(gpu->sm[i].core);
    snprintf(line, sizeof line, "%u resident warps not waiting for the region", others);
    if (others)
        add(t, ", ", line);
}

/* Whose kernel or copy waits; 0: nobody's that is known. */
static uint32_t owner_of(const struct gpu *gpu, const struct mem_request *r)
{
    const struct endpoint *from = memsys_requester(gpu->memsys, r->source);
    if (from->kind == ENDPOINT_CORE)
        return core_access_kernel(gpu->sm[from->index].core, r)->owner;
    if (!(r->tag & HOST_TAG_REGION) || !gpu->calls.region_owner)
        return 0;
    const struct region_slot *slot = &gpu->region.slot[r->tag & ~HOST_TAG_REGION];
    return slot->answered ? gpu->calls.region_owner(gpu->calls.user, slot->tag) : 0;
}

bool region_report(struct gpu *gpu, const struct fe_report *report, struct error *err)
{
    const struct mem_request *r = &report->request;
    uint32_t owner = owner_of(gpu, r);
    bool full = r->trigger == TRIGGER_FULL;
    uint64_t word = blocked_word(gpu, report);
    if (gpu_owner_ended(gpu, owner)) {
        region_port_free_head(gpu, report, word, owner);
        return true;
    }
    char who[340], could[420] = "", line[128];
    describe_waiter(gpu, r, word, who, sizeof who);
    struct text t = {could, sizeof could, 0};
    struct search s = {.word = word, .action = full ? ACTION_FILL : ACTION_EMPTY};
    uint32_t requests = pending_requests(gpu, &s);
    snprintf(line, sizeof line, "%u waiting requests", requests);
    if (requests)
        add(&t, ", ", line);
    if (gpu->calls.region_pending &&
        gpu->calls.region_pending(gpu->calls.user, word, full, line, sizeof line))
        add(&t, ", ", line);
    if (full) {
        add_lent(gpu, &t);
        add_behind(gpu, report, &t);
        add_blocks(gpu, &t);
    }
    double us = (double)report->age * 1000 / gpu->config.mem.l2_khz;
    error_set(err,
              "full/empty time-out: %s: waits for word 0x%llx to be %s for %.1f us; candidates to "
              "%s it: %s",
              who, (unsigned long long)word, full ? "full" : "empty", us, full ? "fill" : "empty",
              t.used ? could : "nobody");
    if (!kernel_fault_waiter(gpu, owner, err))
        return false;
    region_port_free_head(gpu, report, word, owner);
    return true;
}

bool gpu_waits_for_words(const struct gpu *gpu)
{
    uint32_t resident = 0, others = 0;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        if (core_empty(gpu->sm[i].core))
            continue;
        resident += core_resident_warps(gpu->sm[i].core);
        others += core_unblocked_warps(gpu->sm[i].core);
    }
    return resident && !others;
}
