#include "sim/system/config_keys.h"

#include "sim/mem/cache/policy.h"
#include "sim/mem/dram/scheduler.h"
#include "sim/mem/net/mesh.h"
#include "tb/model/victim/policy.h"

static const char *const register_rules[] = {"victim", "spare", NULL};
static const char *const flush_rules[] = {"drop-unsafe", NULL};
static const char *const drains[] = {"core", "blocks", "fallback", NULL};
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
static const char *const constant_fetches[] = {"line", "half", NULL};
static const char *const input_orders[] = {"voq", "fifo", NULL};
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
/* A number, or a word: the first has the value max + 1, and so on. */
#define NUMBER_OR(section, name, field, min, max, words, meaning)                                  \
    {                                                                                              \
        section, name, offsetof(struct machine_config, field), min, max, "bits", meaning, words,   \
            false, NULL                                                                            \
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
            what "add a block from this many idle cycles of a period on"),                         \
        KEY("concurrency", name "_t_mem_l", concurrency.field.memory_low, 0, 1000000,              \
            "core cycles", what "add a block below this many cycles of waiting for memory"),       \
        KEY("concurrency", name "_t_mem_h", concurrency.field.memory_high, 0, 1000000,             \
            "core cycles", what "remove a block from this many such cycles on")

const struct config_key config_keys[] = {
    KEY("gpu", "cores", cores, 1, 63, "", "SIMT cores"),
    KEY("gpu", "core_clock_khz", core_khz, 1000, 10000000, "kHz", "SIMT core clock"),
    KEY("gpu", "memory_mib", memory_mib, 16, 65536, "MiB", "device memory"),
    KEY("gpu", "compute_capability", capability, 20, 90, "", "that programs are told: 60 is 6.0"),
    WORD("gpu", "protection", protection, no_yes,
         "a kernel may access its own guest's memory only"),
    KEY("gpu", "kernels_running", kernels.running, 1, 32, "", "concurrent kernels"),
    KEY("gpu", "kernels_pending", kernels.pending, 1, 65536, "", "kernels waiting"),
    KEY("gpu", "dispatch_latency", kernels.dispatch_latency, 0, 100000, "core cycles",
        "kernel management unit to first block"),
    KEY("gpu", "lookahead", lookahead, 1, 8, "core cycles",
        "that a core may run before the others"),

    KEY("core", "warps", core.warps, 1, 64, "", "warp contexts"),
    KEY("core", "blocks", core.blocks, 1, 64, "", "block slots"),
    KEY("core", "threads", core.threads, 32, 2048, "", "resident threads"),
    KEY("core", "registers", core.registers, 1024, 130944, "", "32-bit registers"),
    KEY("core", "shared_bytes", core.shared_bytes, 0, 262144, "bytes", "shared memory"),
    KEY("core", "schedulers", core.schedulers, 1, 4, "", "warp schedulers"),
    POLICY("core", "scheduler", core.scheduler, core_scheduler_name, "which ready warp issues"),
    KEY("core", "warp_limit", core.warp_limit, 0, 64, "", "warps allowed to issue, 0: all"),
    KEY("core", "fetch_width", core.fetch_width, 1, 4, "", "warps fetched per cycle"),
    KEY("core", "icache_bytes", core.icache_bytes, 256, 1048576, "bytes", "instruction cache"),
    KEY("core", "icache_ways", core.icache_ways, 1, 64, "", "instruction cache ways"),
    KEY("core", "icache_latency", core.icache_latency, 1, 100, "core cycles", "fetch hit"),
    KEY("core", "const_bytes", core.const_bytes, 256, 1048576, "bytes", "constant cache"),
    KEY("core", "const_ways", core.const_ways, 1, 64, "", "constant cache ways"),
    KEY("core", "const_latency", core.const_latency, 1, 1000, "core cycles", "constant hit"),
    WORD("core", "const_fetch", core.const_fetch, constant_fetches,
         "what a miss of the constant cache fetches: 128 bytes, or the 64 that are read"),
    KEY("core", "l1_bytes", core.l1_bytes, 512, 1048576, "bytes", "L1 data cache"),
    KEY("core", "l1_ways", core.l1_ways, 1, 64, "", "L1 ways"),
    KEY("core", "l1_latency", core.l1_latency, 1, 1000, "core cycles", "L1 hit"),
    KEY("core", "l1_mshrs", core.l1_mshrs, 1, 1024, "", "L1 miss registers"),
    KEY("core", "l1_mshr_merges", core.l1_mshr_merges, 1, 64, "", "requests merged into one entry"),
    KEY("core", "l1_miss_latency", core.l1_miss_latency, 0, 1000, "core cycles",
        "L1 miss to request"),
    WORD("core", "l1_index", core.l1_index, indices, "how a line chooses its L1 set"),
    POLICY("core", "l1_replacement", core.l1_replacement, cache_policy_name,
           "replacement policy of L1"),
    WORD("core", "l1_fetch", core.l1_fetch, fetches, "what an L1 miss fetches"),
    WORD("core", "l1_allocate", core.l1_allocate, allocates, "when a line takes its L1 way"),
    WORD("core", "l1_global_store", core.l1_global_store, global_stores,
         "policy of a global store that hits L1"),
    WORD("core", "l1_local_store", core.l1_local_store, local_stores,
         "policy of a store to local memory"),
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
    TIMING("mma", TIMING_MMA, "product of 8 x 8 x 8 halves, or of as many bits of another type"),
    TIMING("dmma", TIMING_DMMA, "product of 8 x 8 x 4 doubles"),
    TIMING("mem", TIMING_MEM, "address generation"),
    TIMING("control", TIMING_CONTROL, "branch, barrier, exit"),
    KEY("core", "sp_units", core.units[UNIT_SP], 1, 8, "", "arithmetic units"),
    KEY("core", "dp_units", core.units[UNIT_DP], 1, 8, "", "double units"),
    KEY("core", "sfu_units", core.units[UNIT_SFU], 1, 8, "", "special function units"),
    KEY("core", "ldst_units", core.units[UNIT_LDST], 1, 8, "", "load-store units"),
    KEY("core", "tensor_units", core.units[UNIT_TENSOR], 1, 8, "", "units of matrix products"),
    KEY("core", "control_units", core.units[UNIT_CONTROL], 1, 8, "", "branch units"),

    WORD("network", "kind", mem.network, networks, "which network"),
    KEY("network", "clock_khz", mem.net_khz, 1000, 10000000, "kHz", "network clock"),
    KEY("network", "request_latency", mem.request_latency, 1, 10000, "network cycles",
        "core to partition; crossbar only"),
    KEY("network", "reply_latency", mem.reply_latency, 1, 10000, "network cycles",
        "partition to core; crossbar only"),
    KEY("network", "flit_bytes", mem.flit_bytes, 8, 256, "bytes", "channel width"),
    KEY("network", "port_queue", mem.port_queue, 1, 256, "", "entries of an input queue"),
    KEY("network", "output_queue", mem.output_queue, 1, 256, "", "entries of an output queue"),
    WORD("network", "input_order", mem.input_order, input_orders,
         "crossbar: an input offers its oldest message for each output (voq), or that of all"),
    WORD("network", "parts", mem.parts, parts,
         "mesh: channels, and quarters of their width, of GPU and host, and of the CPU cores"),
    KEY("network", "vcs", mem.vcs, 1, MESH_MAX_VCS, "", "mesh: virtual channels"),
    KEY("network", "vc_buffer", mem.vc_buffer, 1, 64, "flits", "mesh: buffer of a virtual channel"),
    KEY("network", "router_delay", mem.router_delay, 0, 16, "network cycles",
        "mesh: pipeline stages of a router before its link"),
    KEY("network", "link_delay", mem.link_delay, 1, 16, "network cycles", "mesh: delay of a link"),
    KEY("network", "credit_delay", mem.credit_delay, 1, 16, "network cycles",
        "mesh: delay of a credit"),
    WORD("network", "allocation", mem.allocation, allocations,
         "mesh: order of the switch allocation"),
    KEY("network", "iterations", mem.iterations, 1, 8, "", "mesh: allocation rounds per cycle"),
    KEY("network", "cores_per_node", mem.placement.cores_per_node, 1, 16, "",
        "mesh: SIMT cores at a node"),
    MAP("network", "placement",
        "mesh: rows of letters, G SIMT cores, C CPU core, M memory partition, H host, . empty "
        "node, lower case: a node with the host too; or none"),

    KEY("l2", "clock_khz", mem.l2_khz, 1000, 10000000, "kHz", "L2 clock"),
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
    POLICY("l2", "replacement", mem.l2_replacement, cache_policy_name, "replacement policy"),
    KEY("l2", "latency", mem.l2_latency, 1, 10000, "L2 cycles", "hit"),
    KEY("l2", "mshrs", mem.l2_mshrs, 1, 1024, "", "miss registers of a bank"),
    KEY("l2", "mshr_merges", mem.l2_mshr_merges, 1, 64, "", "requests merged into one entry"),
    WORD("l2", "fetch", mem.l2_fetch, fetches, "what a miss fetches"),
    WORD("l2", "allocate", mem.l2_allocate, allocates, "when a line takes its way"),
    WORD("l2", "write_miss", mem.l2_write_miss, write_misses,
         "store to missing words: no fetch, fetch at once, or no line"),
    KEY("l2", "queue", mem.l2_queue, 1, 1024, "", "entries of a bank's ingress queue"),
    KEY("l2", "miss_queue", mem.l2_miss_queue, 4, 1024, "",
        "accesses between a bank and the memory controller"),
    KEY("l2", "reply_queue", mem.l2_reply_queue, 1, 1024, "", "entries of a bank's reply queue"),
    WORD("l2", "class_queues", mem.class_queues, no_yes,
         "separate queues for requests of CPU cores"),
    WORD("l2", "host_lane", mem.host_lane, no_yes,
         "host and devices use the separate queues that CPU cores or events have"),
    KEY("l2", "reserved_mshrs", mem.reserved_mshrs, 0, 1023, "",
        "miss registers of a bank for CPU cores only, with class_queues"),
    KEY("l2", "parked", mem.parked, 0, 65535, "",
        "requests of a bank waiting for full/empty words"),
    KEY("l2", "park_timeout", mem.park_timeout, 0, 1000000000, "L2 cycles",
        "time limit of such a wait, 0: none"),
    KEY("l2", "memory_latency", mem.memory_latency, 0, 10000, "L2 cycles",
        "latency of the memory controller, beyond DRAM timing"),

    KEY("dram", "clock_khz", mem.dram_khz, 1000, 10000000, "kHz", "command clock"),
    KEY("dram", "banks", mem.dram.banks, 1, 64, "", "banks per channel"),
    KEY("dram", "row_bytes", mem.dram.row_bytes, 128, 65536, "bytes", "row of one bank"),
    KEY("dram", "column_bytes", mem.dram.column_bytes, 8, 128, "bytes", "one RD or WR command"),
    KEY("dram", "burst", mem.dram.burst, 1, 64, "DRAM cycles", "data transfer of one RD or WR"),
    KEY("dram", "queue", mem.dram.queue, 1, 256, "", "scheduler queue entries"),
    POLICY("dram", "scheduler", mem.dram.scheduler, dram_scheduler_name,
           "order of requests in a channel"),
    KEY("dram", "hit_cap", mem.dram.hit_cap, 0, 1000000, "",
        "fr-fcfs-cap: row hits that may bypass an older miss"),
    KEY("dram", "priority", mem.dram.priority, 0, 15, "bits",
        "prioritised classes: sum of 1 GPU, 2 CPU, 4 host, 8 device"),
    KEY("dram", "reserved", mem.dram.reserved, 0, 255, "",
        "queue entries reserved for prioritised classes"),
    WORD("dram", "act_first", mem.dram.act_first, no_yes,
         "an ACT at the first cycle of tRRD precedes a late column command"),
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
    KEY("dram", "tREFI", mem.dram.refi, 0, 1000000, "DRAM cycles", "refresh interval, 0: none"),
    KEY("dram", "tRFC", mem.dram.rfc, 1, 100000, "DRAM cycles", "refresh duration"),

    KEY("packet_processor", "decode_latency", packets.decode, 1, 100000, "core cycles",
        "processing of a user-level queue packet"),
    KEY("packet_processor", "wait_poll", packets.poll, 1, 1000000, "core cycles",
        "polling interval of a word that a stream waits for"),
    KEY("packet_processor", "wait_reads", packets.poll_reads, 1, 64, "", "such reads in flight"),

    POLICY("event", "policy", events.policy, victim_policy_name, "victim choice"),
    WORD("event", "registers", events.spare_registers, register_rules,
         "a victim has at least the event's registers, or the core has as many free"),
    WORD("event", "drain", events.drain, drains,
         "events without a context: bound to a core; drain and reserve: thread blocks for any "
         "core; so "
         "are events that cannot preempt"),
    WORD("event", "free_context", core.event_context, free_contexts,
         "free context: its warp has exited, its block has exited, or the core has no block"),
    KEY("event", "register_reserve", core.register_reserve, 0, 1048576, "",
        "registers of a core withheld from background blocks"),
    NUMBER_OR("event", "options", events.options, 0, EVENT_OPTIONS_ALL, flush_rules,
              "flush optimisations: sum of 1 priority, 2 i-buffer, 4 barrier skip, 8 load drop; or "
              "all, loads dropped whatever has completed since"),
    KEY("event", "flush_limit", events.flush_limit, 0, 65535, "core cycles",
        "time limit of flushing a victim, 0: none"),
    KEY("event", "flag_limit", events.flag_limit, 0, 16777215, "core cycles",
        "time limit of reading a completion pointer, and of sending a flag, 0: none"),
    KEY("event", "reserved_cores", events.reserved_cores, 0, 63, "", "cores reserved for events"),
    KEY("event", "keep_most", events.keep.most, 0, 63, "",
        "most cores that dynamic scheduling reserves, fewer than all"),
    KEY("event", "keep_shift", events.keep.shift, 0, 7, "",
        "dynamic scheduling: one reserved core for every 2^N events in flight"),
    KEY("event", "keep_patience", events.keep.patience, 0, 65535, "core cycles",
        "dynamic scheduling: one core fewer after so many cycles with fewer events"),
    WORD("event", "room", events.room.on, no_yes,
         "each core keeps as many contexts and registers free as its events need"),
    KEY("event", "room_interval", events.room.interval, 8, 16, "log2 of core cycles",
        "over which the rate and service time of a core's events are measured"),
    KEY("event", "room_margin", events.room.margin, 0, 3, "contexts",
        "kept beside those that events need"),
    KEY("event", "lane_queue", lane_queue, 0, 32, "memory instructions",
        "dynamic scheduling: event memory priority, with so many reserved MSHRs per L2 bank; 0: "
        "none"),

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
        "resolution of a mispredicted branch to fetch"),
    KEY("cpu_core", "predictor_bits", cpu_core.predictor_bits, 4, 20, "",
        "log2 of gshare's counters"),
    KEY("cpu_core", "history_bits", cpu_core.history_bits, 0, 20, "",
        "branches in gshare's history"),
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
        "dirty lines on their way to memory"),

    KEY("pcie", "latency_ns", pcie_latency_ns, 1, 1000000, "ns", "one way"),
    KEY("pcie", "bandwidth_mb_per_s", pcie_mb_per_s, 1, 1000000, "10^6 bytes/s", "each direction"),
    KEY("pcie", "header_bytes", pcie_header_bytes, 1, 64, "bytes", "per packet"),
    KEY("pcie", "payload_bytes", pcie_payload_bytes, 64, 4096, "bytes", "largest payload"),
    KEY("pcie", "copy_engines", copy_engines, 1, 2, "", "1: one copy at a time"),
    KEY("pcie", "bulk_memory_ns", bulk_memory_ns, 0, 1000000, "ns",
        "memory latency of a larger copy"),
    KEY("pcie", "line_copy_kib", line_copy_kib, 0, 1048576, "KiB",
        "largest copy sent as line requests to the memory system"),

    KEY("cpu", "threads", cpu_threads, 1, 64, "", "polling launch threads"),
    KEY("cpu", "launch_enqueue_ns", launch_enqueue_ns, 0, 1000000, "ns", "launch call"),
    KEY("cpu", "launch_prepare_ns", launch_prepare_ns, 0, 1000000, "ns", "driver, after the call"),
    KEY("cpu", "launch_execute_ns", launch_execute_ns, 0, 1000000, "ns", "front end and return"),
    KEY("cpu", "copy_enqueue_ns", copy_enqueue_ns, 0, 1000000, "ns", "copy call"),
    KEY("cpu", "copy_prepare_ns", copy_prepare_ns, 0, 1000000, "ns", "driver, after the call"),
    KEY("cpu", "copy_wait_ns", copy_wait_ns, 0, 1000000, "ns",
        "driver, after a blocking copy call"),
    WORD("cpu", "copy_alone", copy_alone, no_yes, "prepare when the copy engine is idle"),
    WORD("cpu", "prepare_in_turn", prepare_in_turn, no_yes,
         "prepare when earlier calls of the stream are complete"),
    WORD("cpu", "one_driver", one_driver, no_yes, "the driver prepares one call at a time"),
    KEY("cpu", "sync_call_ns", sync_call_ns, 0, 1000000, "ns",
        "synchronisation call, before it waits"),
    KEY("cpu", "sync_return_ns", sync_return_ns, 0, 1000000, "ns",
        "synchronisation call, after it waits"),
    KEY("cpu", "call_ns", call_ns, 0, 1000000, "ns", "every other call of the CUDA API"),
    KEY("cpu", "poll_ns", poll_ns, 1, 1000000, "ns", "polling interval"),
    KEY("cpu", "packet_ns", packet_ns, 0, 1000000, "ns",
        "writing a user-level queue packet and its doorbell"),
    KEY("cpu", "stream_op_ns", stream_op_ns, 0, 1000000, "ns", "call of a stream memory operation"),
    KEY("cpu", "streams", streams, 1, 1024, "", "streams that launches rotate over"),

    KEY("fe", "region_kib", fe.kib, 0, 8192, "KiB",
        "synchronised region of a partition, with full/empty bits, 0: none"),
    KEY("fe", "timeout_us", fe.timeout_us, 0, 6000000, "us",
        "longest wait of a request for its words, 0: unlimited"),
    KEY("fe", "host_requests", fe.host_requests, 1, 96, "",
        "line requests of host and devices that may wait for words"),
    KEY("fe", "grain_bytes", fe.grain_bytes, 4, 128, "bytes", "bytes sharing a full/empty bit"),
    KEY("fe", "look_ahead", fe.look_ahead, 1, 8, "",
        "requests of a partition's GPU queue examined for departure"),

    KEY("concurrency", "interval", concurrency.interval, EVG_CM_INTERVAL_MIN, EVG_CM_INTERVAL,
        "core cycles", "between two decisions about warp limits"),
    KEY("concurrency", "t_high", concurrency.t_high, 0, 10000, "per 100 L2 cycles",
        "stalls of all partitions from which on limits decrease"),
    KEY("concurrency", "t_low", concurrency.t_low, 0, 10000, "per 100 L2 cycles",
        "stalls below which limits increase"),
    KEY("concurrency", "k", concurrency.k, 0, 2047, "stalls of an interval",
        "CM-BAL: smallest significant change of stall_GPU"),
    KEY("concurrency", "patience", concurrency.patience, 0, 7, "intervals",
        "CM-BAL: intervals on one level before a visit to a neighbour, 0: unlimited"),
    KEY("concurrency", "pivot", concurrency.pivot, 0, 63, "warps",
        "CM-BAL: visit the upper neighbour below this level, else the lower one"),
    KEY("concurrency", "watched_core", concurrency.watched_core, 0, 62, "",
        "core whose averages are recorded"),
    DYNCTA("dyncta", dyncta, "DYNCTA: "),
    DYNCTA("dyncta_tuned", dyncta_tuned, "tuned: "),

    KEY("nic", "gbit_per_s", nic_gbit_per_s, 1, 1000, "10^9 bits/s", "line rate"),
    KEY("nic", "buffer_kib", nic_buffer_kib, 2, 1048576, "KiB", "receive buffer"),
    KEY("nic", "batch", nic_batch, 1, 32, "packets", "per event"),
    KEY("nic", "timeout_ns", nic_timeout_ns, 1, 1000000000, "ns", "partial batch"),
    KEY("nic", "in_flight", nic_in_flight, 1, 1024, "", "submission queue entries"),
};

const size_t config_key_count = sizeof config_keys / sizeof config_keys[0];
