/* C access to what Verilator leaves to chance; used by tile.c only. */
#ifndef EVGPU_TB_RANDOM_SHIM_H
#define EVGPU_TB_RANDOM_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* $random of the models that are created from now on comes from `seed`; so do, with
 * `registers`, the registers' initial values, which are 0 otherwise. */
void rtl_randomise(uint32_t seed, bool registers);

#ifdef __cplusplus
}
#endif

#endif
