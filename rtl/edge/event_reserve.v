// SPDX-License-Identifier: Apache-2.0
// event_reserve: how many SIMT cores are kept for events, by the number of events under way (EDGE
// VI-E: reserved resources that follow the event rate). Which cores these are, and that no other
// kernel's block is started on them, is kernel management's.
//
// Contract
// - An event is under way from acc_valid_i to dec_valid_i; both in one cycle cancel. At most
//   2**17 - 1 are. dec_valid_i while none is under way is ignored.
// - wanted = min(cfg_most_i, events / 2**cfg_shift_i rounded up), 0 unless cfg_mode_i is DYNAMIC.
//   cfg_* are read with acc_valid_i only: they take effect with the next event.
// - cores_o, a register: one more in each cycle after one in which it was below wanted; one less
//   after cfg_patience_i + 1 cycles in a row in which it was above.
// - Latency: acc_valid_i to the first change of cores_o 3 cycles.
//
//     cycle          t    t+1   t+2   t+3   ..   u    u+1   u+2   u+3+patience
//     acc_valid_i    1    0     0     0          0    0     0     0
//     dec_valid_i    0    0     0     0          1    0     0     0
//     under way      0    1     1     1          1    0     0     0
//     cores_o        0    0     0     1          1    1     1     0
//
// - Reset: no event is under way, no core is kept.
// - quiet_o: without acc_valid_i and dec_valid_i no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module event_reserve (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [1:0]  cfg_mode_i,
    input  wire [5:0]  cfg_most_i,
    input  wire [2:0]  cfg_shift_i,
    input  wire [15:0] cfg_patience_i,
    // From doorbell_decoder and event_completion
    input  wire        acc_valid_i,
    input  wire        dec_valid_i,
    output wire [5:0]  cores_o,
    output wire        quiet_o
);

    reg [16:0] events_q;
    reg [5:0]  most_q;
    reg [2:0]  shift_q;
    reg [6:0]  rest_q;   // bits of a number of events below the shift
    reg [12:0] limit_q;  // so many events want fewer than most_q cores, if that is not 0
    reg [15:0] patience_q;
    reg [5:0]  wanted_q, cores_q;
    reg [15:0] above_q; // cycles in a row in which cores_q was above wanted_q

    wire        dec_valid = dec_valid_i && events_q != 17'd0;
    // Events below the limit want their number, shifted and rounded up; the comparison does not wait for that.
    wire [5:0]  most     = cfg_mode_i == `EVG_SCHED_MODE_DYNAMIC ? cfg_most_i : 6'd0;
    wire [5:0]  fewer    = most - 6'd1;
    wire [12:0] shifted  = events_q[12:0] >> shift_q;
    wire        unused_shifted = ^shifted[12:6]; // 0 where the result counts
    wire        rest     = (events_q[6:0] & rest_q) != 7'd0;
    wire        few      = most_q != 6'd0 && events_q <= {4'd0, limit_q};
    wire [5:0]  wanted   = few ? shifted[5:0] + {5'd0, rest} : most_q;
    // wanted_q == wanted, which does not wait for the sum
    wire [5:0]  one_less = wanted_q - 6'd1;
    wire        settled  = few ? shifted[5:0] == (rest ? one_less : wanted_q) : most_q == wanted_q;
    wire        above    = cores_q > wanted_q;
    wire        lower    = above && above_q >= patience_q;

    always @(posedge clk_i)
        if (rst_i)
            events_q <= 17'd0;
        else if (acc_valid_i && !dec_valid)
            events_q <= events_q + 17'd1;
        else if (dec_valid && !acc_valid_i)
            events_q <= events_q - 17'd1;

    always @(posedge clk_i)
        if (rst_i) begin
            most_q     <= 6'd0;
            shift_q    <= 3'd0;
            rest_q     <= 7'd0;
            limit_q    <= 13'd0;
            patience_q <= 16'd0;
        end else if (acc_valid_i) begin
            most_q     <= most;
            shift_q    <= cfg_shift_i;
            rest_q     <= ~(7'h7f << cfg_shift_i);
            limit_q    <= {7'd0, fewer} << cfg_shift_i;
            patience_q <= cfg_patience_i;
        end

    always @(posedge clk_i)
        if (rst_i) begin
            wanted_q <= 6'd0;
            cores_q  <= 6'd0;
            above_q  <= 16'd0;
        end else begin
            wanted_q <= wanted;
            if (cores_q < wanted_q)
                cores_q <= cores_q + 6'd1;
            else if (lower)
                cores_q <= cores_q - 6'd1;
            above_q <= above && !lower ? above_q + 16'd1 : 16'd0;
        end

    assign cores_o = cores_q;
    assign quiet_o = !acc_valid_i && !dec_valid_i && settled && cores_q == wanted_q &&
                     above_q == 16'd0;

`ifdef FORMAL
`include "properties/event_reserve.fv.vh"
`endif

endmodule

`default_nettype wire
