/* Host reference of the echo kernels: the same rules (echo.h), written independently, byte by byte.
 */
#ifndef EVGPU_SW_ECHO_REFERENCE_H
#define EVGPU_SW_ECHO_REFERENCE_H

#include <stdint.h>

#include "sw/services/echo/echo.h"

/* Turns the frame into its answer in place, if it is to be answered. `port` 0: any. */
enum echo_verdict echo_reference(uint8_t *frame, uint32_t length, uint32_t port);

const char *echo_verdict_name(uint32_t verdict);

#endif
