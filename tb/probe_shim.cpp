#include "tb/probe.h"

#include <cstring>

#include "Vwave_core.h"
#include "Vwave_partition.h"
#include "Vwave_run.h"
#include "verilated_fst_c.h"

namespace
{

struct Probe {
    virtual ~Probe() = default;
    virtual void trace(VerilatedFstC *file) = 0;
    virtual void write(const void *data) = 0;
};

template <class Top, class Data> struct ProbeOf final : Probe {
    Top top;
    static_assert(sizeof(Data) == sizeof top.data_i, "the struct is the module's data_i");

    // In the context of the tiles: models share a trace file only within one.
    explicit ProbeOf(const char *instance) : top{Verilated::defaultContextp(), instance}
    {
    }
    ~ProbeOf() override
    {
        top.final();
    }
    void trace(VerilatedFstC *file) override
    {
        top.trace(file, 99);
    }
    void write(const void *data) override
    {
        std::memcpy(&top.data_i, data, sizeof top.data_i);
        top.eval();
    }
};

Probe *of(void *probe)
{
    return static_cast<Probe *>(probe);
}

} // namespace

extern "C" {

void *probe_create(enum probe_kind kind, const char *instance)
{
    Verilated::defaultContextp()->traceEverOn(true);
    Probe *probe = nullptr;
    if (kind == PROBE_RUN)
        probe = new ProbeOf<Vwave_run, wave_run>{instance};
    else if (kind == PROBE_CORE)
        probe = new ProbeOf<Vwave_core, wave_core>{instance};
    else
        probe = new ProbeOf<Vwave_partition, wave_partition>{instance};
    return probe;
}

void probe_trace(void *probe, void *trace_file)
{
    of(probe)->trace(static_cast<VerilatedFstC *>(trace_file));
}

void probe_write(void *probe, const void *data)
{
    of(probe)->write(data);
}

void probe_destroy(void *probe)
{
    delete of(probe);
}

} // extern "C"
