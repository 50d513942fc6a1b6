#include "tb/coverage_shim.h"

#if VM_COVERAGE
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "verilated.h"
#include "verilated_cov.h"

static void write_counters()
{
    const char *directory = std::getenv("EVGPU_COVERAGE");
    if (!directory)
        return;
    std::string path = std::string(directory) + "/" + std::to_string(getpid()) + ".dat";
    Verilated::defaultContextp()->coveragep()->write(path.c_str());
}

extern "C" void coverage_write_at_exit(void)
{
    static const int registered = std::atexit(write_counters);
    (void)registered;
}
#endif
