// SPDX-License-Identifier: Apache-2.0
// victim_select: chooses the warp that an event borrows (EDGE IV-D, Figure 10).
//
// Asks the core for the state of its warps, one group of eight per cycle, and keeps the best of
// those that may be borrowed: valid, not an event, not borrowed already (ok, and no entry of
// the table holds it), not out (tried), and with at least the event's registers, so that a victim's
// resource requirements never change. Best is the smallest key:
//   OLDEST    launched longest ago: the largest core_now_i - stamp, modulo 2^16
//   NEWEST    launched last: the smallest
//   CHEAPEST  fewest cycles to flush: pipelines, i-buffer unless it is flushed, loads (COST_DROP if
//             they can be dropped), a barrier unless it is skipped, atomics and fences (COST_... in
//             evgpu.def)
// The lowest warp number wins a tie.
//
// Contract
// - start begins a scan of warp_groups groups (1..8; 0 acts as 1, above 8 as 8). The answer
//   to cand_req_o is taken at the next edge; a missing answer, or one for another group, counts as
//   a group without an eligible warp, and an answer at any other edge is ignored: a scan always
//   ends. found and warp of selected_o are valid from done until the next start.
//
//     edges after    0          1 .. groups      groups + 4
//     start          start      cand_req_o       done
//     edges after    0          1                2
//     confirm        confirm    cand_req_o       confirmed, ok
//
// - confirm asks once more about the warp found alone: between its scan and its hold it may have exited
//   and its context may run another kernel.
// - regs and tried are stable from start to the end of the confirmation.
// - start and stop abandon a scan or confirmation that runs; start wins over stop, both over confirm.
//   confirm abandons a confirmation; while a scan runs, before its done, it is illegal.
// - Registers of the scan move only with a request: an idle selector costs nothing.
// - A policy that evgpu.def does not name acts as OLDEST.
`default_nettype none
`include "evgpu_defs.vh"

module victim_select (
    input  wire                                clk_i,
    input  wire                                rst_i,
    input  wire [`EVG_EVENT_UNIT_CFG_WIDTH-1:0] cfg_i,
    // Taking a warp
    input  wire [`EVG_SELECT_WIDTH-1:0]        select_i,
    output wire [`EVG_SELECTED_WIDTH-1:0]      selected_o,
    // Pending event warp table
    input  wire [`EVG_HOLDERS_WIDTH-1:0]       holders_i,
    // SIMT core
    input  wire [15:0]                         core_now_i,
    input  wire                                cand_valid_i,
    input  wire [`EVG_WARP_PLACE_GROUP_WIDTH-1:0] cand_group_i,
    input  wire [`EVG_SCAN_LANES*`EVG_CANDIDATE_WIDTH-1:0] cand_i, // the lowest warp in the lowest bits
    output wire                                cand_req_o,
    output wire [`EVG_WARP_PLACE_GROUP_WIDTH-1:0] cand_req_group_o,
    output wire                                quiet_o // nothing moves without start or confirm
);

    localparam Entries  = `EVG_PEWT_ENTRIES;
    localparam Lanes    = `EVG_SCAN_LANES;
    localparam KeyWidth = 16;

    generate
        if (Lanes != 8 || `EVG_MAX_WARPS != 64) begin : g_check
            victim_select_is_wired_for_8_lanes_and_64_warps check_parameters ();
        end
    endgenerate

    wire        start   = select_i[`EVG_SELECT_START];
    wire        confirm = select_i[`EVG_SELECT_CONFIRM];
    wire        stop    = select_i[`EVG_SELECT_STOP];
    wire [6:0]  regs    = select_i[`EVG_SELECT_REGS];
    wire [63:0] tried   = select_i[`EVG_SELECT_TRIED];

    wire [1:0] cfg_policy      = cfg_i[`EVG_EVENT_UNIT_CFG_POLICY];
    wire [3:0] cfg_opts        = cfg_i[`EVG_EVENT_UNIT_CFG_OPTS];
    wire [3:0] cfg_warp_groups = cfg_i[`EVG_EVENT_UNIT_CFG_WARP_GROUPS];
    wire       unused_cfg      = &{1'b0, cfg_i}; // what the others look at

    wire [Entries-1:0]   held      = holders_i[`EVG_HOLDERS_HELD];
    wire [6*Entries-1:0] held_warp = holders_i[`EVG_HOLDERS_WARP];

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

    wire opt_flush = |(cfg_opts & OptFlushIbuf);
    wire opt_skip  = |(cfg_opts & OptSkipBarrier);
    wire opt_drop  = |(cfg_opts & OptDropLoads);

    // --- Requests -------------------------------------------------------------------------------
    localparam [`EVG_SELECT_STATE_WIDTH-1:0] Idle    = `EVG_SELECT_STATE_IDLE;
    localparam [`EVG_SELECT_STATE_WIDTH-1:0] Request = `EVG_SELECT_STATE_REQUEST;
    localparam [`EVG_SELECT_STATE_WIDTH-1:0] Drain   = `EVG_SELECT_STATE_DRAIN;
    localparam [`EVG_SELECT_STATE_WIDTH-1:0] Confirm = `EVG_SELECT_STATE_CONFIRM;

    reg  [`EVG_SELECT_STATE_WIDTH-1:0] state_q;
    reg                                req_q;
    wire                               confirmed;
    reg  [2:0]                         group_q;
    reg  [`EVG_WARP_PLACE_WIDTH-1:0]   best_warp_q; // of the scan
    wire last_group = {1'b0, group_q} + 4'd1 >= cfg_warp_groups || (&group_q);

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q <= Idle;
            req_q   <= 1'b0;
            group_q <= 3'd0;
        end else if (start) begin
            state_q <= Request;
            req_q   <= 1'b1;
            group_q <= 3'd0;
        end else if (stop) begin
            state_q <= Idle;
            req_q   <= 1'b0;
        end else if (confirm) begin
            state_q <= Confirm;
            req_q   <= 1'b1;
            group_q <= best_warp_q[`EVG_WARP_PLACE_GROUP];
        end else begin
            case (state_q)
                Request:
                    if (last_group) begin
                        state_q <= Drain;
                        req_q   <= 1'b0;
                    end else
                        group_q <= group_q + 3'd1;
                Drain:
                    if (done_q)
                        state_q <= Idle;
                Confirm: begin
                    req_q <= 1'b0;
                    if (confirmed)
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

    wire [Lanes-1:0]          eligible;
    wire [Lanes*KeyWidth-1:0] keys;
    genvar                    l;
    generate
        for (l = 0; l < Lanes; l = l + 1) begin : g_lane
            localparam [`EVG_WARP_PLACE_LANE_WIDTH-1:0] Lane = l;
            wire [`EVG_WARP_PLACE_WIDTH-1:0] self = {group_q, Lane};
            wire [`EVG_CANDIDATE_WIDTH-1:0]  cand =
                cand_i[`EVG_CANDIDATE_WIDTH*l+:`EVG_CANDIDATE_WIDTH];
            wire loads   = cand[`EVG_CANDIDATE_LOADS];
            wire barrier = cand[`EVG_CANDIDATE_BARRIER];
            wire atomic  = cand[`EVG_CANDIDATE_ATOMIC];
            wire again   = opt_drop && !cand[`EVG_CANDIDATE_YOUNGER] && !barrier && !atomic;

            reg                taken; // an entry holds it
            reg [KeyWidth-1:0] age, cost, key;
            integer            entry;

            always @* begin
                taken = 1'b0;
                for (entry = 0; entry < Entries; entry = entry + 1)
                    if (held[entry] && held_warp[6*entry+:6] == self)
                        taken = 1'b1;
            end

            always @* begin
                age  = core_now_i - cand[`EVG_CANDIDATE_STAMP];
                cost = {7'd0, cand[`EVG_CANDIDATE_PIPE]};
                if (!opt_flush)
                    cost = cost + CostIbuf * {14'd0, cand[`EVG_CANDIDATE_IBUF]};
                if (loads)
                    cost = cost + (again ? CostDrop : CostLoad);
                if (barrier && !opt_skip)
                    cost = cost + CostBarrier;
                if (atomic)
                    cost = cost + CostAtomic;
                case (cfg_policy)
                    Newest:   key = age;
                    Cheapest: key = cost;
                    default:  key = ~age;
                endcase
            end

            assign eligible[l] = answered && cand[`EVG_CANDIDATE_OK] && !taken && !tried[self] &&
                                 cand[`EVG_CANDIDATE_REGS] >= regs;
            assign keys[KeyWidth*l+:KeyWidth] = answered ? key : {KeyWidth{1'b0}};
        end
    endgenerate

    reg                      s0_valid_q, s0_scan_q, s0_last_q;
    reg [Lanes-1:0]          s0_eligible_q;
    reg [Lanes*KeyWidth-1:0] s0_keys_q;
    reg [2:0]                s0_group_q;

    always @(posedge clk_i) begin
        s0_valid_q <= !rst_i && req_q && !start && !stop && !confirm;
        if (req_q) begin
            s0_scan_q     <= state_q == Request;
            s0_last_q     <= last_group;
            s0_eligible_q <= eligible;
            s0_keys_q     <= keys;
            s0_group_q    <= group_q;
        end
    end


    assign confirmed = s0_valid_q && !s0_scan_q;

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
        s1_valid_q <= !rst_i && s0_step && !start && !stop;
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
        s2_valid_q <= !rst_i && s1_valid_q && !start && !stop;
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
`ifdef __ICARUS__
    // min_select compares the keys of lanes that are not valid, too, and for Icarus no comparison with an X holds.
    initial best_key_q = {KeyWidth{1'b0}};
`endif
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
        done_q <= !rst_i && s2_valid_q && s2_last_q && !start && !stop;
        if (rst_i || start || stop)
            found_q <= 1'b0;
        else if (better)
            found_q <= 1'b1;
        if (better) begin
            best_key_q  <= winner_key;
            best_warp_q <= {s2_group_q, winner[1], winner[1] ? s2_index_q[3:2] : s2_index_q[1:0]};
        end
    end

    assign selected_o[`EVG_SELECTED_DONE]      = done_q;
    assign selected_o[`EVG_SELECTED_FOUND]     = found_q;
    assign selected_o[`EVG_SELECTED_WARP]      = best_warp_q;
    assign selected_o[`EVG_SELECTED_CONFIRMED] = confirmed;
    assign selected_o[`EVG_SELECTED_OK]        = s0_eligible_q[best_warp_q[`EVG_WARP_PLACE_LANE]];
    assign quiet_o = state_q == Idle && !req_q && !s0_valid_q && !s1_valid_q && !s2_valid_q && !done_q;

`ifdef FORMAL
`include "properties/victim_select.fv.vh"
`endif

endmodule

`default_nettype wire
