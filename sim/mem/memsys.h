/* The memory system behind the SIMT cores: request network -> partitions (L2 slice, DRAM channel)
 * -> reply network.
 *
 * Requesters are ports, named by a table (endpoint.h); a port may hand over one request per core
 * cycle and take one reply per core cycle. Clock domains (network, L2, DRAM) advance by integer
 * ratios of the core clock inside memsys_tick. All replies of one port arrive through memsys_reply
 * in the order the network delivers them, which on a mesh may be another than that in which one
 * bank has sent them. Deterministic: ties go to the lowest index, round robin state is part of the
 * model. Every queue on the way has a stated size and refuses when full, back to the port; every
 * refusal is counted where it happens.
 *
 * Addresses: address_map.h.
 *
 * Time: with all clocks equal and nothing else in flight, the reply to a request made before one
 * memsys_tick is there after request_latency + l2_latency + reply_latency ticks for an L2 hit or a
 * write, plus DRAM's command-to-end-of-data time and memory_latency for a miss. Latencies of a
 * crossbar do not depend on a message's length; that decides for how many cycles it keeps its
 * network input and output busy (net.h). A mesh: mesh.h. Policies of L2: bank.h; of DRAM:
 * dram_schedule.c. */
#ifndef EVGPU_MEM_MEMSYS_H
#define EVGPU_MEM_MEMSYS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/mem/net/endpoint.h"
#include "sim/mem/request.h"
#include "sim/mem/traffic.h"
#include "tb/tile.h"

struct error;
struct fe;
struct fe_job;
struct fe_report;
struct memsys;
struct memsys_config; /* memsys_config.h */
struct memsys_stats;  /* memsys_stats.h */
struct tile_place;    /* tb/tile.h */
struct stall_monitor;

struct memsys *memsys_create(const struct memsys_config *config, struct error *err);
void memsys_destroy(struct memsys *m);

/* False when the port's queue is full or the port has made a request in this core cycle: nothing
 * happened, try again next cycle. */
bool memsys_request(struct memsys *m, const struct mem_request *request);
/* The same question without a request: what depends on the answer need not happen first. Whoever
 * asks has something to send, so that a full queue counts as a refusal here as well. */
bool memsys_can_request(struct memsys *m, uint32_t port);

/* The next reply of a port, at most one per core cycle; false when there is none. */
bool memsys_reply(struct memsys *m, uint32_t port, struct mem_request *reply);

/* The same for requesters that may run at the same time, and for several core cycles before the
 * memory system has had them. With boxes they do: memsys_fill_boxes first tells the ports below 64
 * of the set `ports` what there is for them in so many cycles, 1 to memsys_ahead(), from the coming
 * one on; then each requester opens its box, asks and takes, cycle after cycle, which changes
 * nothing but the box of its port; then, in each of these cycles, one after the other in any order,
 * memsys_box_empty lets happen what was asked and taken in it. A box is filled again when it is
 * empty. Without boxes (as after memsys_create) a request or reply happens at once, and boxes are
 * never used. `event`: of a request with `event` set.
 *
 * A reply that comes within these cycles is on its way already when they begin. Whether there is
 * room for a request is known in the first of them, and afterwards while box_room() says so:
 * without that, a requester that may have something to send waits until the memory system has had
 * the cycles before. */
void memsys_use_boxes(struct memsys *m, bool use);
uint32_t memsys_ahead(const struct memsys *m);
/* Ports below 64 to which a reply may come within memsys_ahead() cycles. */
uint64_t memsys_coming_ports(const struct memsys *m);
void memsys_fill_boxes(struct memsys *m, uint64_t ports, uint32_t cycles);
bool memsys_box_can_request(struct memsys *m, uint32_t port, bool event, uint64_t cycle);
bool memsys_box_request(struct memsys *m, const struct mem_request *request, uint64_t cycle);
bool memsys_box_reply(struct memsys *m, uint32_t port, uint64_t cycle, struct mem_request *reply);
/* The next cycle in which there is something to let happen; UINT64_MAX: the box is empty. */
uint64_t memsys_box_empty(struct memsys *m, uint32_t port);
/* What port_box.h has beside these. */
struct port_box *memsys_box(struct memsys *m, uint32_t port);

/* A requester without work that only asks for room, once in every core cycle, need not ask: of the
 * ports that have asked in this cycle or before (a bit per port below 64), those of `waits` go on
 * doing so as long as there is no room for a request without `event`, and count as refused
 * meanwhile. memsys_room_ports: those of them for which there is room. */
void memsys_wait(struct memsys *m, uint64_t asked, uint64_t waits);
uint64_t memsys_room_ports(const struct memsys *m);

/* Bit p set: port 64 * word + p has a reply waiting. */
uint64_t memsys_reply_ports(const struct memsys *m, uint32_t word);

/* Core cycles from a request to its reply, at least. */
uint64_t memsys_least_latency(const struct memsys *m);

/* The port of a requester; MAX_ENDPOINTS when there is none such. */
uint32_t memsys_port(const struct memsys *m, enum endpoint_kind kind, uint32_t index);
const struct endpoint *memsys_requester(const struct memsys *m, uint32_t port);

/* One core cycle. Costs next to nothing when nothing is in flight. */
void memsys_tick(struct memsys *m);

/* Not set while the tiles' back ends agree; afterwards nothing that happens means anything. */
const struct error *memsys_error(const struct memsys *m);

/* True when no request is anywhere between the ports. */
bool memsys_idle(const struct memsys *m);

/* Core cycles (>= 1) that may be skipped because nothing can happen in them; 1 when busy,
 * UINT64_MAX when nothing will ever happen without a request. A reply that waits counts as busy. */
uint64_t memsys_quiet_cycles(const struct memsys *m);

/* The same as that many memsys_tick calls, whatever memsys_quiet_cycles says; fast when quiet. */
void memsys_skip(struct memsys *m, uint64_t cycles);

/* Forgets L2 contents in a range, as the host does after DMA (timing only): lines are dropped,
 * dirty or not; a line that is being fetched stays. */
void memsys_forget(struct memsys *m, uint64_t address, uint64_t bytes);

/* Words of a line are read or written by the GPU without time (bank_warm). */
void memsys_warm(struct memsys *m, uint64_t line, uint32_t words, bool write);

/* Tries the requests parked for a line again, as after a write to it by other means. */
void memsys_wake(struct memsys *m, uint64_t line);

/* --- the synchronised region (fe.h) ----------------------------------------------------------- */

/* Makes the tiles and starts them up; before the first request to the region. `link`: to a board,
 * for back ends that need one. */
bool memsys_fe_start(struct memsys *m, const struct tile_place *place, struct error *err);
/* A partition's scheduler: its registers are reached with memsys_fe_submit only. NULL: no region.
 */
struct fe *memsys_fe(struct memsys *m, uint32_t partition);
bool memsys_fe_submit(struct memsys *m, uint32_t partition, const struct fe_job *job);
/* Words of a partition, counted from the region's start there, that lie in a range of device
 * addresses of the region (multiples of 4); false: none do. */
bool memsys_fe_words(const struct memsys *m, uint32_t partition, uint64_t address, uint64_t bytes,
                     uint32_t *first, uint32_t *last);
/* Every request to the region between a bank and its reply. */
void memsys_fe_each(const struct memsys *m,
                    void (*see)(void *user, const struct mem_request *r, bool left), void *user);
/* Of the request's words, those that its trigger is against now. For messages and tests. */
uint32_t memsys_fe_against(const struct memsys *m, const struct mem_request *r);
uint64_t memsys_fe_watches(const struct memsys *m); /* fe_watches, summed */
bool memsys_fe_timed_out(const struct memsys *m, struct fe_report *report);
void memsys_fe_report_over(struct memsys *m, const struct fe_report *report);

/* The inputs of a partition's stall monitor, as of the last L2 cycle. */
struct partition_stalls memsys_stalls(const struct memsys *m, uint32_t partition);

/* --- stall monitors (stall_monitor.h) --------------------------------------------------------- */

/* Makes them, before the first tick; no simulated time passes. */
bool memsys_monitors_start(struct memsys *m, enum tile_backend backend,
                           const struct tile_place *place, struct error *err);
/* Asks a partition's for its counters; they are read and cleared in its next L2 cycle, and then
 * answered once. */
void memsys_monitor_ask(struct memsys *m, uint32_t partition);
bool memsys_monitor_answer(struct memsys *m, uint32_t partition, uint16_t *mc, uint16_t *net);
struct stall_monitor *memsys_monitor(const struct memsys *m, uint32_t partition);

/* The work that the requests of an owner have caused since the start or the last clearing. */
struct traffic memsys_traffic(const struct memsys *m, uint32_t owner);
void memsys_clear_traffic(struct memsys *m, uint32_t owner);

void memsys_stats(const struct memsys *m, struct memsys_stats *stats);

/* Of the channel of one partition, and of the two directions of the network (net_links), up to now.
 */
struct dram_stats;
struct dram_stats memsys_channel(const struct memsys *m, uint32_t partition);
uint32_t memsys_links(const struct memsys *m, bool replies, uint64_t *flits);

#endif
