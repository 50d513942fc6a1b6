/* The fake core's commands and events: obeys what the tile says and checks that it may say so. */
#include "tests/tb/bench/fake_core.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tests/tb/bench/fake_core_state.h"

enum {
    FAIL_ODDS = 8,        /* a push is refused in 1 of so many */
    LONG_EVENT_ODDS = 64, /* an event is long in 1 of so many */
    SHORT_EVENT_ODDS = 8,
    EVENT_CYCLES = 200,
    LONG_EVENT_CYCLES = 1500,
    PATIENCE = 60000, /* cycles from acceptance to completion */
};

struct fake_core *fake_core_create(uint64_t seed)
{
    struct fake_core *core = ALLOC(struct fake_core);
    rng_seed(&core->rng, seed);
    core->last_out.ev_ready = 1;
    return core;
}

void fake_core_destroy(struct fake_core *core)
{
    free(core);
}

void fake_core_configure(struct fake_core *core, const struct fake_core_config *config)
{
    core->config = *config;
    core->free_regs = config->registers;
    for (uint32_t w = 0; w < EVG_MAX_WARPS; w++)
        core->warps[w] = (struct fake_warp){0};
    for (uint32_t w = 0; w < fake_core_warps(core); w++)
        fake_core_launch(core, w);
}

void fake_core_reset(struct fake_core *core)
{
    struct fake_core fresh = {.rng = core->rng,
                              .cycle = core->cycle,
                              .now = core->now,
                              .next_tag = core->next_tag,
                              .uids = core->uids,
                              .last_out.ev_ready = 1};
    const struct fake_core_config config = core->config;
    memcpy(fresh.counts, core->counts, sizeof fresh.counts);
    *core = fresh;
    core->counts[FAKE_RESETS]++;
    fake_core_configure(core, &config);
}

uint32_t fake_core_pending(const struct fake_core *core)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++)
        n += core->events[e].used;
    return n;
}

uint64_t fake_core_count(const struct fake_core *core, enum fake_core_count what)
{
    return core->counts[what];
}

const char *fake_core_count_name(enum fake_core_count what)
{
    static const char *const names[FAKE_COUNTS] = {
        [FAKE_EVENTS] = "events accepted",
        [FAKE_FRESH] = "pushes to a free context",
        [FAKE_SPARE] = "pushes with spare registers",
        [FAKE_SAVED] = "pushes after a save",
        [FAKE_SMALL] = "victims with fewer registers than their event",
        [FAKE_READY] = "victims flushed at once",
        [FAKE_READY_DROP] = "victims flushed at once by dropping loads",
        [FAKE_CLAIM_LOST] = "victims let go without claimed registers",
        [FAKE_FAIL_FRESH] = "refused pushes to a free context",
        [FAKE_FAIL_SPARE] = "refused pushes with spare registers",
        [FAKE_FAIL_SAVED] = "refused pushes after a save",
        [FAKE_EXIT_IN_FLUSH] = "victims that exited on hold",
        [FAKE_RESUMED] = "victims let go",
        [FAKE_TIMED_OUT] = "victims let go because of their time",
        [FAKE_LAST_EDGE] = "victims flushed at their last edge",
        [FAKE_ALL_TRIED] = "times that no warp was left to be tried",
        [FAKE_FLUSHED] = "i-buffers flushed",
        [FAKE_DROPPED] = "loads dropped",
        [FAKE_STALE] = "dropped loads that returned to a borrowed warp",
        [FAKE_YOUNGER] = "cycles with loads that must not be dropped",
        [FAKE_ATOMIC] = "cycles with an atomic outstanding",
        [FAKE_ATOMIC_LOADS] = "... and loads that only it forbids to drop",
        [FAKE_BARRIER_BORROWED] = "victims borrowed from a barrier",
        [FAKE_BARRIER_DONE] = "barriers completed without their victim",
        [FAKE_BARRIER_REJOIN] = "victims put back into their barrier",
        [FAKE_FOUR_RUNNING] = "cycles with four events running",
        [FAKE_LONG] = "long events",
        [FAKE_DRAIN] = "cycles of want_drain",
        [FAKE_SILENT] = "groups of warps not answered for",
        [FAKE_PUT_BACK] = "events put back",
        [FAKE_LIGHTER] = "events run before one whose turn it was",
        [FAKE_AT_ONCE] = "events that exited with their push_ok",
        [FAKE_RESETS] = "resets",
    };
    return names[what];
}

/* --- the victim */

/* Registers are kept from others while a victim is taken because of them, and only then. */
static bool check_claim(struct fake_core *core, const struct sm_event_unit_out *out,
                        struct error *err)
{
    const struct fake_event *event = core->taken;
    bool scans = out->cand_req && !out->vic_valid;
    if (out->vic_valid && core->last_out.vic_valid && core->scan.any && event && !core->pushes)
        CHECK(out->claim_regs == event->regs, "%u units claimed, the event has %u", out->claim_regs,
              event->regs);
    if (!scans && (!core->scan.any || out->idle))
        CHECK(!out->claim_regs, "%u units claimed without need", out->claim_regs);
    core->claimed = out->claim_regs;
    return true;
}

static bool check_levels(const struct fake_core *core, const struct sm_event_unit_out *out,
                         struct error *err)
{
    uint8_t opts = core->last_in.cfg_opts;
    bool prio = out->vic_valid && (opts & EVG_OPT_PRIORITY);
    bool skip = out->vic_valid && (opts & EVG_OPT_SKIP_BARRIER);
    CHECK(out->cmd_hold == out->vic_valid, "cmd_hold does not go with vic_valid");
    CHECK(out->cmd_prio == prio, "cmd_prio is %u, expected %u", out->cmd_prio, prio);
    CHECK(out->cmd_skip == skip, "cmd_skip is %u, expected %u", out->cmd_skip, skip);
    return true;
}

static bool obey_choice(struct fake_core *core, const struct sm_event_unit_out *out,
                        struct error *err)
{
    const struct sm_event_unit_out *old = &core->last_out;
    if (out->vic_valid && !old->vic_valid) {
        CHECK(core->last_in.cfg_preempt, "a victim though preemption is off");
        int best = fake_core_ready_victim(core);
        if (best >= 0) {
            bool drop = core->last_in.cand_drop >> best & 1;
            CHECK(out->cmd_drop == drop &&
                      out->cmd_flush == (!drop && (core->config.opts & EVG_OPT_FLUSH_IBUF)),
                  "warp %d could be flushed at once and is not", best);
            core->counts[FAKE_READY]++;
            core->counts[FAKE_READY_DROP] += drop;
            const struct fake_event *event = core->taken;
            core->scan.any =
                core->config.spare && event && core->last_in.core_free_regs >= event->regs;
        } else {
            best = fake_core_best_victim(core);
        }
        CHECK(best == out->vic_warp, "victim %u, the policy names %d", out->vic_warp, best);
    }
    if (out->vic_valid && old->vic_valid)
        CHECK(out->vic_warp == old->vic_warp, "the victim changed while on hold");
    if (!out->vic_valid && old->vic_valid) {
        struct fake_warp *warp = &core->warps[old->vic_warp];
        bool alive = core->last_in.vic_alive && !core->push_accepted;
        CHECK(out->cmd_resume == alive, "victim %u let go: cmd_resume is %u", old->vic_warp,
              out->cmd_resume);
        CHECK(out->vic_warp == old->vic_warp, "vic_warp changed with cmd_resume");
        warp->held = warp->prio = false;
        core->saved = false;
        core->counts[FAKE_RESUMED] += out->cmd_resume;
        core->counts[FAKE_CLAIM_LOST] += out->cmd_resume && core->scan.any && !out->cmd_push &&
                                         !core->last_in.push_fail && !out->timed_out &&
                                         core->last_out.take_state == TAKE_STATE_FLUSH;
    } else {
        CHECK(!out->cmd_resume, "cmd_resume without a victim");
    }
    if (out->vic_valid) {
        struct fake_warp *warp = &core->warps[out->vic_warp];
        warp->held = out->cmd_hold;
        warp->prio = out->cmd_prio;
    }
    return check_levels(core, out, err);
}

/* Was the victim flushed, as the tile saw it at the last edge? */
static bool seen_flushed(const struct sm_event_unit_in *in)
{
    bool barrier = in->vic_barrier && !(in->cfg_opts & EVG_OPT_SKIP_BARRIER);
    return !in->vic_ibuf && !in->vic_fetch && !in->vic_pipe && !in->vic_loads && !in->vic_atomic &&
           !barrier;
}

/* The victim's time: looked at in every edge of a flush, let go at the last. */
static bool check_time(struct fake_core *core, const struct sm_event_unit_out *out,
                       struct error *err)
{
    const struct sm_event_unit_in *in = &core->last_in;
    bool was = core->last_out.take_state == TAKE_STATE_FLUSH;
    if (out->take_state == TAKE_STATE_FLUSH && !was) {
        core->flush_edges = 0;
        core->flush_limit = in->cfg_flush_limit;
    }
    core->flush_edges += was;
    bool last = was && core->flush_limit && core->flush_edges == core->flush_limit;
    bool other = in->cfg_policy == VICTIM_POLICY_CHEAPEST && core->last_out.now_req && in->cand_now;
    bool open = in->vic_alive && !seen_flushed(in) && !(out->cmd_push && out->push_fresh);
    CHECK(out->timed_out == (last && open && !other), "edge %u of %u: timed_out is %u",
          core->flush_edges, core->flush_limit, out->timed_out);
    CHECK(!out->timed_out || out->cmd_resume, "a time-out without cmd_resume");
    CHECK(!last || out->take_state != TAKE_STATE_FLUSH, "a flush outlives its time");
    core->counts[FAKE_TIMED_OUT] += out->timed_out;
    core->counts[FAKE_LAST_EDGE] += last && in->vic_alive && seen_flushed(in);
    if (out->timed_out)
        core->tried |= 1ULL << out->vic_warp;
    if (core->last_out.take_state == TAKE_STATE_SCAN && out->take_state == TAKE_STATE_WAIT) {
        core->counts[FAKE_ALL_TRIED] += core->tried != 0;
        core->tried = 0;
    }
    return true;
}

static bool obey_flush(struct fake_core *core, const struct sm_event_unit_out *out,
                       struct error *err)
{
    struct fake_warp *warp = &core->warps[out->vic_warp];
    uint8_t opts = core->last_in.cfg_opts;
    CHECK(!(out->cmd_flush && out->cmd_drop), "cmd_flush with cmd_drop");
    CHECK(out->vic_valid || !(out->cmd_flush || out->cmd_drop), "flush or drop without a victim");
    if (out->cmd_flush) {
        CHECK(opts & EVG_OPT_FLUSH_IBUF, "cmd_flush though the option is off");
        CHECK(warp->n_ibuf || !core->last_out.vic_valid, "cmd_flush of an empty i-buffer");
        fake_warp_flush(warp);
        core->counts[FAKE_FLUSHED]++;
    }
    if (out->cmd_drop) {
        CHECK(opts & EVG_OPT_DROP_LOADS, "cmd_drop though the option is off");
        CHECK(warp->n_loads, "cmd_drop without a load");
        CHECK(!fake_warp_younger(warp), "warp %u: a load dropped that a younger instruction passed",
              out->vic_warp);
        CHECK(!warp->n_alu && !warp->atomic_left && !warp->barrier,
              "warp %u: a load dropped with another instruction outstanding", out->vic_warp);
        fake_warp_drop(warp);
        CHECK(warp->next_pc >= warp->effect_pc, "warp %u executes an instruction twice",
              out->vic_warp);
        core->counts[FAKE_DROPPED]++;
    }
    return true;
}

/* Save and push with a victim: it is empty, and big enough. */
static bool check_flushed(const struct fake_core *core, const struct sm_event_unit_out *out,
                          const struct fake_event *event, struct error *err)
{
    const struct fake_warp *warp = &core->warps[out->vic_warp];
    CHECK(out->vic_valid, "save or push without a victim");
    CHECK(warp->present && !warp->borrowed && !warp->event, "warp %u cannot be borrowed",
          out->vic_warp);
    CHECK(fake_warp_flushed(warp, out->cmd_skip), "warp %u is not flushed", out->vic_warp);
    CHECK(event, "save or push without an event");
    bool own = core->scan.any && out->cmd_push && out->push_spare;
    CHECK(own || warp->regs >= event->regs, "register rule: victim %u has %u units, the event %u",
          out->vic_warp, warp->regs, event->regs);
    return true;
}

static bool obey_save(struct fake_core *core, const struct sm_event_unit_out *out,
                      struct error *err)
{
    if (!out->cmd_save)
        return true;
    const struct fake_event *event = core->taken;
    if (!check_flushed(core, out, event, err))
        return false;
    bool refused = core->last_in.push_fail && core->last_out.push_spare;
    CHECK(refused || core->lighter || core->last_in.core_free_regs < event->regs,
          "save with spare registers");
    CHECK(!core->saves && !core->saved, "save twice");
    CHECK(out->save_regs == event->regs, "save of %u units for %u", out->save_regs, event->regs);
    core->saves = true;
    return true;
}

/* --- push */

static bool check_payload(const struct sm_event_unit_out *out, const struct fake_event *event,
                          struct error *err)
{
    CHECK(out->push_kernel == event->kernel && out->push_param == event->param &&
              out->push_mask == event->mask && out->push_dims == event->dims &&
              out->push_regs == event->regs && out->push_row == event->row &&
              out->push_tag == event->tag,
          "push of event %u does not carry its data", event->tag);
    return true;
}

static bool check_target(const struct fake_core *core, const struct sm_event_unit_out *out,
                         const struct fake_event *event, struct error *err)
{
    const struct sm_event_unit_in *in = &core->last_in;
    CHECK(!core->lighter || !(out->push_fresh || out->push_spare),
          "event %u takes what another one waits for", event->tag);
    if (out->push_fresh) {
        CHECK(in->core_free_warp && in->core_free_slot == out->push_warp,
              "push to context %u, which is not free", out->push_warp);
        CHECK(in->core_free_regs >= event->regs, "push without free registers");
        return true;
    }
    CHECK(out->push_warp == out->vic_warp, "push to %u, the victim is %u", out->push_warp,
          out->vic_warp);
    CHECK(out->push_spare ? in->core_free_regs >= event->regs : core->saved,
          "push to victim %u without registers", out->push_warp);
    CHECK(!out->push_spare || !core->saved, "spare registers after a save");
    return check_flushed(core, out, event, err);
}

static bool refuse_push(struct fake_core *core, const struct sm_event_unit_out *out)
{
    if (!rng_chance(&core->rng, 1, FAIL_ODDS))
        return false;
    if (out->push_fresh) {
        if (out->want_drain)
            return false;
        fake_core_launch(core, out->push_warp);
        core->counts[FAKE_FAIL_FRESH]++;
        return true;
    }
    core->counts[out->push_spare ? FAKE_FAIL_SPARE : FAKE_FAIL_SAVED]++;
    return true;
}

static void start_event(struct fake_core *core, const struct sm_event_unit_out *out,
                        struct fake_event *event)
{
    struct fake_warp *warp = &core->warps[out->push_warp];
    core->counts[FAKE_SMALL] += !out->push_fresh && warp->regs < event->regs;
    bool is_long = rng_chance(&core->rng, 1, LONG_EVENT_ODDS);
    event->fresh = out->push_fresh;
    event->spare = out->push_spare;
    event->from_barrier = !event->fresh && warp->barrier;
    event->warp = out->push_warp;
    event->entry = out->push_entry;
    event->left = is_long ? LONG_EVENT_CYCLES : rng_below(&core->rng, EVENT_CYCLES);
    if (rng_chance(&core->rng, 1, SHORT_EVENT_ODDS))
        event->left = 0; /* exits with its push_ok */
    warp->event = true;
    warp->borrowed = !event->fresh;
    if (event->fresh || event->spare)
        core->free_regs -= event->regs;
    core->saved = false;
    fake_core_turn_over(core, event);
    event->pushed = true;
    core->taken = NULL;
    core->counts[event->fresh ? FAKE_FRESH : event->spare ? FAKE_SPARE : FAKE_SAVED]++;
    core->counts[FAKE_BARRIER_BORROWED] += event->from_barrier;
    core->counts[FAKE_LONG] += is_long;
}

static bool obey_push(struct fake_core *core, const struct sm_event_unit_out *out,
                      struct error *err)
{
    if (!out->cmd_push)
        return true;
    struct fake_event *event = core->taken;
    CHECK(event && !core->pushes, "push without an event, or during a push");
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        const struct fake_event *other = &core->events[e];
        CHECK(!other->used || !other->pushed || other->entry != out->push_entry,
              "push from entry %u, which holds event %u", out->push_entry, other->tag);
    }
    if (!check_payload(out, event, err) || !check_target(core, out, event, err))
        return false;
    core->push_answer = !refuse_push(core, out);
    core->pushes = true;
    core->pushing = event;
    if (core->push_answer)
        start_event(core, out, event);
    return true;
}

/* --- give-back */

/* The event that has exited in `entry` and whose warp is still owed. */
static struct fake_event *exited_event(struct fake_core *core, uint32_t entry, uint32_t w)
{
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        struct fake_event *event = &core->events[e];
        if (event->used && event->exited && !event->returned && event->entry == entry &&
            event->warp == w)
            return event;
    }
    return NULL;
}

static bool obey_pop(struct fake_core *core, const struct sm_event_unit_out *out, struct error *err)
{
    if (!out->cmd_pop)
        return true;
    struct fake_event *event = exited_event(core, out->pop_entry, out->pop_warp);
    CHECK(event && !event->popped, "pop of warp %u entry %u, which has no exited event",
          out->pop_warp, out->pop_entry);
    event->popped = true;
    event->returned = event->fresh;
    core->warps[event->warp].event = false;
    if (event->fresh || event->spare)
        core->free_regs += event->regs;
    return true;
}

static bool obey_restore(struct fake_core *core, const struct sm_event_unit_out *out,
                         struct error *err)
{
    if (!out->cmd_restore)
        return true;
    struct fake_event *event = exited_event(core, out->restore_entry, out->restore_warp);
    CHECK(event && event->popped, "restore of warp %u before its pop", out->restore_warp);
    CHECK(!event->spare && !event->restored && !core->restores,
          "restore of warp %u, which has nothing to restore", out->restore_warp);
    CHECK(out->restore_regs == event->regs, "restore of %u units for %u", out->restore_regs,
          event->regs);
    core->restores = true;
    core->restoring = event;
    return true;
}

static bool obey_release(struct fake_core *core, const struct sm_event_unit_out *out,
                         struct error *err)
{
    if (!out->cmd_release)
        return true;
    struct fake_event *event = NULL;
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES && !event; e++) {
        struct fake_event *other = &core->events[e];
        if (other->used && other->popped && !other->returned && other->warp == out->release_warp)
            event = other;
    }
    CHECK(event, "release of warp %u, which is not owed", out->release_warp);
    CHECK(event->spare || event->restored, "release of warp %u before its restore", event->warp);
    struct fake_warp *warp = &core->warps[event->warp];
    CHECK(out->release_barrier == warp->barrier,
          "warp %u: release_barrier is %u, the barrier is %s", event->warp, out->release_barrier,
          warp->barrier ? "open" : "complete");
    event->returned = true;
    warp->borrowed = false;
    core->counts[FAKE_BARRIER_REJOIN] += warp->barrier;
    core->counts[FAKE_BARRIER_DONE] += event->from_barrier && !warp->barrier;
    return true;
}

/* --- completion, table */

static bool check_completion(const struct fake_core *core, const struct sm_event_unit_out *out,
                             struct error *err)
{
    const struct sm_event_unit_out *old = &core->last_out;
    if (old->done_valid && !core->last_in.done_ready)
        CHECK(out->done_valid && out->done_tag == old->done_tag, "a completion was withdrawn");
    if (!out->done_valid)
        return true;
    CHECK(core->n_exit_tags && out->done_tag == core->exit_tags[0],
          "completion of event %u, which has not exited", out->done_tag);
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        const struct fake_event *event = &core->events[e];
        if (event->used && event->tag == out->done_tag)
            CHECK(out->done_row == event->row && out->done_param == event->param &&
                      out->done_aborted == (event->tag % 3 == 0),
                  "completion of event %u does not carry its data", event->tag);
    }
    return true;
}

static bool check_table(struct fake_core *core, const struct sm_event_unit_out *out,
                        struct error *err)
{
    uint32_t used = 0, victims = out->vic_valid, running = 0;
    CHECK(out->victims == core->victims, "victims %u, expected %u", out->victims, core->victims);
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        struct fake_event *event = &core->events[e];
        if (event->used && event->returned && event->completed)
            event->used = false;
        if (!event->used)
            continue;
        used++;
        running += event->running && !event->exited;
        victims += event->running && !event->fresh && !event->returned;
        CHECK(core->cycle - event->accepted_at < PATIENCE, "event %u is not served", event->tag);
    }
    CHECK(out->occupancy == used, "occupancy %u with %u events", out->occupancy, used);
    core->victims = victims;
    CHECK(out->ev_ready == (used < EVG_PEWT_ENTRIES), "ev_ready with %u events", used);
    core->counts[FAKE_FOUR_RUNNING] += running == EVG_PEWT_ENTRIES;
    core->counts[FAKE_DRAIN] += out->want_drain;
    return true;
}

bool fake_core_step(struct fake_core *core, const struct sm_event_unit_out *out, bool offer,
                    struct sm_event_unit_in *in, struct error *err)
{
    if (!fake_core_note_take(core, out, err) || !obey_choice(core, out, err) ||
        !check_claim(core, out, err) || !check_time(core, out, err) ||
        !obey_flush(core, out, err) || !obey_save(core, out, err) || !obey_push(core, out, err) ||
        !obey_pop(core, out, err) || !obey_restore(core, out, err) ||
        !obey_release(core, out, err) || !check_completion(core, out, err) ||
        !check_table(core, out, err)) {
        error_prefix(err, "cycle %llu", (unsigned long long)core->cycle);
        return false;
    }
    fake_core_keep_ration(core, out);
    fake_core_execute(core, !out->want_drain);
    fake_core_answer(core, out, in);
    fake_core_proceed(core, out, offer, in);
    if (out->vic_valid) {
        core->counts[FAKE_YOUNGER] += in->vic_loads && in->vic_younger;
        core->counts[FAKE_ATOMIC] += in->vic_atomic;
        core->counts[FAKE_ATOMIC_LOADS] +=
            in->vic_atomic && in->vic_loads && !in->vic_younger && !in->vic_pipe;
    }
    in->cfg_policy = core->config.policy;
    in->cfg_opts = core->config.opts;
    in->cfg_preempt = core->config.preempt;
    in->cfg_spare = core->config.spare;
    in->cfg_flush_limit = core->config.limit;
    in->cfg_warp_groups = core->config.groups;
    core->last_in = *in;
    core->last_out = *out;
    core->cycle++;
    return true;
}
