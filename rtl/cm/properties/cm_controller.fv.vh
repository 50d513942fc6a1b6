// SPDX-License-Identifier: Apache-2.0
// Properties of cm_controller, included at its end under FORMAL (docs/design/proofs.md).

    reg seen_reset_q = 1'b0; // everything below is about what follows a reset
    always @(posedge clk_i)
        seen_reset_q <= seen_reset_q || rst_i;

    // Registers keep to their ranges, the machine to its states.
    always @*
        if (seen_reset_q) begin
            assert (interval_q >= `EVG_CM_INTERVAL_MIN && interval_q <= `EVG_CM_INTERVAL);
            assert (partitions_q >= 5'd1 && partitions_q <= Partitions[4:0]);
            assert (decision_q != 2'd3);
            assert (read_q == (state_q == Read));
            assert (state_q != Measure || (index_q == 4'd0 && (!forget_q || end_q)));
            assert (mode_q != Off ||
                    (!end_q && (state_q == Measure || (state_q == Decide && forget_q))));
            assert (!(tick_q && set_q));
        end

    // The inputs and the state of the last edge.
    reg                last_ok_q = 1'b0;
    reg                due_q     = 1'b0; // an interval has ended and its tick has not come
    reg                last_end_q, last_start_q, last_taken_q, last_last_q, last_forget_q, last_rest_q;
    reg                last_mode_q, last_decides_q, mc_written_q, net_written_q, written_q;
    reg [3:0]          last_index_q;
    reg [1:0]          last_state_q, last_decision_q, last_golden_q;
    reg [SumWidth-1:0] last_high_q, last_low_q, last_mc_q, last_net_q;

    // The decision function: the larger sum decides.
    wire [SumWidth-1:0] larger = (last_mc_q > last_net_q) ? last_mc_q : last_net_q;
    wire [1:0]          golden = (last_high_q <= larger) ? Down : (larger < last_low_q) ? Up : Hold;

    // Every register (tests/e2e/rtl/cm_proof.sh counts them).
    localparam StateBits = 3 + 2 + 11 + 4 * SumWidth + 11 + 5 + 3 + 6 + TimeWidth + 2 + 2 + 1 + 3 + 4 + 3 +
                      16;
    wire [StateBits-1:0] all_state = {end_q, is_high_q, is_low_q, mode_q, k_q, high_q, low_q, sum_mc_q, sum_net_q, interval_q,
                                 partitions_q, patience_q, pivot_q, time_q, decision_q, state_q,
                                 forget_q, read_q, tick_q, set_q, index_q, reg_done_o, reg_error_o, idle_q,
                                 reg_rdata_o};
    reg  [StateBits-1:0] last_all_q;

    always @(posedge clk_i) begin
        last_ok_q       <= seen_reset_q && !rst_i;
        due_q           <= !rst_i && !write_mode &&
                           ((start && !forget_q) || (due_q && state_q != Decide));
        last_end_q      <= mode_q != Off && at_end;
        last_start_q    <= start;
        last_taken_q    <= taken;
        last_last_q     <= last;
        last_forget_q   <= forget_q;
        last_rest_q     <= idle_q && !reg_valid_i;
        last_mode_q     <= write_mode;
        last_decides_q  <= state_q == Decide && !forget_q && due_q;
        mc_written_q    <= write_mc || write_mode;
        net_written_q   <= write_net || write_mode;
        written_q       <= write_decision;
        last_index_q    <= index_q;
        last_state_q    <= state_q;
        last_decision_q <= decision_q;
        last_golden_q   <= golden;
        last_high_q     <= high_q;
        last_low_q      <= low_q;
        last_mc_q       <= sum_mc_q;
        last_net_q      <= sum_net_q;
        last_all_q      <= all_state;
    end

    reg [StallWidth-1:0] last_mon_mc_q, last_mon_net_q;
    reg [TimeWidth-1:0]  last_time_q;
    reg                  last_off_q, time_written_q;
    reg [10:0]           last_interval_q;
    reg [4:0]            last_partitions_q;
    always @(posedge clk_i) begin
        last_mon_mc_q   <= mon_mc_i;
        last_mon_net_q  <= mon_net_i;
        last_time_q     <= time_q;
        last_off_q      <= mode_q == Off;
        time_written_q  <= write_time || write_mode;
        last_interval_q <= interval_q;
        last_partitions_q <= partitions_q;
    end
    wire [SumWidth:0] exact_mc  = {1'b0, last_mc_q} + {{SumWidth + 1 - StallWidth{1'b0}}, last_mon_mc_q};
    wire [SumWidth:0] exact_net = {1'b0, last_net_q} + {{SumWidth + 1 - StallWidth{1'b0}}, last_mon_net_q};
    always @*
        if (last_ok_q) begin
            // Each sum is that of its own counters.
            if (!last_start_q && !mc_written_q)
                assert (sum_mc_q == (!last_taken_q ? last_mc_q
                                     : exact_mc[SumWidth] ? {SumWidth{1'b1}} : exact_mc[SumWidth-1:0]));
            if (!last_start_q && !net_written_q)
                assert (sum_net_q == (!last_taken_q ? last_net_q
                                      : exact_net[SumWidth] ? {SumWidth{1'b1}} : exact_net[SumWidth-1:0]));
            // An interval has interval_q edges.
            if (!time_written_q)
                assert (time_q == (last_off_q ? last_time_q
                                   : last_time_q + 11'd1 >= last_interval_q ? {TimeWidth{1'b0}} : last_time_q + 1'b1));
            assert (!end_q || last_mode_q || last_time_q + 11'd1 >= last_interval_q);
            // A reading ends at the last partition.
            if (state_q == Compare)
                assert ({1'b0, last_index_q} + 5'd1 >= last_partitions_q);
        end

    always @*
        if (seen_reset_q) begin
            assert (due_q == (state_q != Measure && !forget_q));
        end

    always @*
        if (last_ok_q) begin
            // Decisions only at the ends of intervals, one for each, and as the function says.
            assert (end_q == (last_mode_q ? mode_q != Off : last_end_q));
            assert (tick_q == (last_decides_q && !last_mode_q));
            assert (tick_q || written_q || decision_q == last_decision_q);
            if (state_q == Decide && !forget_q) begin
                assert ((is_high_q ? Down : is_low_q ? Up : Hold) == golden);
            end
            if (tick_q && !written_q) begin
                assert (decision_q == last_golden_q);
            end
            // Partitions in their order, none left out, the sums complete at the comparison.
            if (state_q == Read && last_state_q == Read) begin
                assert (index_q == last_index_q + {3'd0, last_taken_q});
            end
            if (state_q == Compare) begin
                assert (last_state_q == Read && last_taken_q && last_last_q);
            end
            if (state_q == Decide && !last_mode_q) begin
                assert (last_state_q == Compare);
            end
            if (last_start_q && !last_mode_q) begin
                assert (state_q == Read && index_q == 4'd0);
                assert (mc_written_q || sum_mc_q == {SumWidth{1'b0}});
                assert (net_written_q || sum_net_q == {SumWidth{1'b0}});
            end
            // Sums saturate: never down but for a new reading or by software.
            if (!last_start_q) begin
                assert (mc_written_q || sum_mc_q >= last_mc_q);
                assert (net_written_q || sum_net_q >= last_net_q);
            end
            if (set_q) begin
                assert (last_forget_q && last_state_q == Decide);
            end
            // An idle unit stands still.
            assert (!idle_q || (mode_q == Off && state_q == Measure) || last_mode_q);
            if (last_rest_q) begin
                assert (all_state == last_all_q);
            end
        end

    always @(posedge clk_i)
        if (last_ok_q) begin
            cover (tick_q && decision_q == Down && last_mc_q == {SumWidth{1'b1}});
            cover (tick_q && decision_q == Up);
            cover (tick_q && decision_q == Hold);
            cover (set_q && mode_q != Off);
            cover (set_q && mode_q == Off);
            cover (idle_q && last_rest_q);
        end
