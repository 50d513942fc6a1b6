// victim_select: chooses the warp that an event borrows (EDGE IV-D, Figure 10).
//
// Asks the core for the state of its warps, one group of eight per cycle, and keeps the best of
// those that may be borrowed: valid, not an event, not borrowed already (cand_ok_i, and no entry of
// the table holds it), not out (tried_i), and with at least the event's registers, so that a victim's
// resource requirements never change. Best is the smallest key:
//   OLDEST    launched longest ago: the largest core_now_i - stamp, modulo 2^16
//   NEWEST    launched last: the smallest
//   CHEAPEST  fewest cycles to flush: pipelines, i-buffer unless it is flushed, loads (COST_DROP if
//             they can be dropped), a barrier unless it is skipped, atomics and fences (COST_... in
//             evgpu.def)
// The lowest warp number wins a tie.
//
// Contract
// - start_i begins a scan of cfg_warp_groups_i groups (1..8; 0 acts as 1, above 8 as 8). The answer
//   to cand_req_o is taken at the next edge; a missing answer, or one for another group, counts as
//   a group without an eligible warp, and an answer at any other edge is ignored: a scan always
//   ends. found_o and warp_o are valid from done_o until the next start_i.
//
//     edges after    0          1 .. groups      groups + 4
//     start_i        start_i    cand_req_o       done_o
//     edges after    0          1                2
//     confirm_i      confirm_i  cand_req_o       confirmed_o, confirm_ok_o
//
// - confirm_i asks once more about warp_i alone: between its scan and its hold a warp may have
//   exited and its context may run another kernel.
// - regs_i and tried_i are stable from start_i to the end of the confirmation, warp_i from confirm_i on.
// - start_i and stop_i abandon a scan or confirmation that runs; start_i wins over stop_i, both over
//   confirm_i. confirm_i abandons a confirmation; while a scan runs, before its done_o, it is illegal.
// - Registers of the scan move only with a request: an idle selector costs nothing.
// - A policy that evgpu.def does not name acts as OLDEST.
`default_nettype none
`include "evgpu_defs.vh"

module victim_select #(
    parameter Entries = `EVG_PEWT_ENTRIES
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // Configuration
    input  wire [1:0]           cfg_policy_i,
    input  wire [3:0]           cfg_opts_i,
    input  wire [3:0]           cfg_warp_groups_i,
    // Taking a warp
    input  wire                 start_i,
    input  wire                 confirm_i,
    input  wire                 stop_i,
    input  wire [5:0]           warp_i,
    input  wire [6:0]           regs_i,       // of the event
    input  wire [63:0]          tried_i,      // warps that could not be flushed in time
    output wire                 done_o,
    output wire                 found_o,
    output wire [5:0]           warp_o,
    output wire                 confirmed_o,
    output wire                 confirm_ok_o,
    // Pending event warp table
    input  wire [Entries-1:0]   held_i,
    input  wire [6*Entries-1:0] held_warp_i,
    // SIMT core
    input  wire [15:0]          core_now_i,
    input  wire                 cand_valid_i,
    input  wire [2:0]           cand_group_i,
    input  wire [7:0]           cand_ok_i,
    input  wire [55:0]          cand_regs_i,
    input  wire [127:0]         cand_stamp_i,
    input  wire [71:0]          cand_pipe_i,
    input  wire [15:0]          cand_ibuf_i,
    input  wire [7:0]           cand_loads_i,
    input  wire [7:0]           cand_younger_i,
    input  wire [7:0]           cand_barrier_i,
    input  wire [7:0]           cand_atomic_i,
    output wire                 cand_req_o,
    output wire [2:0]           cand_req_group_o,
    output wire                 quiet_o       // nothing moves without start_i or confirm_i
);

    localparam Lanes    = `EVG_SCAN_LANES;
    localparam KeyWidth = 16;

    generate
        if (Lanes != 8 || `EVG_MAX_WARPS != 64) begin : g_check
            victim_select_is_wired_for_8_lanes_and_64_warps check_parameters ();
        end
    endgenerate

    localparam [1:0] Newest   = `EVG_VICTIM_POLICY_NEWEST;
    localparam [1:0] Cheapest = `EVG_VICTIM_POLICY_CHEAPEST;

    localparam [3:0] OptFlushIbuf   = `EVG_OPT_FLUSH_IBUF;
    localparam [3:0] OptSkipBarrier = `EVG_OPT_SKIP_BARRIER;
    localparam [3:0] OptDropLoads   = `EVG_OPT_DROP_LOADS;

    localparam [KeyWidth-1:0] CostIbuf    = `EVG_COST_IBUF;
    localparam [KeyWidth-1:0] CostDrop    = `EVG_COST_DROP;
    localparam [KeyWidth-1:0] CostLoad    = `EVG_COST_LOAD;
    localparam [KeyWidth-1:0] CostBarrier = `EVG_COST_BARRIER;
    localparam [KeyWidth-1:0] CostAtomic  = `EVG_COST_ATOMIC;

    wire opt_flush = |(cfg_opts_i & OptFlushIbuf);
    wire opt_skip  = |(cfg_opts_i & OptSkipBarrier);
    wire opt_drop  = |(cfg_opts_i & OptDropLoads);

    // --- Requests -------------------------------------------------------------------------------
    localparam [`EVG_SELECT_STATE_WIDTH-1:0] Idle    = `EVG_SELECT_STATE_IDLE;
    localparam [`EVG_SELECT_STATE_WIDTH-1:0] Request = `EVG_SELECT_STATE_REQUEST;
    localparam [`EVG_SELECT_STATE_WIDTH-1:0] Drain   = `EVG_SELECT_STATE_DRAIN;
    localparam [`EVG_SELECT_STATE_WIDTH-1:0] Confirm = `EVG_SELECT_STATE_CONFIRM;

    reg  [`EVG_SELECT_STATE_WIDTH-1:0] state_q;
    reg                                req_q;
    reg  [2:0]                         group_q;
    wire last_group = {1'b0, group_q} + 4'd1 >= cfg_warp_groups_i || (&group_q);

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q <= Idle;
            req_q   <= 1'b0;
            group_q <= 3'd0;
        end else if (start_i) begin
            state_q <= Request;
            req_q   <= 1'b1;
            group_q <= 3'd0;
        end else if (stop_i) begin
            state_q <= Idle;
            req_q   <= 1'b0;
        end else if (confirm_i) begin
            state_q <= Confirm;
            req_q   <= 1'b1;
            group_q <= warp_i[5:3];
        end else begin
            case (state_q)
                Request:
                    if (last_group) begin
                        state_q <= Drain;
                        req_q   <= 1'b0;
                    end else
                        group_q <= group_q + 3'd1;
                Drain:
                    if (done_o)
                        state_q <= Idle;
                Confirm: begin
                    req_q <= 1'b0;
                    if (confirmed_o)
                        state_q <= Idle;
                end
                default:
                    req_q <= 1'b0;
            endcase
        end
    end

    assign cand_req_o       = req_q;
    assign cand_req_group_o = group_q;

    // --- Stage 0: eligibility and key of each lane -----------------------------------------------
    wire answered = req_q && cand_valid_i && cand_group_i == group_q;

    reg [Lanes-1:0]          eligible;
    reg [Lanes*KeyWidth-1:0] keys;
    reg [KeyWidth-1:0]       age, cost;
    integer                  lane, entry;

    always @* begin
        eligible = {Lanes{1'b0}};
        keys     = {Lanes * KeyWidth{1'b0}};
        age      = {KeyWidth{1'b0}};
        cost     = {KeyWidth{1'b0}};
        if (answered) begin
            eligible = cand_ok_i;
            for (lane = 0; lane < Lanes; lane = lane + 1) begin
                for (entry = 0; entry < Entries; entry = entry + 1)
                    if (held_i[entry] && held_warp_i[6*entry+:6] == {group_q, lane[2:0]})
                        eligible[lane] = 1'b0;
                if (cand_regs_i[7*lane+:7] < regs_i || tried_i[{group_q, lane[2:0]}])
                    eligible[lane] = 1'b0;
                age  = core_now_i - cand_stamp_i[16*lane+:16];
                cost = {7'd0, cand_pipe_i[9*lane+:9]};
                if (!opt_flush)
                    cost = cost + CostIbuf * {14'd0, cand_ibuf_i[2*lane+:2]};
                if (cand_loads_i[lane])
                    cost = cost + (opt_drop && !cand_younger_i[lane] && !cand_barrier_i[lane] &&
                                   !cand_atomic_i[lane] ? CostDrop : CostLoad);
                if (cand_barrier_i[lane] && !opt_skip)
                    cost = cost + CostBarrier;
                if (cand_atomic_i[lane])
                    cost = cost + CostAtomic;
                case (cfg_policy_i)
                    Newest:   keys[KeyWidth*lane+:KeyWidth] = age;
                    Cheapest: keys[KeyWidth*lane+:KeyWidth] = cost;
                    default:  keys[KeyWidth*lane+:KeyWidth] = ~age;
                endcase
            end
        end
    end

    reg                      s0_valid_q, s0_scan_q, s0_last_q;
    reg [Lanes-1:0]          s0_eligible_q;
    reg [Lanes*KeyWidth-1:0] s0_keys_q;
    reg [2:0]                s0_group_q;

    always @(posedge clk_i) begin
        s0_valid_q <= !rst_i && req_q && !start_i && !stop_i && !confirm_i;
        if (req_q) begin
            s0_scan_q     <= state_q == Request;
            s0_last_q     <= last_group;
            s0_eligible_q <= eligible;
            s0_keys_q     <= keys;
            s0_group_q    <= group_q;
        end
    end

    assign confirmed_o  = s0_valid_q && !s0_scan_q;
    assign confirm_ok_o = s0_eligible_q[warp_i[2:0]];

    // --- Stage 1: the better of lanes 0 and 1, 2 and 3, 4 and 5, 6 and 7 -------------------------
    wire                  s0_step = s0_valid_q && s0_scan_q;
    wire [3:0]            pair_any, pair_index;
    wire [4*KeyWidth-1:0] pair_key;

    genvar p;
    generate
        for (p = 0; p < 4; p = p + 1) begin : g_pair
            min_select #(.Lanes(2), .KeyWidth(KeyWidth), .IndexWidth(1)) u_min (
                .enable_i(s0_step),
                .valid_i(s0_eligible_q[2*p+:2]),
                .keys_i(s0_keys_q[2*p*KeyWidth+:2*KeyWidth]),
                .any_o(pair_any[p]),
                .index_o(pair_index[p]),
                .key_o(pair_key[p*KeyWidth+:KeyWidth])
            );
        end
    endgenerate

    reg                  s1_valid_q, s1_last_q;
    reg [3:0]            s1_any_q, s1_index_q;
    reg [4*KeyWidth-1:0] s1_key_q;
    reg [2:0]            s1_group_q;

    always @(posedge clk_i) begin
        s1_valid_q <= !rst_i && s0_step && !start_i && !stop_i;
        if (s0_step) begin
            s1_last_q  <= s0_last_q;
            s1_any_q   <= pair_any;
            s1_index_q <= pair_index;
            s1_key_q   <= pair_key;
            s1_group_q <= s0_group_q;
        end
    end

    // --- Stage 2: the best of lanes 0..3 and of lanes 4..7 ---------------------------------------
    wire [1:0]            half_any, half_pair;
    wire [2*KeyWidth-1:0] half_key;

    genvar h;
    generate
        for (h = 0; h < 2; h = h + 1) begin : g_half
            min_select #(.Lanes(2), .KeyWidth(KeyWidth), .IndexWidth(1)) u_min (
                .enable_i(s1_valid_q),
                .valid_i(s1_any_q[2*h+:2]),
                .keys_i(s1_key_q[2*h*KeyWidth+:2*KeyWidth]),
                .any_o(half_any[h]),
                .index_o(half_pair[h]),
                .key_o(half_key[h*KeyWidth+:KeyWidth])
            );
        end
    endgenerate

    reg                  s2_valid_q, s2_last_q;
    reg [1:0]            s2_any_q;
    reg [3:0]            s2_index_q;
    reg [2*KeyWidth-1:0] s2_key_q;
    reg [2:0]            s2_group_q;

    always @(posedge clk_i) begin
        s2_valid_q <= !rst_i && s1_valid_q && !start_i && !stop_i;
        if (s1_valid_q) begin
            s2_last_q  <= s1_last_q;
            s2_any_q   <= half_any;
            s2_index_q <= {half_pair[1], half_pair[1] ? s1_index_q[3] : s1_index_q[2],
                           half_pair[0], half_pair[0] ? s1_index_q[1] : s1_index_q[0]};
            s2_key_q   <= half_key;
            s2_group_q <= s1_group_q;
        end
    end

    // --- Stage 3: the best so far, the lower half, the upper half --------------------------------
    reg                found_q, done_q;
    reg [KeyWidth-1:0] best_key_q;
    reg [5:0]          best_warp_q;
    wire                any;
    wire [1:0]          winner;
    wire [KeyWidth-1:0] winner_key;
    wire                better = any && winner != 2'd0;

    min_select #(.Lanes(3), .KeyWidth(KeyWidth), .IndexWidth(2)) u_best (
        .enable_i(s2_valid_q),
        .valid_i({s2_any_q, found_q}),
        .keys_i({s2_key_q, best_key_q}),
        .any_o(any),
        .index_o(winner),
        .key_o(winner_key)
    );

    always @(posedge clk_i) begin
        done_q <= !rst_i && s2_valid_q && s2_last_q && !start_i && !stop_i;
        if (rst_i || start_i || stop_i)
            found_q <= 1'b0;
        else if (better)
            found_q <= 1'b1;
        if (better) begin
            best_key_q  <= winner_key;
            best_warp_q <= {s2_group_q, winner[1], winner[1] ? s2_index_q[3:2] : s2_index_q[1:0]};
        end
    end

    assign done_o  = done_q;
    assign found_o = found_q;
    assign warp_o  = best_warp_q;
    assign quiet_o = state_q == Idle && !req_q && !s0_valid_q && !s1_valid_q && !s2_valid_q && !done_q;

`ifdef FORMAL
`include "victim_select.fv.vh"
`endif

endmodule

`default_nettype wire
