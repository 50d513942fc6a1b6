#include "sim/system/config.h"

#include <errno.h>
#include <ini.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/mem/cache/policy.h"
#include "sim/mem/dram/scheduler.h"
#include "sim/mem/net/mesh.h"
#include "tb/model/victim/policy.h"

struct key {
    const char *section, *name;
    size_t offset;
    uint32_t min, max;
    const char *unit, *meaning;
    const char *const *words; /* named values 0, 1, ...; NULL: a number */
    bool map;                 /* the placement, in as many lines as it has rows */
    /* Named values from the table of the part that has them: the name of value `index`, NULL from
     * their number on. */
    const char *(*policy)(uint32_t index);
};

static const char *const register_rules[] = {"victim", "spare", NULL};
static const char *const free_contexts[] = {"warp", "block", "core", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const indices[] = {"plain", "hashed", "fermi", NULL};
static const char *const maps[] = {"plain", "hashed", NULL};
static const char *const fetches[] = {"sector", "line", NULL};
static const char *const allocates[] = {"miss", "fill", NULL};
static const char *const global_stores[] = {"through", "evict", NULL};
static const char *const local_stores[] = {"through", "evict", "back", NULL};
static const char *const networks[] = {"crossbar", "mesh", NULL};
static const char *const allocations[] = {"input", "output", NULL};
static const char *const parts[] = {"shared", "1G3C", "2G2C", "3G1C", NULL};
static const char *const write_misses[] = {"lazy", "fetch", "around", NULL};

#define KEY(section, name, field, min, max, unit, meaning)                                         \
    {                                                                                              \
        section, name, offsetof(struct machine_config, field), min, max, unit, meaning, NULL,      \
            false, NULL                                                                            \
    }
#define WORD(section, name, field, words, meaning)                                                 \
    {                                                                                              \
        section, name, offsetof(struct machine_config, field), 0, 0, "", meaning, words, false,    \
            NULL                                                                                   \
    }
#define POLICY(section, name, field, names, meaning)                                               \
    {                                                                                              \
        section, name, offsetof(struct machine_config, field), 0, 0, "", meaning, NULL, false,     \
            names                                                                                  \
    }
#define MAP(section, name, meaning)                                                                \
    {                                                                                              \
        section, name, 0, 0, 0, "", meaning, NULL, true, NULL                                      \
    }
#define TIMING(name, class, what)                                                                  \
    KEY("core", name "_latency", core.latency[class], 1, 1000, "core cycles",                      \
        what ": issue to writeback"),                                                              \
        KEY("core", name "_interval", core.interval[class], 1, 256, "core cycles",                 \
            what ": one warp instruction takes the unit")

#define DYNCTA(name, field, what)                                                                  \
    KEY("concurrency", name "_period", concurrency.field.period, 16, 1000000, "core cycles",       \
        what "sampling period"),                                                                   \
        KEY("concurrency", name "_t_idle", concurrency.field.idle, 0, 1000000, "core cycles",      \
            what "idle cycles of a period from which on a block is added"),                        \
        KEY("concurrency", name "_t_mem_l", concurrency.field.memory_low, 0, 1000000,              \
            "core cycles", what "cycles of waiting for memory below which one is added"),          \
        KEY("concurrency", name "_t_mem_h", concurrency.field.memory_high, 0, 1000000,             \
            "core cycles", what "cycles from which on one is taken away")

static const struct key keys[] = {
    KEY("gpu", "cores", cores, 1, 63, "", "SIMT cores"),
    KEY("gpu", "core_clock_khz", core_khz, 1000, 10000000, "kHz", "SIMT core clock"),
    KEY("gpu", "memory_mib", memory_mib, 16, 65536, "MiB", "device memory"),
    KEY("gpu", "kernels_running", kernels_running, 1, 32, "", "concurrent kernels"),
    KEY("gpu", "kernels_pending", kernels_pending, 1, 65536, "", "kernels waiting"),
    KEY("gpu", "dispatch_latency", dispatch_latency, 0, 100000, "core cycles",
        "kernel management unit to first block"),

    KEY("core", "warps", core.warps, 1, 64, "", "warp contexts"),
    KEY("core", "blocks", core.blocks, 1, 64, "", "block slots"),
    KEY("core", "threads", core.threads, 32, 2048, "", "resident threads"),
    KEY("core", "registers", core.registers, 1024, 130944, "", "32-bit registers"),
    KEY("core", "shared_bytes", core.shared_bytes, 0, 262144, "bytes", "shared memory"),
    KEY("core", "schedulers", core.schedulers, 1, 4, "", "warp schedulers"),
    KEY("core", "warp_limit", core.warp_limit, 0, 64, "", "warps that may issue, 0: all"),
    KEY("core", "fetch_width", core.fetch_width, 1, 4, "", "warps fetched per cycle"),
    KEY("core", "icache_bytes", core.icache_bytes, 256, 1048576, "bytes", "instruction cache"),
    KEY("core", "icache_ways", core.icache_ways, 1, 64, "", "instruction cache ways"),
    KEY("core", "icache_latency", core.icache_latency, 1, 100, "core cycles", "fetch hit"),
    KEY("core", "const_bytes", core.const_bytes, 256, 1048576, "bytes", "constant cache"),
    KEY("core", "const_ways", core.const_ways, 1, 64, "", "constant cache ways"),
    KEY("core", "const_latency", core.const_latency, 1, 1000, "core cycles", "constant hit"),
    KEY("core", "l1_bytes", core.l1_bytes, 512, 1048576, "bytes", "L1 data cache"),
    KEY("core", "l1_ways", core.l1_ways, 1, 64, "", "L1 ways"),
    KEY("core", "l1_latency", core.l1_latency, 1, 1000, "core cycles", "L1 hit"),
    KEY("core", "l1_mshrs", core.l1_mshrs, 1, 1024, "", "L1 miss registers"),
    KEY("core", "l1_mshr_merges", core.l1_mshr_merges, 1, 64, "", "requests merged in one"),
    KEY("core", "l1_miss_latency", core.l1_miss_latency, 0, 1000, "core cycles",
        "what a miss spends in L1 before it is sent"),
    WORD("core", "l1_index", core.l1_index, indices, "how a line chooses its L1 set"),
    POLICY("core", "l1_replacement", core.l1_replacement, cache_policy_name,
           "which line of a full L1 set goes"),
    WORD("core", "l1_fetch", core.l1_fetch, fetches, "what an L1 miss fetches"),
    WORD("core", "l1_allocate", core.l1_allocate, allocates, "when a line takes its L1 way"),
    WORD("core", "l1_global_store", core.l1_global_store, global_stores,
         "L1 and a global store that hits"),
    WORD("core", "l1_local_store", core.l1_local_store, local_stores,
         "L1 and a store to local memory"),
    KEY("core", "operand_cycles", core.operand_cycles, 0, 64, "core cycles",
        "issue to execution unit: operand collector, dispatch"),
    KEY("core", "writeback_cycles", core.writeback_cycles, 0, 64, "core cycles",
        "end of execution to scoreboard"),
    KEY("core", "shared_banks", core.shared_banks, 1, 64, "", "shared memory banks of 4 bytes"),
    KEY("core", "shared_latency", core.shared_latency, 1, 1000, "core cycles", "shared memory"),
    KEY("core", "ldst_queue", core.ldst_queue, 1, 64, "", "memory instructions queued"),
    TIMING("int", TIMING_INT, "integer add, logic, move"),
    TIMING("int_mul", TIMING_INT_MUL, "integer multiply, bit field"),
    TIMING("int_div", TIMING_INT_DIV, "integer divide"),
    TIMING("fp", TIMING_FP, "float add, multiply, fma"),
    TIMING("fp_div", TIMING_FP_DIV, "float divide, square root"),
    TIMING("dp", TIMING_DP, "double arithmetic"),
    TIMING("dp_div", TIMING_DP_DIV, "double divide, square root"),
    TIMING("sfu", TIMING_SFU, "approximate functions"),
    TIMING("mem", TIMING_MEM, "address generation"),
    TIMING("control", TIMING_CONTROL, "branch, barrier, exit"),
    KEY("core", "sp_units", core.units[UNIT_SP], 1, 8, "", "arithmetic units"),
    KEY("core", "dp_units", core.units[UNIT_DP], 1, 8, "", "double units"),
    KEY("core", "sfu_units", core.units[UNIT_SFU], 1, 8, "", "special function units"),
    KEY("core", "ldst_units", core.units[UNIT_LDST], 1, 8, "", "load-store units"),
    KEY("core", "control_units", core.units[UNIT_CONTROL], 1, 8, "", "branch units"),

    WORD("network", "kind", mem.network, networks, "which network"),
    KEY("network", "clock_khz", net_khz, 1000, 10000000, "kHz", "network clock"),
    KEY("network", "request_latency", mem.request_latency, 1, 10000, "network cycles",
        "core to partition; crossbar only"),
    KEY("network", "reply_latency", mem.reply_latency, 1, 10000, "network cycles",
        "partition to core; crossbar only"),
    KEY("network", "flit_bytes", mem.flit_bytes, 8, 256, "bytes", "channel width"),
    KEY("network", "port_queue", mem.port_queue, 1, 256, "", "entries of an input queue"),
    KEY("network", "output_queue", mem.output_queue, 1, 256, "", "entries of an output queue"),
    WORD("network", "parts", mem.parts, parts,
         "mesh: channels, and quarters of their width, of GPU and host, and of the CPU cores"),
    KEY("network", "vcs", mem.vcs, 1, MESH_MAX_VCS, "", "mesh: virtual channels"),
    KEY("network", "vc_buffer", mem.vc_buffer, 1, 64, "flits", "mesh: of a virtual channel"),
    KEY("network", "router_delay", mem.router_delay, 1, 16, "network cycles",
        "mesh: stages of a router"),
    KEY("network", "link_delay", mem.link_delay, 1, 16, "network cycles", "mesh: of a link"),
    KEY("network", "credit_delay", mem.credit_delay, 1, 16, "network cycles", "mesh: of a credit"),
    WORD("network", "allocation", mem.allocation, allocations, "mesh: of switches, who is first"),
    KEY("network", "iterations", mem.iterations, 1, 8, "", "mesh: rounds of it in a cycle"),
    KEY("network", "cores_per_node", mem.placement.cores_per_node, 1, 16, "",
        "mesh: SIMT cores at a node"),
    MAP("network", "placement",
        "mesh: rows of letters, G SIMT cores, C CPU core, M memory partition, H host, . nothing, "
        "small letter: the host besides; or none"),

    KEY("l2", "clock_khz", l2_khz, 1000, 10000000, "kHz", "L2 clock"),
    KEY("l2", "partitions", mem.partitions, 1, 16, "", "memory partitions"),
    KEY("l2", "gpu_partitions", mem.gpu_partitions, 0, 15, "",
        "the first ones serve GPU and host only, the others the CPU cores only; 0: all serve all"),
    KEY("l2", "banks", mem.banks, 1, 8, "", "cache banks of a partition, each with its own ports"),
    KEY("l2", "interleave_bytes", mem.interleave_bytes, 128, 65536, "bytes",
        "consecutive bytes in one bank"),
    WORD("l2", "map", mem.map_hashed, maps, "how an address chooses partition and bank"),
    KEY("l2", "bytes_per_partition", mem.l2_bytes, 1024, 67108864, "bytes",
        "size of all banks of a partition"),
    KEY("l2", "ways", mem.l2_ways, 1, 64, "", "ways"),
    WORD("l2", "index", mem.l2_index, indices, "how a line chooses its set"),
    POLICY("l2", "replacement", mem.l2_replacement, cache_policy_name,
           "which line of a full set goes"),
    KEY("l2", "latency", mem.l2_latency, 1, 10000, "L2 cycles", "hit"),
    KEY("l2", "mshrs", mem.l2_mshrs, 1, 1024, "", "miss registers of a bank"),
    KEY("l2", "mshr_merges", mem.l2_mshr_merges, 1, 64, "", "requests merged in one"),
    WORD("l2", "fetch", mem.l2_fetch, fetches, "what a miss fetches"),
    WORD("l2", "allocate", mem.l2_allocate, allocates, "when a line takes its way"),
    WORD("l2", "write_miss", mem.l2_write_miss, write_misses,
         "words that are written and not there: no fetch, fetched at once, or no line"),
    KEY("l2", "queue", mem.l2_queue, 1, 1024, "", "entries of a bank's ingress queue"),
    KEY("l2", "miss_queue", mem.l2_miss_queue, 4, 1024, "",
        "accesses between a bank and the memory controller"),
    KEY("l2", "reply_queue", mem.l2_reply_queue, 1, 1024, "", "entries of a bank's reply queue"),
    WORD("l2", "class_queues", mem.class_queues, no_yes,
         "queues of their own for requests of CPU cores"),
    WORD("l2", "host_lane", mem.host_lane, no_yes,
         "host and devices have queues of their own on the way, those of CPU cores or events"),
    KEY("l2", "reserved_mshrs", mem.reserved_mshrs, 0, 1023, "",
        "miss registers of a bank for CPU cores only, with class_queues"),
    KEY("l2", "parked", mem.parked, 0, 65535, "",
        "requests of a bank that wait for full/empty words"),
    KEY("l2", "park_timeout", mem.park_timeout, 0, 1000000000, "L2 cycles",
        "after which such a wait fails, 0: never"),
    KEY("l2", "memory_latency", mem.memory_latency, 0, 10000, "L2 cycles",
        "of the memory controller, beyond DRAM's timing"),

    KEY("dram", "clock_khz", dram_khz, 1000, 10000000, "kHz", "command clock"),
    KEY("dram", "banks", mem.dram.banks, 1, 64, "", "banks per channel"),
    KEY("dram", "row_bytes", mem.dram.row_bytes, 128, 65536, "bytes", "row of one bank"),
    KEY("dram", "column_bytes", mem.dram.column_bytes, 8, 128, "bytes", "one RD or WR command"),
    KEY("dram", "burst", mem.dram.burst, 1, 64, "DRAM cycles", "data of one RD or WR"),
    KEY("dram", "queue", mem.dram.queue, 1, 256, "", "scheduler queue entries"),
    POLICY("dram", "scheduler", mem.dram.scheduler, dram_scheduler_name,
           "order of requests in a channel"),
    KEY("dram", "hit_cap", mem.dram.hit_cap, 0, 1000000, "",
        "fr-fcfs-cap: row hits past an older miss"),
    KEY("dram", "priority", mem.dram.priority, 0, 15, "bits",
        "classes that go first: 1 GPU, 2 CPU, 4 host, 8 device"),
    KEY("dram", "reserved", mem.dram.reserved, 0, 255, "",
        "queue entries for classes with priority only"),
    WORD("dram", "act_first", mem.dram.act_first, no_yes,
         "an ACT at the first cycle of tRRD goes before a late column command"),
    KEY("dram", "tCL", mem.dram.cl, 1, 1000, "DRAM cycles", "read to data"),
    KEY("dram", "tRP", mem.dram.rp, 1, 1000, "DRAM cycles", "precharge to activate"),
    KEY("dram", "tRC", mem.dram.rc, 1, 1000, "DRAM cycles", "activate to activate, same bank"),
    KEY("dram", "tRAS", mem.dram.ras, 1, 1000, "DRAM cycles", "activate to precharge"),
    KEY("dram", "tCCD", mem.dram.ccd, 1, 1000, "DRAM cycles", "column to column command"),
    KEY("dram", "tRCD", mem.dram.rcd, 1, 1000, "DRAM cycles", "activate to column command"),
    KEY("dram", "tRRD", mem.dram.rrd, 1, 1000, "DRAM cycles", "activate to activate, other bank"),
    KEY("dram", "tCDLR", mem.dram.cdlr, 1, 1000, "DRAM cycles", "write data to read command"),
    KEY("dram", "tWR", mem.dram.wr, 1, 1000, "DRAM cycles", "write data to precharge"),
    KEY("dram", "tWL", mem.dram.wl, 1, 1000, "DRAM cycles", "write to data"),
    KEY("dram", "tRTW", mem.dram.rtw, 1, 1000, "DRAM cycles", "read to write command"),
    KEY("dram", "tRTP", mem.dram.rtp, 1, 1000, "DRAM cycles", "read to precharge"),
    KEY("dram", "tREFI", mem.dram.refi, 0, 10000000, "DRAM cycles", "refresh interval, 0: none"),
    KEY("dram", "tRFC", mem.dram.rfc, 1, 100000, "DRAM cycles", "refresh duration"),

    KEY("packet_processor", "decode_latency", packet_decode, 1, 100000, "core cycles",
        "of a packet of a user-level queue"),
    KEY("packet_processor", "wait_poll", wait_poll, 1, 1000000, "core cycles",
        "from an answer to the next read of a word that a stream waits for"),
    KEY("packet_processor", "wait_reads", wait_reads, 1, 64, "", "such reads under way"),

    POLICY("event", "policy", policy, victim_policy_name, "victim choice"),
    WORD("event", "registers", spare_registers, register_rules,
         "a victim has at least the event's registers, or the core has as many free"),
    WORD("event", "free_context", core.event_context, free_contexts,
         "when a context is free: its warp has exited, its whole block, or the core has no block"),
    KEY("event", "register_reserve", core.register_reserve, 0, 1048576, "",
        "registers of a core that background blocks do not get"),
    KEY("event", "options", options, 0, 15, "bits",
        "flush optimisations: 1 priority, 2 i-buffer, 4 barrier skip, 8 load drop"),
    KEY("event", "flush_limit", flush_limit, 0, 65535, "core cycles",
        "a victim that is not flushed within so many is let go, 0: never"),
    KEY("event", "reserved_cores", reserved_cores, 0, 63, "", "cores kept by reservation"),
    KEY("event", "keep_most", keep_most, 0, 63, "",
        "cores that dynamic scheduling keeps at most, less than all"),
    KEY("event", "keep_shift", keep_shift, 0, 7, "", "one of them for every 2^N events under way"),
    KEY("event", "keep_patience", keep_patience, 0, 65535, "core cycles",
        "one less after so many cycles with fewer events"),
    KEY("event", "lane_queue", lane_queue, 0, 32, "memory instructions",
        "dynamic scheduling: of events, before those of others; so many MSHRs of an L2 bank are "
        "theirs; 0: no lanes to memory"),

    KEY("cpu_core", "count", cpu_cores, 0, 64, "", "CPU cores beside the GPU"),
    KEY("cpu_core", "clock_khz", cpu_khz, 1000, 10000000, "kHz", "CPU core clock"),
    KEY("cpu_core", "width", cpu_core.width, 1, 8, "", "instructions fetched, retired per cycle"),
    KEY("cpu_core", "memory_width", cpu_core.memory_width, 1, 4, "",
        "memory instructions issued per cycle"),
    KEY("cpu_core", "window", cpu_core.window, 4, 1024, "", "instructions in the window"),
    KEY("cpu_core", "alu_latency", cpu_core.alu_latency, 1, 16, "CPU cycles",
        "instruction without memory access"),
    KEY("cpu_core", "store_buffer", cpu_core.store_buffer, 2, 256, "", "retired stores"),
    KEY("cpu_core", "branch_penalty", cpu_core.branch_penalty, 0, 1000, "CPU cycles",
        "wrong branch done to fetch behind it"),
    KEY("cpu_core", "predictor_bits", cpu_core.predictor_bits, 4, 20, "",
        "log2 of gshare's counters"),
    KEY("cpu_core", "history_bits", cpu_core.history_bits, 0, 20, "", "branches in its history"),
    KEY("cpu_core", "target_bits", cpu_core.target_bits, 2, 16, "",
        "log2 of the table of indirect targets"),
    KEY("cpu_core", "l1i_bytes", cpu_core.l1i_bytes, 128, 1048576, "bytes", "L1 for instructions"),
    KEY("cpu_core", "l1i_ways", cpu_core.l1i_ways, 1, 64, "", "its ways"),
    KEY("cpu_core", "l1d_bytes", cpu_core.l1d_bytes, 128, 1048576, "bytes", "L1 for data"),
    KEY("cpu_core", "l1d_ways", cpu_core.l1d_ways, 1, 64, "", "its ways"),
    KEY("cpu_core", "l1_latency", cpu_core.l1_latency, 1, 100, "CPU cycles", "L1 lookup"),
    KEY("cpu_core", "l1_mshrs", cpu_core.l1_mshrs, 1, 1024, "", "miss registers of the data L1"),
    KEY("cpu_core", "l2_bytes", cpu_core.l2_bytes, 128, 67108864, "bytes", "private L2"),
    KEY("cpu_core", "l2_ways", cpu_core.l2_ways, 1, 64, "", "its ways"),
    KEY("cpu_core", "l2_latency", cpu_core.l2_latency, 1, 1000, "CPU cycles", "L2 lookup"),
    KEY("cpu_core", "l2_mshrs", cpu_core.l2_mshrs, 1, 1024, "", "miss registers of L2"),
    KEY("cpu_core", "l2_writebacks", cpu_core.l2_writebacks, 1, 1024, "",
        "lines on their way to memory"),

    KEY("pcie", "latency_ns", pcie_latency_ns, 1, 1000000, "ns", "one way"),
    KEY("pcie", "bandwidth_mb_per_s", pcie_mb_per_s, 1, 1000000, "10^6 bytes/s", "each direction"),
    KEY("pcie", "header_bytes", pcie_header_bytes, 0, 64, "bytes", "per packet"),
    KEY("pcie", "payload_bytes", pcie_payload_bytes, 64, 4096, "bytes", "largest payload"),
    KEY("pcie", "copy_engines", copy_engines, 1, 2, "", "1: one copy at a time"),
    KEY("pcie", "bulk_memory_ns", bulk_memory_ns, 0, 1000000, "ns",
        "what memory adds to a larger copy"),
    KEY("pcie", "line_copy_kib", line_copy_kib, 0, 1048576, "KiB",
        "copies up to this are requests of a line to the memory system"),

    KEY("cpu", "threads", cpu_threads, 1, 64, "", "polling launch threads"),
    KEY("cpu", "launch_enqueue_ns", launch_enqueue_ns, 0, 1000000, "ns", "launch call"),
    KEY("cpu", "launch_prepare_ns", launch_prepare_ns, 0, 1000000, "ns", "driver, after the call"),
    KEY("cpu", "launch_execute_ns", launch_execute_ns, 0, 1000000, "ns", "front end and return"),
    KEY("cpu", "copy_enqueue_ns", copy_enqueue_ns, 0, 1000000, "ns", "copy call"),
    KEY("cpu", "copy_prepare_ns", copy_prepare_ns, 0, 1000000, "ns", "driver, after the call"),
    KEY("cpu", "copy_wait_ns", copy_wait_ns, 0, 1000000, "ns", "same, of a call that waits"),
    WORD("cpu", "copy_alone", copy_alone, no_yes, "prepare when the engine has no other copy"),
    WORD("cpu", "prepare_in_turn", prepare_in_turn, no_yes,
         "prepare when a stream's calls before it are complete"),
    WORD("cpu", "one_driver", one_driver, no_yes, "prepares one call of all threads at a time"),
    KEY("cpu", "sync_call_ns", sync_call_ns, 0, 1000000, "ns", "synchronisation, before waiting"),
    KEY("cpu", "sync_return_ns", sync_return_ns, 0, 1000000, "ns", "synchronisation, after it"),
    KEY("cpu", "call_ns", call_ns, 0, 1000000, "ns", "every other call of the CUDA API"),
    KEY("cpu", "poll_ns", poll_ns, 1, 1000000, "ns", "polling interval"),
    KEY("cpu", "packet_ns", packet_ns, 0, 1000000, "ns",
        "a packet for a user-level queue, with its doorbell"),
    KEY("cpu", "stream_op_ns", stream_op_ns, 0, 1000000, "ns",
        "call for a memory operation of a stream"),
    KEY("cpu", "streams", streams, 1, 1024, "", "streams the launches rotate over"),

    KEY("fe", "region_kib", fe_region_kib, 0, 8192, "KiB",
        "synchronised region of a partition, with full/empty bits, 0: none"),
    KEY("fe", "timeout_us", fe_timeout_us, 0, 6000000, "us",
        "that a request may wait for its words, 0: for ever"),
    KEY("fe", "host_requests", fe_host_requests, 1, 96, "",
        "line requests of host and devices that may wait for their words"),
    KEY("fe", "grain_bytes", fe_grain_bytes, 4, 128, "bytes", "that share a full/empty bit"),
    KEY("fe", "look_ahead", fe_look_ahead, 1, 8, "",
        "waiting requests of a partition's GPU queue that are looked at"),

    KEY("concurrency", "interval", concurrency.interval, EVG_CM_INTERVAL_MIN, EVG_CM_INTERVAL,
        "core cycles", "between two decisions about warp limits"),
    KEY("concurrency", "t_high", concurrency.t_high, 0, 10000, "per 100 L2 cycles",
        "stalls of all partitions from which on limits go down"),
    KEY("concurrency", "t_low", concurrency.t_low, 0, 10000, "per 100 L2 cycles",
        "stalls below which limits go up"),
    KEY("concurrency", "k", concurrency.k, 0, 2047, "stalls of an interval",
        "of CM-BAL: what a change of stall_GPU must exceed"),
    KEY("concurrency", "patience", concurrency.patience, 0, 7, "intervals",
        "of CM-BAL: on one level, then a neighbour is visited, 0: never"),
    KEY("concurrency", "pivot", concurrency.pivot, 0, 63, "warps",
        "of CM-BAL: below, the upper neighbour is visited, else the lower"),
    KEY("concurrency", "watched_core", concurrency.watched_core, 0, 62, "",
        "whose averages are written down"),
    DYNCTA("dyncta", dyncta, "DYNCTA: "),
    DYNCTA("dyncta_tuned", dyncta_tuned, "tuned: "),

    KEY("nic", "gbit_per_s", nic_gbit_per_s, 1, 1000, "10^9 bits/s", "line rate"),
    KEY("nic", "buffer_kib", nic_buffer_kib, 2, 1048576, "KiB", "receive buffer"),
    KEY("nic", "batch", nic_batch, 1, 32, "packets", "per event"),
    KEY("nic", "timeout_ns", nic_timeout_ns, 1, 1000000000, "ns", "partial batch"),
    KEY("nic", "in_flight", nic_in_flight, 1, 1024, "", "submission queue entries"),
};
#define N_KEYS (sizeof keys / sizeof keys[0])

static const struct key *find_key(const char *section, const char *name, size_t *index)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        if (!strcmp(keys[i].section, section) && !strcmp(keys[i].name, name)) {
            *index = i;
            return &keys[i];
        }
    }
    return NULL;
}

static bool has_words(const struct key *key)
{
    return key->words || key->policy;
}

/* The name of a value; NULL after the last one. */
static const char *word(const struct key *key, uint32_t value)
{
    return key->policy ? key->policy(value) : key->words[value];
}

/* "a|b|c" into `text`. */
static void list_words(const struct key *key, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; word(key, i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "|" : "", word(key, i));
}

static bool set_word(const struct key *key, const char *text, uint32_t *value, struct error *err)
{
    for (uint32_t i = 0; word(key, i); i++) {
        if (!strcmp(word(key, i), text)) {
            *value = i;
            return true;
        }
    }
    char words[128];
    list_words(key, words, sizeof words);
    return error_set(err, "%s.%s: '%s' is not one of %s", key->section, key->name, text, words);
}

static bool set_number(const struct key *key, const char *text, uint32_t *value, struct error *err)
{
    char *end = NULL;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    if (!*text || *end || text[0] == '-' || errno)
        return error_set(err, "%s.%s: '%s' is not a whole number", key->section, key->name, text);
    if (n < key->min || n > key->max)
        return error_set(err, "%s.%s: %s is out of range, must be %u to %u%s%s", key->section,
                         key->name, text, key->min, key->max, *key->unit ? " " : "", key->unit);
    *value = (uint32_t)n;
    return true;
}

/* Rows of the map, which the file may give in several lines. */
static bool add_rows(struct machine_config *config, const char *text, struct error *err)
{
    if (!strcmp(text, "none") && !config->mem.placement.height)
        return true;
    if (placement_add(&config->mem.placement, text, err))
        return true;
    error_prefix(err, "network.placement");
    return false;
}

static bool set_value(struct machine_config *config, const struct key *key, const char *text,
                      struct error *err)
{
    if (key->map)
        return add_rows(config, text, err);
    uint32_t *field = (uint32_t *)(void *)((char *)config + key->offset);
    return has_words(key) ? set_word(key, text, field, err) : set_number(key, text, field, err);
}

struct reader {
    struct machine_config *config;
    struct error *err;
    FILE *file;
    uint32_t line;
    bool seen[N_KEYS];
};

static char *next_line(char *text, int size, void *user)
{
    struct reader *reader = user;
    reader->line++;
    return fgets(text, size, reader->file);
}

static int on_pair(void *user, const char *section, const char *name, const char *value)
{
    struct reader *reader = user;
    size_t index = 0;
    const struct key *key = find_key(section, name, &index);
    if (!key)
        return error_set(reader->err, "[%s] %s: no such key; `evgpu config` lists them", section,
                         name);
    if (reader->seen[index] && !key->map)
        return error_set(reader->err, "%s.%s: given twice", section, name);
    if (key->map && !reader->seen[index])
        reader->config->placement_line = reader->line;
    reader->seen[index] = true;
    return set_value(reader->config, key, value, reader->err);
}

static void take_name(struct machine_config *config, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t n = strcspn(base, ".");
    if (n >= sizeof config->name)
        n = sizeof config->name - 1;
    memcpy(config->name, base, n);
    config->name[n] = '\0';
}

bool config_load(struct machine_config *config, const char *path, struct error *err)
{
    memset(config, 0, sizeof *config);
    take_name(config, path);
    struct reader reader = {.config = config, .err = err};
    reader.file = fopen(path, "r");
    if (!reader.file)
        return error_set(err, "%s: %s", path, strerror(errno));
    int line = ini_parse_stream(next_line, &reader, on_pair, &reader);
    fclose(reader.file);
    if (line > 0) {
        error_set(err, "not a `key = value` line");
        error_prefix(err, "%s:%d", path, line);
        return false;
    }
    if (line < 0)
        return error_set(err, "%s: cannot be read", path);
    for (size_t i = 0; i < N_KEYS; i++) {
        if (!reader.seen[i])
            return error_set(err, "%s: [%s] %s is missing (%s%s%s)", path, keys[i].section,
                             keys[i].name, keys[i].meaning, *keys[i].unit ? ", " : "",
                             keys[i].unit);
    }
    return true;
}

bool config_override(struct machine_config *config, const char *text, struct error *err)
{
    const char *dot = strchr(text, '.');
    const char *equals = strchr(text, '=');
    char section[32], name[32];
    if (!dot || !equals || dot > equals || (size_t)(dot - text) >= sizeof section ||
        (size_t)(equals - dot - 1) >= sizeof name)
        return error_set(err, "--set %s: must be section.key=value", text);
    snprintf(section, sizeof section, "%.*s", (int)(dot - text), text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - dot - 1), dot + 1);
    size_t index = 0;
    const struct key *key = find_key(section, name, &index);
    if (!key)
        return error_set(err, "--set %s: no such key; `evgpu config` lists them", text);
    if (key->map) {
        config->mem.placement.height = 0;
        config->placement_line = 0;
    }
    if (!set_value(config, key, equals + 1, err)) {
        error_prefix(err, "--set");
        return false;
    }
    return true;
}

static bool power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

static bool check_network(const struct machine_config *config, struct error *err)
{
    const struct memsys_config *mem = &config->mem;
    const struct placement *map = &mem->placement;
    if (mem->gpu_partitions >= mem->partitions)
        return error_set(
            err, "l2.gpu_partitions: %u of l2.partitions = %u leaves none for the CPU cores",
            mem->gpu_partitions, mem->partitions);
    if (mem->gpu_partitions && config->fe_region_kib)
        return error_set(err, "l2.gpu_partitions: must be 0 with a synchronised region "
                              "(fe.region_kib), which all partitions share");
    if (mem->parts && mem->network != NETWORK_MESH)
        return error_set(err, "network.parts: a crossbar has none, must be shared");
    if (mem->parts && (mem->vcs % 4 || mem->flit_bytes % 4))
        return error_set(err,
                         "network.parts: network.vcs = %u and network.flit_bytes = %u are shared "
                         "out in quarters, must be multiples of 4",
                         mem->vcs, mem->flit_bytes);
    if (mem->network != NETWORK_MESH)
        return true;
    bool ok = (map->height || error_set(err, "a mesh needs a map of its nodes")) &&
              placement_fits(map, ENDPOINT_CORE, config->cores, err) &&
              placement_fits(map, ENDPOINT_CPU, config->cpu_cores, err) &&
              placement_fits(map, ENDPOINT_PARTITION, mem->partitions, err) &&
              placement_fits(map, ENDPOINT_HOST, 1, err);
    if (!ok && config->placement_line)
        error_prefix(err, "network.placement, line %u", config->placement_line);
    else if (!ok)
        error_prefix(err, "network.placement");
    return ok;
}

bool config_check(const struct machine_config *config, struct error *err)
{
    const struct core_config *core = &config->core;
    if (core->threads > core->warps * WARP_SIZE)
        return error_set(err, "core.threads: %u threads need more than core.warps = %u warps",
                         core->threads, core->warps);
    if (!power_of_two(core->shared_banks))
        return error_set(err, "core.shared_banks: %u is not a power of two", core->shared_banks);
    if (core->schedulers == 3)
        return error_set(err, "core.schedulers: must be 1, 2 or 4");
    if (core->registers % (4 * WARP_SIZE))
        return error_set(err, "core.registers: %u is not a multiple of %d", core->registers,
                         4 * WARP_SIZE);
    if (core->register_reserve >= core->registers)
        return error_set(err,
                         "event.register_reserve: %u of core.registers = %u leaves none for others",
                         core->register_reserve, core->registers);
    if (config->cpu_cores && !cpu_core_check(&config->cpu_core, err)) {
        error_prefix(err, "[cpu_core]");
        return false;
    }
    if (!power_of_two(config->mem.interleave_bytes))
        return error_set(err, "l2.interleave_bytes: %u is not a power of two",
                         config->mem.interleave_bytes);
    if (config->mem.reserved_mshrs && config->mem.reserved_mshrs >= config->mem.l2_mshrs)
        return error_set(err, "l2.reserved_mshrs: %u of l2.mshrs = %u leaves none for the GPU",
                         config->mem.reserved_mshrs, config->mem.l2_mshrs);
    if (config->mem.dram.reserved >= config->mem.dram.queue)
        return error_set(err, "dram.reserved: %u of dram.queue = %u leaves none for the others",
                         config->mem.dram.reserved, config->mem.dram.queue);
    return check_network(config, err);
}

void config_describe(void (*line)(void *user, const char *text), void *user)
{
    char text[256];
    for (size_t i = 0; i < N_KEYS; i++) {
        const struct key *k = &keys[i];
        char words[128] = "";
        if (has_words(k))
            list_words(k, words, sizeof words);
        if (k->map)
            snprintf(text, sizeof text, "%s.%s: %s", k->section, k->name, k->meaning);
        else if (has_words(k))
            snprintf(text, sizeof text, "%s.%s %s: %s", k->section, k->name, words, k->meaning);
        else
            snprintf(text, sizeof text, "%s.%s %u..%u%s%s: %s", k->section, k->name, k->min, k->max,
                     *k->unit ? " " : "", k->unit, k->meaning);
        line(user, text);
    }
}
