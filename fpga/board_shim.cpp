#include "fpga/board_shim.h"

#include "Vboard_link.h"
#include "verilated.h"

static void cycle(Vboard_link *top)
{
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
}

extern "C" {

void *board_create(void)
{
    Vboard_link *top = new Vboard_link;
    top->clk_i = 0;
#if BOARD_ETHERNET
    top->dv_i = 0;
    top->rxd_i = 0;
#else
    top->rx_i = 1;
#endif
    top->rst_i = 1;
    for (int i = 0; i < 4; i++)
        cycle(top);
    top->rst_i = 0;
    return top;
}

void board_destroy(void *board)
{
    Vboard_link *top = static_cast<Vboard_link *>(board);
    top->final();
    delete top;
}

#if BOARD_ETHERNET
struct rmii board_step_rmii(void *board, struct rmii in)
{
    Vboard_link *top = static_cast<Vboard_link *>(board);
    top->dv_i = in.valid;
    top->rxd_i = in.bits;
    cycle(top);
    return {static_cast<bool>(top->en_o), top->txd_o};
}
#else
bool board_step(void *board, bool rx)
{
    Vboard_link *top = static_cast<Vboard_link *>(board);
    top->rx_i = rx;
    cycle(top);
    return top->tx_o;
}
#endif

bool board_busy(const void *board)
{
    const Vboard_link *top = static_cast<const Vboard_link *>(board);
#if BOARD_FREE
    if (top->leds_o >> 6 & 1) // it is in its run (fpga/free/free_run.v)
        return true;
#endif
    return top->busy_o;
}

} // extern "C"
