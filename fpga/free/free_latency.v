// SPDX-License-Identifier: Apache-2.0
// free_latency: how long each event took, in cycles of the clock, of a board that runs by itself.
//
// Two latencies are counted (free_histogram): from the doorbell, the cycle in which its write is taken, to
// the command that pushes the event; and, of an event that takes a running warp, from the cycle in
// which the warp is put on hold to that command. Classes: 0 a free context, 1 a victim and spare
// registers, 2 a victim whose registers are saved.
//
// Contract
// - acc_i: a doorbell has been accepted, two cycles after its write was taken. acc_at_i, push_at_i: row and
//   the low eight bits of the sequence number of its tag, unique in flight.
// - push_i: of each core, a push has been accepted, of the entry push_entry_i of its event unit's table. One
//   is counted per cycle, so an entry's pushes are at least 17 cycles apart (its event runs for 16, then
//   ends), or lost_o, a pulse, says that one was not counted.
// - Sums have a push seven cycles after it, or later when others wait; lost_o comes one cycle after it.
// - Sums are of all latencies of a class, in cycles; most_* the longest ones, of all classes.
// - Latencies of 65,536 cycles and more are not told from shorter ones.
`default_nettype none

module free_latency (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [15:0] now_i,
    input  wire        clear_i,
    input  wire [8:0]  clear_at_i,
    // Doorbells
    input  wire        acc_i,
    input  wire [9:0]  acc_at_i,
    // Cores
    input  wire [3:0]  hold_i,
    input  wire [3:0]  push_i,
    input  wire [7:0]  push_entry_i,
    input  wire [39:0] push_at_i,
    input  wire [3:0]  fresh_i,
    input  wire [3:0]  spare_i,
    // What was measured
    input  wire [8:0]  read_at_i,
    output wire [31:0] launch_bin_o,
    output wire [31:0] take_bin_o,
    output wire [143:0] launch_sum_o,
    output wire [95:0] take_sum_o,
    output wire [15:0] launch_most_o,
    output wire [15:0] take_most_o,
    output wire [15:0] launch_last_o,
    output wire        lost_o
);

    localparam Cores = 4;
    localparam Slots = 16; // an entry of a core's table each

    // Doorbells and pushes come from all over the board: a register before anything else
    reg        acc_q;
    reg [9:0]  acc_at_q;
    reg [3:0]  hold_q, push_q, fresh_q, spare_q;
    reg [7:0]  push_entry_q;
    reg [39:0] push_at_q;
    reg [15:0] now_q;

    always @(posedge clk_i) begin
        acc_q        <= acc_i && !rst_i;
        acc_at_q     <= acc_at_i;
        hold_q       <= hold_i;
        push_q       <= rst_i ? 4'd0 : push_i;
        push_entry_q <= push_entry_i;
        push_at_q    <= push_at_i;
        fresh_q      <= fresh_i;
        spare_q      <= spare_i;
        now_q        <= now_i;
    end

    reg [3:0]  held_q;
    reg [63:0] hold_at_q;
    integer    c;

    always @(posedge clk_i) begin
        held_q <= rst_i ? 4'd0 : hold_q;
        for (c = 0; c < Cores; c = c + 1)
            if (hold_q[c] && !held_q[c])
                hold_at_q[16 * c +: 16] <= now_q;
    end

    // The last push of each entry, until it is counted. The lowest is chosen in one cycle and read in the next.
    reg  [Slots-1:0]    pend_q;
    reg  [16*Slots-1:0] time_q, take_q, tag_q; // 10 bits of a tag in 16
    reg  [2*Slots-1:0]  class_q;
    wire [Slots-1:0]    pushed;
    wire [Slots-1:0]    chosen = pend_q & (~pend_q + 16'd1);
    reg  [3:0]          which_q;
    reg                 which_valid_q;

    always @(posedge clk_i) begin
        pend_q        <= rst_i ? {Slots{1'b0}} : (pend_q & ~chosen) | pushed;
        which_q       <= {|chosen[15:8], |(chosen & 16'hf0f0), |(chosen & 16'hcccc), |(chosen & 16'haaaa)};
        which_valid_q <= pend_q != {Slots{1'b0}} && !rst_i;
    end

    genvar g;
    generate
        for (g = 0; g < Slots; g = g + 1) begin : g_slot
            localparam Core  = g / 4;
            localparam Entry = g % 4;
            assign pushed[g] = push_q[Core] && push_entry_q[2 * Core +: 2] == Entry[1:0];
            always @(posedge clk_i)
                if (pushed[g]) begin
                    time_q[16 * g +: 16] <= now_q;
                    take_q[16 * g +: 16] <= now_q - hold_at_q[16 * Core +: 16];
                    tag_q[16 * g +: 16]  <= {6'd0, push_at_q[10 * Core +: 10]};
                    class_q[2 * g +: 2]  <= fresh_q[Core] ? 2'd0 : spare_q[Core] ? 2'd1 : 2'd2;
                end
        end
    endgenerate

    // One push per cycle: read, then the time of its doorbell looked up, then the difference
    reg [15:0] rung [0:1023];
    reg [15:0] read_time_q, read_take_q, read_tag_q, rung_q, push_time_q, push_take_q, launch_q, launch_take_q;
    reg [1:0]  read_class_q, push_class_q, launch_class_q;
    reg        read_q, push_valid_q, valid_q;

    always @(posedge clk_i) begin
        read_q         <= which_valid_q && !rst_i;
        read_time_q    <= time_q[{which_q, 4'd0} +: 16];
        read_take_q    <= take_q[{which_q, 4'd0} +: 16];
        read_tag_q     <= tag_q[{which_q, 4'd0} +: 16];
        read_class_q   <= class_q[{which_q, 1'b0} +: 2];

        push_valid_q   <= read_q && !rst_i;
        push_time_q    <= read_time_q;
        push_take_q    <= read_take_q;
        push_class_q   <= read_class_q;
        rung_q         <= rung[read_tag_q[9:0]];
        if (acc_q)
            rung[acc_at_q] <= now_q - 16'd2;

        valid_q        <= push_valid_q && !rst_i;
        launch_q       <= push_time_q - rung_q;
        launch_take_q  <= push_take_q;
        launch_class_q <= push_class_q;
    end

    wire takes = valid_q && launch_class_q != 2'd0;
    free_histogram u_launch (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear_i), .clear_at_i(clear_at_i), .add_i(valid_q),
        .class_i(launch_class_q), .value_i(launch_q), .read_at_i(read_at_i), .read_o(launch_bin_o)
    );
    free_histogram u_take (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear_i), .clear_at_i(clear_at_i), .add_i(takes),
        .class_i(launch_class_q), .value_i(launch_take_q), .read_at_i(read_at_i), .read_o(take_bin_o)
    );

    reg [15:0] launch_most_q, take_most_q, launch_last_q;
    generate
        for (g = 0; g < 3; g = g + 1) begin : g_sum
            reg [47:0] sum_q;
            always @(posedge clk_i)
                if (rst_i)
                    sum_q <= 48'd0;
                else if (valid_q && launch_class_q == g)
                    sum_q <= sum_q + {32'd0, launch_q};
            assign launch_sum_o[48 * g +: 48] = sum_q;
        end
        for (g = 0; g < 2; g = g + 1) begin : g_take_sum
            reg [47:0] sum_q;
            always @(posedge clk_i)
                if (rst_i)
                    sum_q <= 48'd0;
                else if (valid_q && launch_class_q == g + 1)
                    sum_q <= sum_q + {32'd0, launch_take_q};
            assign take_sum_o[48 * g +: 48] = sum_q;
        end
    endgenerate

    always @(posedge clk_i) begin
        if (valid_q) begin
            launch_last_q <= launch_q;
            if (launch_q > launch_most_q)
                launch_most_q <= launch_q;
        end
        if (takes && launch_take_q > take_most_q)
            take_most_q <= launch_take_q;
        if (rst_i) begin
            launch_most_q <= 16'd0;
            take_most_q   <= 16'd0;
            launch_last_q <= 16'd0;
        end
    end

    assign launch_most_o = launch_most_q;
    assign take_most_o   = take_most_q;
    assign launch_last_o = launch_last_q;
    // One that is chosen now is read after this edge, which a push of the same entry would overwrite.
    assign lost_o        = (pushed & pend_q) != {Slots{1'b0}};

    wire unused = &{1'b0, read_tag_q[15:10]};

endmodule
`default_nettype wire
