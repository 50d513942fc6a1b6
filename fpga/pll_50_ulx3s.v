// SPDX-License-Identifier: Apache-2.0
// pll_50_ulx3s: 50 MHz from the 25 MHz of the ULX3S, with the ECP5's PLL; its oscillator runs at 600 MHz.
`default_nettype none

module pll_50_ulx3s (
    input  wire clk_i,
    output wire clk_o,
    output wire locked_o
);

    EHXPLLL #(
        .CLKI_DIV(1), .CLKFB_DIV(2), .CLKOP_DIV(12), .CLKOP_ENABLE("ENABLED"), .CLKOP_CPHASE(5),
        .CLKOP_FPHASE(0), .FEEDBK_PATH("CLKOP"), .OUTDIVIDER_MUXA("DIVA"), .PLLRST_ENA("DISABLED"),
        .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED")
    ) pll (
        .CLKI(clk_i), .CLKFB(clk_o), .CLKOP(clk_o), .LOCK(locked_o), .RST(1'b0), .STDBY(1'b0),
        .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
        .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
    );

endmodule
`default_nettype wire
