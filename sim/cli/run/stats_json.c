#include "sim/cli/run/stats_json.h"

static void put(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *json_of_cores(const struct core_stats *c)
{
    static const char *const causes[CAUSES] = {"pipeline", "scoreboard", "load",
                                               "icache",   "barrier",    "fence"};
    static const char *const holds[LSU_CAUSES] = {"",       "no_mshr",        "no_merge",
                                                  "no_way", "writeback_full", "network_full"};
    json_t *j = json_object();
    put(j, "active_cycles", c->cycles_active);
    put(j, "warp_instructions", c->warp_instructions);
    put(j, "thread_instructions", c->thread_instructions);
    put(j, "event_warp_instructions", c->event_warp_instructions);
    put(j, "resident_warp_cycles", c->warp_cycles);
    put(j, "l1_hits", c->l1_hits);
    put(j, "l1_misses", c->l1_misses);
    put(j, "l1_merged_misses", c->l1_merged);
    put(j, "l1_writebacks", c->l1_writebacks);
    put(j, "l1_mshr_cycles", c->l1_mshr_cycles);
    put(j, "l1_mshr_full_cycles", c->l1_mshr_full);
    put(j, "load_store_queue_cycles", c->lsu_queue_cycles);
    put(j, "load_store_queue_full_cycles", c->lsu_queue_full);
    json_t *held = json_object();
    for (uint32_t i = 1; i < LSU_CAUSES; i++)
        put(held, holds[i], c->lsu_held[i]);
    json_object_set_new(j, "load_store_held", held);
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
    put(j, "flush_timeouts", c->flush_timeouts);
    return j;
}

static json_t *json_of_queue(const struct queue_stats *q)
{
    json_t *j = json_object();
    put(j, "size", q->size);
    put(j, "entered", q->entered);
    put(j, "occupied_cycles", q->occupied);
    put(j, "full_cycles", q->full);
    put(j, "most", q->most);
    return j;
}

/* Every queue from the cores to DRAM and back, in the order of the way; sizes and cycles are summed
 * over the queues of a kind. */
static json_t *json_of_queues(const struct memsys_stats *m)
{
    const struct {
        const char *name;
        const struct queue_stats *queue;
    } queues[] = {{"request_input", &m->request_net.inputs},
                  {"request_output", &m->request_net.outputs},
                  {"l2_ingress", &m->l2.ingress},
                  {"l2_mshrs", &m->l2.mshrs},
                  {"l2_misses", &m->l2.accesses},
                  {"dram", &m->dram_queue},
                  {"l2_replies", &m->l2.replies},
                  {"reply_input", &m->reply_net.inputs},
                  {"reply_output", &m->reply_net.outputs}};
    json_t *j = json_object();
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        json_object_set_new(j, queues[i].name, json_of_queue(queues[i].queue));
    return j;
}

/* Who was held, where and why, in cycles of the place. */
static json_t *json_of_refusals(const struct memsys_stats *m)
{
    static const char *const causes[BANK_HOLDS] = {
        "l2_reply_queue_full", "l2_no_mshr",    "l2_no_merge",  "l2_no_way",
        "l2_miss_queue_full",  "l2_no_parking", "l2_bank_taken"};
    json_t *j = json_object();
    put(j, "request_network_full", m->refused);
    put(j, "request_line_stood", m->request_net.stood);
    put(j, "l2_line_stood", m->l2.stood);
    for (uint32_t i = 0; i < BANK_HOLDS; i++)
        put(j, causes[i], m->l2.held[i]);
    put(j, "memory_controller_full", m->memory_stalls);
    put(j, "reply_network_full", m->reply_stalls);
    put(j, "reply_line_stood", m->reply_net.stood);
    return j;
}

static void put_mean(json_t *object, const char *key, uint64_t sum, uint64_t count)
{
    json_object_set_new(object, key, json_real(count ? (double)sum / (double)count : 0));
}

/* By class of request: LLC, DRAM and network; latencies are means, in cycles of the place. */
static json_t *json_of_classes(const struct memsys_stats *m)
{
    static const char *const names[REQUEST_CLASSES] = {"gpu", "cpu", "host", "device", "event"};
    json_t *all = json_object();
    for (uint32_t i = 0; i < REQUEST_CLASSES; i++) {
        const struct bank_class *l2 = &m->l2.of[i];
        const struct class_stats *to = &m->request_net.of[i], *from = &m->reply_net.of[i];
        json_t *j = json_object();
        put(j, "l2_requests", l2->requests);
        put(j, "l2_hits", l2->hits);
        put(j, "l2_misses", l2->misses);
        put_mean(j, "l2_latency", l2->cycles, l2->requests);
        put(j, "dram_bytes_read", l2->dram_read);
        put(j, "dram_bytes_written", l2->dram_written);
        put(j, "request_packets", to->messages);
        put(j, "request_flits", to->flits);
        put_mean(j, "request_latency", to->ticks, to->messages);
        put(j, "reply_packets", from->messages);
        put(j, "reply_flits", from->flits);
        put_mean(j, "reply_latency", from->ticks, from->messages);
        json_object_set_new(all, names[i], j);
    }
    return all;
}

/* The full/empty schedulers of the synchronised region; queues as in enum fe_queue. */
static json_t *json_of_region(const struct memsys_stats *m)
{
    static const char *const names[FE_QUEUES] = {"not_triggered", "triggered_cpu", "triggered_gpu"};
    json_t *j = json_object();
    put(j, "bytes", m->fe.lines * LINE_BYTES);
    json_t *requests = json_object(), *waited = json_object();
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        put(requests, names[q], m->fe.requests[q]);
        put(waited, names[q], m->fe.waited[q]);
    }
    json_object_set_new(j, "requests", requests);
    json_object_set_new(j, "cycles_until_memory", waited);
    put(j, "tile_steps", m->fe.steps);
    return j;
}

static json_t *json_of_memory(const struct memsys_stats *m)
{
    json_t *j = json_object();
    put(j, "reads", m->requests[REQUEST_READ]);
    put(j, "writes", m->requests[REQUEST_WRITE]);
    put(j, "atomics", m->requests[REQUEST_ATOMIC]);
    put(j, "polls", m->requests[REQUEST_POLL]);
    put(j, "l2_hits", m->l2.hits);
    put(j, "l2_misses", m->l2.misses);
    put(j, "l2_writebacks", m->l2.writebacks);
    put(j, "parked", m->l2.parked);
    put(j, "park_timeouts", m->l2.timeouts);
    put(j, "request_flits", m->request_net.flits);
    put(j, "reply_flits", m->reply_net.flits);
    put(j, "stall_mc", m->memory_stalls);
    put(j, "stall_net", m->reply_stalls);
    put(j, "dram_cycles", m->dram.cycles);
    put(j, "dram_reads", m->dram.reads);
    put(j, "dram_writes", m->dram.writes);
    put(j, "dram_activates", m->dram.activates);
    put(j, "dram_precharges", m->dram.precharges);
    put(j, "dram_refreshes", m->dram.refreshes);
    put(j, "dram_row_hits", m->dram.row_hits);
    put(j, "dram_row_misses", m->dram.row_misses);
    put(j, "dram_bus_busy", m->dram.bus_busy);
    json_object_set_new(j, "refusals", json_of_refusals(m));
    json_object_set_new(j, "queues", json_of_queues(m));
    json_object_set_new(j, "classes", json_of_classes(m));
    if (m->fe.lines)
        json_object_set_new(j, "region", json_of_region(m));
    return j;
}

static json_t *json_of_each_core(const struct gpu_stats *s)
{
    json_t *j = json_array();
    for (uint32_t i = 0; i < s->n_cores; i++)
        json_array_append_new(j, json_of_cores(&s->core[i]));
    return j;
}

static json_t *json_of_processor(const struct pp_stats *p)
{
    json_t *j = json_object();
    json_t *refused = json_object();
    put(j, "doorbells", p->doorbells);
    put(j, "bad_doorbells", p->bad_doorbells);
    put(j, "packets", p->packets);
    put(j, "kernels", p->kernels);
    put(j, "fetches", p->fetches);
    put(j, "decoding_cycles", p->decoding);
    put(j, "waits", p->waits);
    put(j, "polls", p->polls);
    for (int i = 0; i < PP_DEFECTS; i++)
        put(refused, pp_defect_name((enum pp_defect)i), p->defects[i]);
    json_object_set_new(j, "refused", refused);
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
    put(j, "events_aborted", s->events_aborted);
    json_t *by_path = json_object();
    for (int i = 0; i < EVENT_PATHS; i++)
        put(by_path, paths[i], s->events_by_path[i]);
    json_object_set_new(j, "events_by_path", by_path);
    json_t *rejected = json_object();
    put(rejected, "unregistered", s->rejected_unregistered);
    put(rejected, "foreign", s->rejected_foreign);
    put(rejected, "misaligned", s->rejected_misaligned);
    put(rejected, "wrong_size", s->rejected_size);
    put(rejected, "overrun", s->rejected_overrun);
    json_object_set_new(j, "doorbells_rejected", rejected);
    put(j, "completion_pointers_rejected", s->rejected_pointers);
    if (s->processor_used)
        json_object_set_new(j, "packet_processor", json_of_processor(&s->processor));
    json_object_set_new(j, "cores", json_of_cores(&s->cores));
    json_object_set_new(j, "per_core", json_of_each_core(s));
    json_object_set_new(j, "memory", json_of_memory(&s->mem));
    put(j, "tile_steps", s->tile_steps);
    return j;
}
