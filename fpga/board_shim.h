/* The verilated board_link, cycle by cycle. */
#ifndef EVGPU_FPGA_BOARD_SHIM_H
#define EVGPU_FPGA_BOARD_SHIM_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* After reset. */
void *board_create(void);
void board_destroy(void *board);

/* One clock cycle with `rx` on the line from the host; returns the line to the host. */
bool board_step(void *board, bool rx);

/* The same of a board with Ethernet: one cycle of the PHY's reference clock. */
struct rmii {
    bool valid;
    unsigned bits; /* two, the lower one first */
};
struct rmii board_step_rmii(void *board, struct rmii in);

/* A request is being obeyed or answered, or the board is in a run of its own. */
bool board_busy(const void *board);

#ifdef __cplusplus
}
#endif

#endif
