#include "tb/random_shim.h"

#include "verilated.h"

extern "C" void rtl_randomise(uint32_t seed, bool registers)
{
    VerilatedContext *context = Verilated::defaultContextp();
    context->randSeed(
        static_cast<int>((seed & 0x3fffffff) * 2 + 1)); // 0 would be another each time
    // The first numbers are little else than the bits of the seed.
    for (int i = 0; i < 20; i++)
        VL_RANDOM_I();
#if VM_COVERAGE
    registers = false; // a reset that ends a random value is no toggle that a test has reached
#endif
    context->randReset(registers ? 2 : 0);
}

namespace
{
// Before anybody gives a seed: always the same.
[[maybe_unused]] const bool seeded = (rtl_randomise(0, false), true);
} // namespace
