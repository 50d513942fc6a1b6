#include "tb/random_shim.h"

#include "verilated.h"

extern "C" void rtl_randomise(uint32_t seed, bool registers)
{
    VerilatedContext *context = Verilated::defaultContextp();
    context->randSeed(static_cast<int>((seed & 0x3fffffff) * 2 + 1)); // 0 would be another each time
    context->randReset(registers ? 2 : 0);
}
