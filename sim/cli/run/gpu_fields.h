/* The fields of the section "gpu" of a statistics file, each once: F(key, value, unit, meaning).
 * stats_json.c writes them, fields.c lists them. Cycles are the core clock's unless they are named.
 */
#ifndef EVGPU_CLI_RUN_GPU_FIELDS_H
#define EVGPU_CLI_RUN_GPU_FIELDS_H

/* Of struct gpu_stats *s. */
#define GPU_FIELDS(F)                                                                              \
    F(cycles, s->cycles, "cycles", "simulated")                                                    \
    F(doorbells, s->doorbells, "writes", "doorbells that reached the event kernel table")          \
    F(events, s->events, "events", "complete, with those that were aborted")                       \
    F(events_aborted, s->events_aborted, "events", "aborted by their time-out or their guest")     \
    F(completion_pointers_rejected, s->rejected_pointers, "events",                                \
      "whose completion pointer was misaligned or outside the row's window")                       \
    F(tile_steps, s->tile_steps, "clock edges", "given to RTL tiles; the others were idle")

/* With event.room. */
#define ROOM_FIELDS(F)                                                                             \
    F(context_cycles, s->rooms.context_cycles, "context cycles",                                   \
      "kept for events, those that events use among them; sum over cores")                         \
    F(register_cycles, s->rooms.register_cycles, "register cycles", "the same of registers")       \
    F(tile_steps, s->rooms.steps, "clock edges", "given to the tiles sm_room_unit")

#define PATH_FIELDS(F)                                                                             \
    F(free_context, s->events_by_path[EVENT_FREE], "events", "into a free context")                \
    F(spare_registers, s->events_by_path[EVENT_SPARE], "events",                                   \
      "in a preempted warp's place, with free registers")                                          \
    F(saved_registers, s->events_by_path[EVENT_SAVED], "events",                                   \
      "in a preempted warp's place, after its registers were saved")                               \
    F(thread_blocks, s->events_by_path[EVENT_BLOCKS], "events", "as thread blocks")

#define REJECTED_FIELDS(F)                                                                         \
    F(unregistered, s->rejected_unregistered, "writes", "to a row without a kernel")               \
    F(foreign, s->rejected_foreign, "writes", "by another requester than the row's")               \
    F(misaligned, s->rejected_misaligned, "writes", "to an address that is not a multiple of 4")   \
    F(wrong_size, s->rejected_size, "writes", "not of 4 bytes")                                    \
    F(overrun, s->rejected_overrun, "writes", "beyond the events that a row may have in flight")

/* Events that ended without a completion flag, beside those with a bad pointer. */
#define LOST_FIELDS(F)                                                                             \
    F(read_error, s->flags_unanswered, "events", "memory had no completion pointer")               \
    F(timeout, s->flags_timed_out, "events", "pointer or flag took longer than event.flag_limit")  \
    F(silent_row, s->flags_silent, "events", "of a row of which one had timed out")

/* Of struct core_stats *c; also of each core. */
#define CORE_FIELDS(F)                                                                             \
    F(active_cycles, c->cycles_active, "cycles", "with a warp on the core")                        \
    F(warp_instructions, c->warp_instructions, "warp instructions", "executed")                    \
    F(thread_instructions, c->thread_instructions, "thread instructions", "executed")              \
    F(event_warp_instructions, c->event_warp_instructions, "warp instructions",                    \
      "executed, of event kernels")                                                                \
    F(resident_warp_cycles, c->warp_cycles, "warp cycles", "resident warps, summed over cycles")   \
    F(l1_hits, c->l1_hits, "requests", "lines found in L1")                                        \
    F(l1_misses, c->l1_misses, "requests", "lines not in L1")                                      \
    F(l1_merged_misses, c->l1_merged, "requests", "of the misses: the line was on its way")        \
    F(l1_writebacks, c->l1_writebacks, "lines", "dirty lines sent to L2")                          \
    F(l1_mshr_cycles, c->l1_mshr_cycles, "MSHR cycles", "MSHRs in use, summed over cycles")        \
    F(l1_mshr_full_cycles, c->l1_mshr_full, "cycles", "without a free MSHR")                       \
    F(load_store_queue_cycles, c->lsu_queue_cycles, "entry cycles",                                \
      "entries of the load-store queue in use, summed over cycles")                                \
    F(load_store_queue_full_cycles, c->lsu_queue_full, "cycles",                                   \
      "in which the load-store queue was full")                                                    \
    F(const_misses, c->const_misses, "requests", "lines not in the constant cache")                \
    F(icache_misses, c->icache_misses, "requests", "lines not in the instruction cache")           \
    F(global_transactions, c->global_transactions, "transactions",                                 \
      "lines or sectors that global accesses touched")                                             \
    F(shared_conflict_cycles, c->shared_conflicts, "cycles",                                       \
      "beyond what accesses of shared memory without bank conflicts take")                         \
    F(barriers, c->barriers, "warp instructions", "barriers that warps reached")                   \
    F(atomics, c->atomics, "warp instructions", "atomic operations")                               \
    F(loads_dropped, c->loads_dropped, "loads", "dropped by a preemption and repeated")            \
    F(wrong_replays, c->wrong_replays, "victims",                                                  \
      "loads dropped after a later instruction (event.options=drop-unsafe)")                       \
    F(registers_saved, c->registers_saved, "warp registers", "saved by preemptions")               \
    F(registers_restored, c->registers_restored, "warp registers", "restored after events")        \
    F(stall_scoreboard, c->stall_scoreboard, "scheduler cycles",                                   \
      "without issue: operands were not ready")                                                    \
    F(stall_unit, c->stall_unit, "scheduler cycles", "without issue: execution units were taken")  \
    F(stall_empty, c->stall_empty, "scheduler cycles",                                             \
      "without issue: no warp had an instruction")                                                 \
    F(stall_barrier, c->stall_barrier, "scheduler cycles",                                         \
      "without issue: warps waited at barriers")                                                   \
    F(flush_timeouts, c->flush_timeouts, "victims", "let go because their flush took too long")

#define LSU_FIELDS(F)                                                                              \
    F(no_mshr, c->lsu_held[LSU_MSHR], "cycles", "no MSHR was free")                                \
    F(no_merge, c->lsu_held[LSU_MERGE], "cycles", "the line's MSHR had no room")                   \
    F(no_way, c->lsu_held[LSU_WAY], "cycles", "every way of the set was reserved")                 \
    F(writeback_full, c->lsu_held[LSU_WRITEBACK], "cycles", "too many dirty lines waited")         \
    F(network_full, c->lsu_held[LSU_NETWORK], "cycles", "the request network was full")

#define FLUSH_FIELDS(F)                                                                            \
    F(pipeline, c->flush_cycles[CAUSE_PIPELINE], "cycles", "instructions in pipelines")            \
    F(scoreboard, c->flush_cycles[CAUSE_SCOREBOARD], "cycles", "results on their way")             \
    F(load, c->flush_cycles[CAUSE_LOAD], "cycles", "loads on their way")                           \
    F(icache, c->flush_cycles[CAUSE_ICACHE], "cycles", "an instruction fetch on its way")          \
    F(barrier, c->flush_cycles[CAUSE_BARRIER], "cycles", "the victim waited at a barrier")         \
    F(fence, c->flush_cycles[CAUSE_FENCE], "cycles", "the victim waited at a fence")

/* Of struct pp_stats *p. */
#define PROCESSOR_FIELDS(F)                                                                        \
    F(doorbells, p->doorbells, "writes", "doorbells of user-level queues")                         \
    F(bad_doorbells, p->bad_doorbells, "writes", "of a wrong page, size, requester or index")      \
    F(packets, p->packets, "packets", "decoded")                                                   \
    F(kernels, p->kernels, "kernels", "launched by packets")                                       \
    F(fetches, p->fetches, "reads", "of packets")                                                  \
    F(decoding_cycles, p->decoding, "cycles", "in which the decoder worked")                       \
    F(waits, p->waits, "waits", "of streams for words")                                            \
    F(polls, p->polls, "reads", "of words that are waited for")

/* Of struct memsys_stats *m. */
#define MEMORY_FIELDS(F)                                                                           \
    F(reads, m->requests[REQUEST_READ], "requests", "reads that left the cores")                   \
    F(writes, m->requests[REQUEST_WRITE], "requests", "writes that left the cores")                \
    F(atomics, m->requests[REQUEST_ATOMIC], "requests", "atomic operations at L2")                 \
    F(polls, m->requests[REQUEST_POLL], "requests", "volatile reads, served at L2")                \
    F(l2_hits, m->l2.hits, "requests", "lines found in L2")                                        \
    F(l2_misses, m->l2.misses, "requests", "lines not in L2")                                      \
    F(l2_writebacks, m->l2.writebacks, "lines", "dirty lines evicted to DRAM")                     \
    F(parked, m->l2.parked, "requests", "parked at L2 until a word changes")                       \
    F(park_timeouts, m->l2.timeouts, "requests", "parked for longer than l2.park_timeout")         \
    F(request_flits, m->request_net.flits, "flits", "in the request network")                      \
    F(reply_flits, m->reply_net.flits, "flits", "in the reply network")                            \
    F(stall_mc, m->memory_stalls, "L2 cycles", "held by full memory controllers (CM-BAL 4.1)")     \
    F(stall_net, m->reply_stalls, "L2 cycles", "held by a full reply network (CM-BAL 4.1)")        \
    F(dram_cycles, m->dram.cycles, "DRAM cycles", "of all channels")                               \
    F(dram_reads, m->dram.reads, "commands", "read commands")                                      \
    F(dram_writes, m->dram.writes, "commands", "write commands")                                   \
    F(dram_activates, m->dram.activates, "commands", "rows opened")                                \
    F(dram_precharges, m->dram.precharges, "commands", "rows closed")                              \
    F(dram_refreshes, m->dram.refreshes, "commands", "refreshes")                                  \
    F(dram_row_hits, m->dram.row_hits, "requests", "whose row was open")                           \
    F(dram_row_misses, m->dram.row_misses, "requests", "whose row was not open")                   \
    F(dram_bus_busy, m->dram.bus_busy, "DRAM cycles", "in which data buses had data")

/* Who was held, where and why, in cycles of the place. */
#define REFUSAL_FIELDS(F)                                                                          \
    F(request_network_full, m->refused, "requests", "refused by the request network's port")       \
    F(request_line_stood, m->request_net.stood, "ticks", "a path of the request network stood")    \
    F(l2_line_stood, m->l2.stood, "L2 cycles", "a bank's delay line stood")                        \
    F(l2_reply_queue_full, m->l2.held[HOLD_REPLY], "L2 cycles", "the reply queue was full")        \
    F(l2_no_mshr, m->l2.held[HOLD_MSHR], "L2 cycles", "no MSHR was free")                          \
    F(l2_no_merge, m->l2.held[HOLD_MERGE], "L2 cycles", "the line's MSHR had no room")             \
    F(l2_no_way, m->l2.held[HOLD_WAY], "L2 cycles", "every way of the set was reserved")           \
    F(l2_miss_queue_full, m->l2.held[HOLD_ACCESS], "L2 cycles", "the queue to DRAM was full")      \
    F(l2_no_parking, m->l2.held[HOLD_PARKED], "L2 cycles", "no parking place was free")            \
    F(l2_bank_taken, m->l2.held[HOLD_TAKEN], "L2 cycles", "the bank answered others")              \
    F(memory_controller_full, m->memory_stalls, "L2 cycles", "a memory controller was full")       \
    F(reply_network_full, m->reply_stalls, "L2 cycles", "the reply network was full")              \
    F(reply_line_stood, m->reply_net.stood, "ticks", "a path of the reply network stood")

/* Every queue from the cores to DRAM and back, in the order of the way: F(key, struct queue_stats
 * *, meaning). */
#define QUEUES(F)                                                                                  \
    F(request_input, &m->request_net.inputs, "inputs of the request network")                      \
    F(request_output, &m->request_net.outputs, "outputs of the request network")                   \
    F(l2_ingress, &m->l2.ingress, "requests before L2")                                            \
    F(l2_mshrs, &m->l2.mshrs, "L2's MSHRs")                                                        \
    F(l2_misses, &m->l2.accesses, "L2's accesses to DRAM")                                         \
    F(dram, &m->dram_queue, "memory controllers")                                                  \
    F(l2_replies, &m->l2.replies, "replies behind L2")                                             \
    F(reply_input, &m->reply_net.inputs, "inputs of the reply network")                            \
    F(reply_output, &m->reply_net.outputs, "outputs of the reply network")

/* Of struct queue_stats *q, summed over the queues of a kind: F(..., key, value, unit, meaning). */
#define QUEUE_FIELDS(F, ...)                                                                       \
    F(__VA_ARGS__, size, q->size, "entries", "room")                                               \
    F(__VA_ARGS__, entered, q->entered, "requests", "that entered")                                \
    F(__VA_ARGS__, occupied_cycles, q->occupied, "entry cycles", "entries in use, summed")         \
    F(__VA_ARGS__, full_cycles, q->full, "cycles of the place", "in which one was full")           \
    F(__VA_ARGS__, most, q->most, "entries", "in use at most")

/* By class of request, of struct bank_class *l2 and struct class_stats *to and *from. */
#define CLASSES(F)                                                                                 \
    F(gpu, CLASS_GPU)                                                                              \
    F(cpu, CLASS_CPU)                                                                              \
    F(host, CLASS_HOST)                                                                            \
    F(device, CLASS_DEVICE)                                                                        \
    F(event, CLASS_EVENT)
#define CLASS_FIELDS(F)                                                                            \
    F(l2_requests, l2->requests, "requests", "at L2")                                              \
    F(l2_hits, l2->hits, "requests", "lines found in L2")                                          \
    F(l2_misses, l2->misses, "requests", "lines not in L2")                                        \
    F(dram_bytes_read, l2->dram_read, "bytes", "read from DRAM")                                   \
    F(dram_bytes_written, l2->dram_written, "bytes", "written to DRAM")                            \
    F(request_packets, to->messages, "packets", "in the request network")                          \
    F(request_flits, to->flits, "flits", "in the request network")                                 \
    F(reply_packets, from->messages, "packets", "in the reply network")                            \
    F(reply_flits, from->flits, "flits", "in the reply network")
/* Means: F(key, sum, count, unit, meaning). */
#define CLASS_MEANS(F)                                                                             \
    F(l2_latency, l2->cycles, l2->requests, "L2 cycles", "mean, in L2 and what is behind it")      \
    F(request_latency, to->ticks, to->messages, "ticks", "mean, in the request network")           \
    F(reply_latency, from->ticks, from->messages, "ticks", "mean, in the reply network")

/* The synchronised region's queues, as in enum fe_queue, of struct fe_stats. */
#define REGION_QUEUES(F)                                                                           \
    F(not_triggered, 0, "whose word is not as they want it")                                       \
    F(triggered_cpu, 1, "that may go on, of the host")                                             \
    F(triggered_gpu, 2, "that may go on, of the GPU")
#define REGION_FIELDS(F)                                                                           \
    F(bytes, m->fe.lines *LINE_BYTES, "bytes", "of the synchronised region")                       \
    F(tile_steps, m->fe.steps, "clock edges", "given to the tile mem_frontend")

#endif
