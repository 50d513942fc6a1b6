// SPDX-License-Identifier: Apache-2.0
// cm_controller: the central part of concurrency management (CM-BAL 4.1: the CM-CPU logic beside the
// block scheduler). Once per interval it adds up what the monitors of all memory partitions have
// counted, compares the two sums with the thresholds and tells every core to lower, keep or raise its
// warp limit.
//
// Contract
// - Interval: INTERVAL cycles (1024). Its end is at every INTERVAL-th edge, without a gap. With P =
//   PARTITIONS that answer at once:
//
//     edge after that
//     of the end         what happens
//     0                  TIME = 0
//     1                  the sums are 0; mon_read_o rises, with mon_index_o 0
//     2 .. P + 1         the counters of partition 0 .. P - 1 are taken
//     P + 2              the sums are compared
//     P + 3              cm_tick_o rises, for one edge, with cm_decision_o
//
// - Reading: mon_read_o is held with mon_index_o until an edge with mon_valid_i, which takes mon_mc_i and
//   mon_net_i. The partition clears its counters at that edge (mem_stall_monitor), so each partition is
//   measured over exactly INTERVAL cycles when it always answers after the same time. An interval that
//   ends during a reading (a partition does not answer) or at the comparison starts no other reading; the
//   next sums span more than one interval.
// - Decision, from the sums, which stop at 2**SumWidth - 1; the first that applies:
//
//     DOWN   one of them is T_HIGH or more
//     UP     both are below T_LOW
//     HOLD   else
//
//   Thresholds are stalls per interval: 1 and 0.25 per cycle are 1024 and 256. cm_decision_o stays.
// - Ticks are INTERVAL apart where every partition answers at once. After a late partition, or a write
//   of TIME, the next tick may come P + 3 edges after the last; a core ignores one that comes within nine
//   (cm_bal_core), which P from 7 on rules out.
// - Clocks: the controller has the cores' clock. Monitors of another clock are read through a
//   cm_monitor_link each.
// - A write of MODE ends a reading under way and clears TIME and both sums; cm_set_o is a pulse that puts
//   cm_mode_o into force: for OFF one edge after the write; for the others the partitions are read first,
//   their counts are discarded, and cm_set_o rises where the tick of an interval that ended with
//   the write would have risen. cm_tick_o and cm_set_o are never high together. OFF measures, reads and
//   decides nothing. FIXED measures and decides, though no core obeys.
// - Registers (enum cm_reg of evgpu.def), an access per edge, answered by reg_done_o after it, with the
//   content before the access. A write wins over the unit's own change at the same edge. An access that
//   is an error changes nothing.
//
//     register               after reset     a write is an error
//     MODE                   OFF             above 3
//     K, PATIENCE, PIVOT     CM_K, ..        above 2047, 7, 63; for the cores
//     T_HIGH, T_LOW          CM_T_HIGH, ..   above 2**SumWidth - 1
//     INTERVAL               CM_INTERVAL     outside of CM_INTERVAL_MIN..CM_INTERVAL
//     PARTITIONS             Partitions      outside of 1..Partitions
//     SUM_MC, SUM_NET        0               above 2**SumWidth - 1
//     TIME                   0               above CM_INTERVAL - 1; cycles since the last end
//     DECISION               HOLD            above 2
//     others                 -               always; so is a read, which reads 0
//
//   A change of INTERVAL does not scale the thresholds; an interval already longer than it ends at the
//   next edge. A partition that a write of PARTITIONS adds brings its counts since its last reading;
//   a write of MODE afterwards discards them.
// - Quiescence: idle_o rises one edge after the last activity of mode OFF, which a register's answer
//   is too. While it is high, and reg_valid_i is 0, an edge changes no register.
// - Illegal: mon_valid_i without mon_read_o (ignored).
`default_nettype none
`include "evgpu_defs.vh"

module cm_controller #(
    parameter Partitions = `EVG_CM_PARTITIONS, // most that can be read, 1..16
    parameter StallWidth = 10,                 // of a monitor's counter, 1 or more
    parameter SumWidth   = 14                  // holds Partitions * (2**StallWidth - 1) and the
                                               // thresholds after reset, up to 16
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    // Software
    input  wire                  reg_valid_i,
    input  wire                  reg_write_i,
    input  wire [3:0]            reg_addr_i,
    input  wire [15:0]           reg_data_i,
    output wire                  reg_done_o,
    output wire                  reg_error_o,
    output wire [15:0]           reg_rdata_o,
    // Monitors of the memory partitions
    output wire                  mon_read_o,
    output wire [3:0]            mon_index_o,
    input  wire                  mon_valid_i,
    input  wire [StallWidth-1:0] mon_mc_i,
    input  wire [StallWidth-1:0] mon_net_i,
    // All cores
    output wire                  cm_tick_o,
    output wire [1:0]            cm_decision_o,
    output wire                  cm_set_o,
    output wire [1:0]            cm_mode_o,
    output wire [10:0]           cm_k_o,
    output wire [2:0]            cm_patience_o,
    output wire [5:0]            cm_pivot_o,
    // Observation
    output wire [1:0]            state_o,
    output wire                  idle_o
);

    generate
        if (Partitions < 1 || Partitions > 16) begin : g_check_partitions
            cm_controller_needs_1_to_16_partitions check_parameters ();
        end
        if (StallWidth < 1 || SumWidth > 16 || SumWidth < StallWidth ||
            (1 << SumWidth) <= Partitions * ((1 << StallWidth) - 1) ||
            (1 << SumWidth) <= `EVG_CM_T_HIGH || (1 << SumWidth) <= `EVG_CM_T_LOW)
        begin : g_check_sum
            cm_controller_sum_does_not_hold_all_partitions_and_thresholds check_parameters ();
        end
        if (`EVG_CM_INTERVAL > 1024 || `EVG_CM_INTERVAL_MIN > `EVG_CM_INTERVAL ||
            `EVG_CM_INTERVAL_MIN < Partitions + 13) begin : g_check_interval
            cm_controller_interval_has_10_bits_and_holds_a_decision check_parameters ();
        end
    endgenerate

    localparam [1:0] Off = `EVG_CM_MODE_OFF;

    localparam [1:0] Hold = `EVG_CM_DECISION_HOLD;
    localparam [1:0] Down = `EVG_CM_DECISION_DOWN;
    localparam [1:0] Up   = `EVG_CM_DECISION_UP;

    localparam [1:0] Measure = `EVG_CM_STATE_MEASURE;
    localparam [1:0] Read    = `EVG_CM_STATE_READ;
    localparam [1:0] Compare = `EVG_CM_STATE_COMPARE;
    localparam [1:0] Decide  = `EVG_CM_STATE_DECIDE;

    localparam integer TimeWidth = 10; // 0..CM_INTERVAL - 1

    // Registers
    reg [1:0]           mode_q;
    reg [10:0]          k_q;
    reg [SumWidth-1:0]  high_q, low_q;
    reg [10:0]          interval_q;
    reg [4:0]           partitions_q;
    reg [2:0]           patience_q;
    reg [5:0]           pivot_q;
    reg [SumWidth-1:0]  sum_mc_q, sum_net_q;
    reg [TimeWidth-1:0] time_q;
    reg [1:0]           decision_q;

    // --- Software ---------------------------------------------------------------------------------
    // Each register's own condition for a write, so that the way to the registers is short.
    reg [15:0] content;
    reg        exists, fits;

    wire fits_2_bits     = reg_data_i[`EVG_CM_CHOICE_UNUSED] == 14'd0;
    wire fits_decision   = fits_2_bits && reg_data_i[`EVG_CM_CHOICE_VALUE] != 2'd3;
    wire fits_k          = reg_data_i[`EVG_CM_COUNT_UNUSED] == 5'd0;
    wire fits_sum        = (reg_data_i >> SumWidth) == 16'd0;
    wire fits_interval   = reg_data_i >= `EVG_CM_INTERVAL_MIN && reg_data_i <= `EVG_CM_INTERVAL;
    wire fits_partitions = reg_data_i >= 16'd1 && reg_data_i <= Partitions[15:0];
    wire fits_patience   = reg_data_i[`EVG_CM_SMALL_UNUSED] == 13'd0;
    wire fits_pivot      = reg_data_i[`EVG_CM_WARPS_UNUSED] == 10'd0;
    wire fits_time       = reg_data_i < `EVG_CM_INTERVAL;

    always @* begin
        exists  = 1'b1;
        content = 16'd0;
        case (reg_addr_i)
            `EVG_CM_REG_MODE: begin
                content[`EVG_CM_CHOICE_VALUE] = mode_q;
                fits         = fits_2_bits;
            end
            `EVG_CM_REG_K: begin
                content[`EVG_CM_COUNT_VALUE] = k_q;
                fits          = fits_k;
            end
            `EVG_CM_REG_T_HIGH: begin
                content[SumWidth-1:0] = high_q;
                fits                  = fits_sum;
            end
            `EVG_CM_REG_T_LOW: begin
                content[SumWidth-1:0] = low_q;
                fits                  = fits_sum;
            end
            `EVG_CM_REG_INTERVAL: begin
                content[`EVG_CM_COUNT_VALUE] = interval_q;
                fits          = fits_interval;
            end
            `EVG_CM_REG_PARTITIONS: begin
                content[`EVG_CM_PART_COUNT_VALUE] = partitions_q;
                fits         = fits_partitions;
            end
            `EVG_CM_REG_PATIENCE: begin
                content[`EVG_CM_SMALL_VALUE] = patience_q;
                fits         = fits_patience;
            end
            `EVG_CM_REG_PIVOT: begin
                content[`EVG_CM_WARPS_VALUE] = pivot_q;
                fits         = fits_pivot;
            end
            `EVG_CM_REG_SUM_MC: begin
                content[SumWidth-1:0] = sum_mc_q;
                fits                  = fits_sum;
            end
            `EVG_CM_REG_SUM_NET: begin
                content[SumWidth-1:0] = sum_net_q;
                fits                  = fits_sum;
            end
            `EVG_CM_REG_TIME: begin
                content[TimeWidth-1:0] = time_q;
                fits                   = fits_time;
            end
            `EVG_CM_REG_DECISION: begin
                content[`EVG_CM_CHOICE_VALUE] = decision_q;
                fits         = fits_decision;
            end
            default: begin
                exists = 1'b0;
                fits   = 1'b0;
            end
        endcase
    end

    wire write            = reg_valid_i && reg_write_i;
    wire write_mode       = write && reg_addr_i == `EVG_CM_REG_MODE && fits_2_bits;
    wire write_k          = write && reg_addr_i == `EVG_CM_REG_K && fits_k;
    wire write_high       = write && reg_addr_i == `EVG_CM_REG_T_HIGH && fits_sum;
    wire write_low        = write && reg_addr_i == `EVG_CM_REG_T_LOW && fits_sum;
    wire write_interval   = write && reg_addr_i == `EVG_CM_REG_INTERVAL && fits_interval;
    wire write_partitions = write && reg_addr_i == `EVG_CM_REG_PARTITIONS && fits_partitions;
    wire write_patience   = write && reg_addr_i == `EVG_CM_REG_PATIENCE && fits_patience;
    wire write_pivot      = write && reg_addr_i == `EVG_CM_REG_PIVOT && fits_pivot;
    wire write_mc         = write && reg_addr_i == `EVG_CM_REG_SUM_MC && fits_sum;
    wire write_net        = write && reg_addr_i == `EVG_CM_REG_SUM_NET && fits_sum;
    wire write_time       = write && reg_addr_i == `EVG_CM_REG_TIME && fits_time;
    wire write_decision   = write && reg_addr_i == `EVG_CM_REG_DECISION && fits_decision;

    cm_answer u_answer (
        .clk_i(clk_i), .rst_i(rst_i), .access_i(reg_valid_i),
        .error_i(!exists || (reg_write_i && !fits)), .content_i(content), .done_o(reg_done_o),
        .error_o(reg_error_o), .rdata_o(reg_rdata_o)
    );

    // --- Intervals and reading --------------------------------------------------------------------
    reg [1:0] state_q, state_d;
    reg       forget_q; // this reading begins a mode; its sums decide nothing
    reg       end_q;    // an interval has ended at the last edge, or a mode has been written
    reg       read_q, tick_q, set_q;
    reg [3:0] index_q;

    wire at_end = {1'b0, time_q} + 11'd1 >= interval_q;
    wire start  = end_q && state_q == Measure;
    wire taken  = read_q && mon_valid_i;
    wire last   = {1'b0, index_q} + 5'd1 >= partitions_q;

    always @* begin
        state_d = state_q;
        case (state_q)
            Read:    if (taken && last) state_d = Compare;
            Compare: state_d = Decide;
            Decide:  state_d = Measure;
            default: if (start) state_d = Read;
        endcase
        if (write_mode)
            state_d = (reg_data_i[`EVG_CM_CHOICE_VALUE] == Off) ? Decide : Measure;
    end

    always @(posedge clk_i)
        if (rst_i) begin
            state_q  <= Measure;
            end_q    <= 1'b0;
            forget_q <= 1'b0;
            read_q   <= 1'b0;
            tick_q   <= 1'b0;
            set_q    <= 1'b0;
            index_q  <= 4'd0;
        end else begin
            state_q <= state_d;
            end_q   <= write_mode ? reg_data_i[`EVG_CM_CHOICE_VALUE] != Off : mode_q != Off && at_end;
            read_q  <= state_d == Read;
            tick_q  <= state_q == Decide && !forget_q && !write_mode;
            set_q   <= state_q == Decide && forget_q && !write_mode;
            if (write_mode)
                forget_q <= 1'b1;
            else if (state_q == Decide)
                forget_q <= 1'b0;
            if (write_mode || state_q == Decide)
                index_q <= 4'd0;
            else if (taken && !last)
                index_q <= index_q + 4'd1;
        end

    // --- Sums and decision ------------------------------------------------------------------------
    wire [SumWidth:0] more_mc  = {1'b0, sum_mc_q} + {{SumWidth + 1 - StallWidth{1'b0}}, mon_mc_i};
    wire [SumWidth:0] more_net = {1'b0, sum_net_q} +
                                 {{SumWidth + 1 - StallWidth{1'b0}}, mon_net_i};
    reg               is_high_q, is_low_q; // the sums at the comparison

    always @(posedge clk_i)
        if (state_q == Compare) begin
            is_high_q <= sum_mc_q >= high_q || sum_net_q >= high_q;
            is_low_q  <= sum_mc_q < low_q && sum_net_q < low_q;
        end

    always @(posedge clk_i)
        if (rst_i) begin
            sum_mc_q   <= {SumWidth{1'b0}};
            sum_net_q  <= {SumWidth{1'b0}};
            time_q     <= {TimeWidth{1'b0}};
            decision_q <= Hold;
        end else begin
            if (write_mode || start) begin
                sum_mc_q  <= {SumWidth{1'b0}};
                sum_net_q <= {SumWidth{1'b0}};
            end else if (taken) begin
                sum_mc_q  <= more_mc[SumWidth] ? {SumWidth{1'b1}} : more_mc[SumWidth-1:0];
                sum_net_q <= more_net[SumWidth] ? {SumWidth{1'b1}} : more_net[SumWidth-1:0];
            end
            if (mode_q != Off)
                time_q <= at_end ? {TimeWidth{1'b0}} : time_q + 1'b1;
            if (write_mode)
                time_q <= {TimeWidth{1'b0}};
            if (state_q == Decide && !forget_q && !write_mode)
                decision_q <= is_high_q ? Down : is_low_q ? Up : Hold;
            if (write_mc)
                sum_mc_q <= reg_data_i[SumWidth-1:0];
            if (write_net)
                sum_net_q <= reg_data_i[SumWidth-1:0];
            if (write_time)
                time_q <= reg_data_i[TimeWidth-1:0];
            if (write_decision)
                decision_q <= reg_data_i[`EVG_CM_CHOICE_VALUE];
        end

    // --- Configuration ----------------------------------------------------------------------------
    always @(posedge clk_i)
        if (rst_i) begin
            mode_q       <= Off;
            k_q          <= `EVG_CM_K;
            high_q       <= `EVG_CM_T_HIGH;
            low_q        <= `EVG_CM_T_LOW;
            interval_q   <= `EVG_CM_INTERVAL;
            partitions_q <= Partitions[4:0];
            patience_q   <= `EVG_CM_PATIENCE;
            pivot_q      <= `EVG_CM_PIVOT;
        end else begin
            if (write_mode)
                mode_q <= reg_data_i[`EVG_CM_CHOICE_VALUE];
            if (write_k)
                k_q <= reg_data_i[`EVG_CM_COUNT_VALUE];
            if (write_high)
                high_q <= reg_data_i[SumWidth-1:0];
            if (write_low)
                low_q <= reg_data_i[SumWidth-1:0];
            if (write_interval)
                interval_q <= reg_data_i[`EVG_CM_COUNT_VALUE];
            if (write_partitions)
                partitions_q <= reg_data_i[`EVG_CM_PART_COUNT_VALUE];
            if (write_patience)
                patience_q <= reg_data_i[`EVG_CM_SMALL_VALUE];
            if (write_pivot)
                pivot_q <= reg_data_i[`EVG_CM_WARPS_VALUE];
        end

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= rst_i ||
                  (mode_q == Off && state_q == Measure && !tick_q && !set_q && !reg_done_o &&
                   !reg_valid_i);

    assign mon_read_o    = read_q;
    assign mon_index_o   = index_q;
    assign cm_tick_o     = tick_q;
    assign cm_decision_o = decision_q;
    assign cm_set_o      = set_q;
    assign cm_mode_o     = mode_q;
    assign cm_k_o        = k_q;
    assign cm_patience_o = patience_q;
    assign cm_pivot_o    = pivot_q;
    assign state_o       = state_q;
    assign idle_o        = idle_q;

`ifdef FORMAL
`include "properties/cm_controller.fv.vh"
`endif

endmodule

`default_nettype wire
