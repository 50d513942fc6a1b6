/* What the way to launch costs beside time: CPU, GPU resources, PCIe, the device's table. */
#include "sim/guest/service/packet_internal.h"

struct cost {
    double seconds;   /* first packet to last */
    double cpu_share; /* of the CPU's threads in calls, packets and notifications */
    double cpu_ns;    /* per packet */
    uint32_t threads; /* CPU threads that serve it, polling when they do nothing else */
    double warps_idle, registers_idle; /* all the time */
    double warps_busy; /* contexts that events have, on average while one is under way */
    double registers_busy;
    double pcie_bytes;    /* per event */
    double packets;       /* per second */
    uint32_t table_bytes; /* that the NIC keeps for a kernel */
};

/* XTQ: template of the packet, ring and its size, write and read index, doorbell, completion
 * signals, arguments and their distance. */
#define NIC_TABLE_BYTES (AQL_PACKET_BYTES + 8 + 4 + 8 + 8 + 8 + 8 + 8 + 4)

static double per(double value, double of)
{
    return of > 0 ? value / of : 0;
}

static struct cost cost_of(const struct packet_service *s)
{
    const struct packet_figures *f = &s->figures;
    const struct machine_config *c = machine_config(s->machine);
    const struct kernel *kernel = s->memory.kernel;
    bool cpu = s->launcher || s->armed;
    const struct persistent_figures *p = &f->persistent; /* has its registers all the time */
    uint64_t cycles = f->nic.last_departure > f->nic.first_arrival
                          ? f->nic.last_departure - f->nic.first_arrival
                          : 0;
    double hz = (double)c->core_khz * 1000,
           held = per((double)f->held_cycles, (double)f->busy_cycles);
    uint32_t warps = s->memory.grid * ((s->memory.block + WARP_SIZE - 1) / WARP_SIZE);
    double then = per((double)f->then_held_cycles, (double)f->busy_cycles);
    return (struct cost){
        .seconds = (double)cycles / hz,
        .threads = cpu ? c->cpu_threads : 0,
        .cpu_share = cpu ? per((double)f->cpu_busy_cycles, (double)cycles * c->cpu_threads) : 0,
        .cpu_ns = per((double)f->cpu_busy_cycles / hz * 1e9, (double)f->nic.packets_in),
        .warps_idle = p->warps,
        .registers_idle = p->registers,
        .warps_busy = s->persistent ? p->warps : held * warps + then,
        .registers_busy = s->persistent ? p->registers
                          : kernel      ? WARP_SIZE * (held * warps * kernel->regs +
                                                  then * packet_pipeline_registers(s->pipeline))
                                        : 0,
        .pcie_bytes = per((double)f->pcie_bytes, (double)f->nic.batches),
        .packets = per((double)f->nic.packets_in * hz, (double)cycles),
        .table_bytes = s->options.launch == LAUNCH_XTQ ? NIC_TABLE_BYTES : 0};
}

void packet_print_cost(const struct packet_service *s, FILE *to)
{
    struct cost c = cost_of(s);
    fprintf(to,
            "Cost                  %.1f warps and %.0f registers while events are under way; %.0f "
            "bytes on "
            "PCIe per event;\n                      ",
            c.warps_busy, c.registers_busy, c.pcie_bytes);
    if (c.threads)
        fprintf(to, "CPU: %.1f ns per packet, busy %.1f %% of the time, polling otherwise\n",
                c.cpu_ns, 100 * c.cpu_share);
    else
        fprintf(to, "no CPU\n");
}

json_t *packet_json_cost(const struct packet_service *s)
{
    struct cost c = cost_of(s);
    json_t *j = json_pack(
        "{s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i}", "cpu_threads", (int)c.threads,
        "cpu_busy_share", c.cpu_share, "cpu_ns_per_packet", c.cpu_ns, "warps_held_idle",
        c.warps_idle, "warps_held_busy", c.warps_busy, "registers_held_idle", c.registers_idle,
        "registers_held_busy", c.registers_busy, "pcie_bytes_per_event", c.pcie_bytes,
        "packets_per_second", c.packets, "nic_table_bytes", (int)c.table_bytes);
    if (s->armed) {
        struct armed_stats stats;
        armed_get_stats(s->armed, &stats);
        json_object_set_new(j, "prepared_kernels", json_integer(s->memory.entries));
        json_object_set_new(j, "least_prepared", json_integer(stats.least));
    }
    return j;
}
