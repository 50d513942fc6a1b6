#include "sim/cli/stats_json.h"

static void put(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *json_of_cores(const struct core_stats *c)
{
    static const char *const causes[CAUSES] = {"pipeline", "scoreboard", "load",
                                               "icache",   "barrier",    "fence"};
    json_t *j = json_object();
    put(j, "active_cycles", c->cycles_active);
    put(j, "warp_instructions", c->warp_instructions);
    put(j, "thread_instructions", c->thread_instructions);
    put(j, "event_warp_instructions", c->event_warp_instructions);
    put(j, "resident_warp_cycles", c->warp_cycles);
    put(j, "l1_hits", c->l1_hits);
    put(j, "l1_misses", c->l1_misses);
    put(j, "const_misses", c->const_misses);
    put(j, "icache_misses", c->icache_misses);
    put(j, "global_transactions", c->global_transactions);
    put(j, "shared_conflict_cycles", c->shared_conflicts);
    put(j, "barriers", c->barriers);
    put(j, "atomics", c->atomics);
    put(j, "loads_dropped", c->loads_dropped);
    put(j, "registers_saved", c->registers_saved);
    put(j, "registers_restored", c->registers_restored);
    put(j, "stall_scoreboard", c->stall_scoreboard);
    put(j, "stall_unit", c->stall_unit);
    put(j, "stall_empty", c->stall_empty);
    put(j, "stall_barrier", c->stall_barrier);
    json_t *flush = json_object();
    for (int i = 0; i < CAUSES; i++)
        put(flush, causes[i], c->flush_cycles[i]);
    json_object_set_new(j, "flush_cycles", flush);
    return j;
}

static json_t *json_of_memory(const struct memsys_stats *m)
{
    json_t *j = json_object();
    put(j, "reads", m->requests[REQUEST_READ]);
    put(j, "writes", m->requests[REQUEST_WRITE]);
    put(j, "atomics", m->requests[REQUEST_ATOMIC]);
    put(j, "polls", m->requests[REQUEST_POLL]);
    put(j, "l2_hits", m->l2_hits);
    put(j, "l2_misses", m->l2_misses);
    put(j, "l2_writebacks", m->l2_writebacks);
    put(j, "network_stalls", m->net_stalls);
    put(j, "dram_cycles", m->dram.cycles);
    put(j, "dram_reads", m->dram.reads);
    put(j, "dram_writes", m->dram.writes);
    put(j, "dram_activates", m->dram.activates);
    put(j, "dram_precharges", m->dram.precharges);
    put(j, "dram_refreshes", m->dram.refreshes);
    put(j, "dram_row_hits", m->dram.row_hits);
    put(j, "dram_row_misses", m->dram.row_misses);
    put(j, "dram_bus_busy", m->dram.bus_busy);
    return j;
}

json_t *json_of_gpu(const struct gpu_stats *s)
{
    static const char *const paths[EVENT_PATHS] = {"free_context", "spare_registers",
                                                   "saved_registers", "thread_blocks"};
    json_t *j = json_object();
    put(j, "cycles", s->cycles);
    put(j, "doorbells", s->doorbells);
    put(j, "events", s->events);
    json_t *by_path = json_object();
    for (int i = 0; i < EVENT_PATHS; i++)
        put(by_path, paths[i], s->events_by_path[i]);
    json_object_set_new(j, "events_by_path", by_path);
    json_t *rejected = json_object();
    put(rejected, "unregistered", s->rejected_unregistered);
    put(rejected, "foreign", s->rejected_foreign);
    put(rejected, "misaligned", s->rejected_misaligned);
    put(rejected, "wrong_size", s->rejected_size);
    json_object_set_new(j, "doorbells_rejected", rejected);
    json_object_set_new(j, "cores", json_of_cores(&s->cores));
    json_object_set_new(j, "memory", json_of_memory(&s->mem));
    put(j, "tile_steps", s->tile_steps);
    return j;
}
