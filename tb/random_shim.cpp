#include "tb/random_shim.h"

#include "verilated.h"

extern "C" void rtl_randomise(uint32_t seed, bool registers)
{
    VerilatedContext *context = Verilated::defaultContextp();
    // Verilator's generator begins with the bits of its seed: seeds that differ little are spread.
    uint32_t spread = (seed + 1) * 0x9e3779b1U;
    spread = (spread ^ spread >> 15) * 0x85ebca6bU;
    spread ^= spread >> 13;
    context->randSeed(static_cast<int>(spread >> 1 | 1)); // 0 would be another each time
    context->randReset(registers ? 2 : 0);
}

namespace
{
// Before anybody gives a seed: always the same.
[[maybe_unused]] const bool seeded = (rtl_randomise(0, false), true);
} // namespace
