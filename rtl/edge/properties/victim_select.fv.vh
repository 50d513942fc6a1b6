// SPDX-License-Identifier: Apache-2.0
// Properties of victim_select, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One warp is followed through a scan: if it may be borrowed, the scan ends with it or a better one.
    `EVG_FOLLOW_ONE(f_warp, 6)
    reg                f_live = 1'b0;   // there has been a reset
    wire f_since_reset = f_live; // for the proofs of the users
    reg                f_seen;          // in this scan it was eligible, with f_key
    reg [KeyWidth-1:0] f_key;
    reg [3:0]          f_done_in;       // edges until done, 0: no scan runs
    reg                f_asked;         // a confirmation was asked for at the edge before
    reg [2:0]          f_asked_group;
    reg                f_holds;         // an entry holds the warp asked about
    integer            f_entry;

    wire [3:0] f_groups   = cfg_warp_groups > 4'd8 ? 4'd8 :
                            cfg_warp_groups == 4'd0 ? 4'd1 : cfg_warp_groups;
    // From the ports alone, as the contract says
    reg        f_taken;         // an entry holds the followed warp
    integer    f_e;
    always @* begin
        f_taken = 1'b0;
        for (f_e = 0; f_e < Entries; f_e = f_e + 1)
            f_taken = f_taken || (held[f_e] && held_warp[6*f_e+:6] == f_warp);
    end
    wire [2:0] f_lane = f_warp[`EVG_WARP_PLACE_LANE];
    wire [`EVG_CANDIDATE_WIDTH-1:0] f_cand = cand_i[`EVG_CANDIDATE_WIDTH*f_lane+:`EVG_CANDIDATE_WIDTH];
    wire       f_eligible = cand_req_o && state_q == Request && cand_req_group_o == f_warp[`EVG_WARP_PLACE_GROUP] &&
                            cand_valid_i && cand_group_i == f_warp[`EVG_WARP_PLACE_GROUP] && f_cand[`EVG_CANDIDATE_OK] &&
                            !f_taken && !tried[f_warp] && f_cand[`EVG_CANDIDATE_REGS] >= regs;

    wire                f_again = opt_drop && !(f_cand[`EVG_CANDIDATE_YOUNGER] || f_cand[`EVG_CANDIDATE_BARRIER] ||
                                                f_cand[`EVG_CANDIDATE_ATOMIC]); // loads may be repeated
    wire [KeyWidth-1:0] f_age   = core_now_i - f_cand[`EVG_CANDIDATE_STAMP];
    wire [KeyWidth-1:0] f_cost  =
        {{KeyWidth - 9{1'b0}}, f_cand[`EVG_CANDIDATE_PIPE]} +
        (opt_flush ? {KeyWidth{1'b0}} : CostIbuf * {{KeyWidth - 2{1'b0}}, f_cand[`EVG_CANDIDATE_IBUF]}) +
        (!f_cand[`EVG_CANDIDATE_LOADS] ? {KeyWidth{1'b0}} : f_again ? CostDrop : CostLoad) +
        (f_cand[`EVG_CANDIDATE_BARRIER] && !opt_skip ? CostBarrier : {KeyWidth{1'b0}}) +
        (f_cand[`EVG_CANDIDATE_ATOMIC] ? CostAtomic : {KeyWidth{1'b0}});
    wire [KeyWidth-1:0] f_rank  = cfg_policy == Newest ? f_age : cfg_policy == Cheapest ? f_cost
                                                                                           : ~f_age;

    always @(posedge clk_i) begin
        f_asked       <= !rst_i && confirm && !start && !stop;
        f_asked_group <= best_warp_q[`EVG_WARP_PLACE_GROUP];
        if (f_eligible)
            f_key <= f_rank;
        if (rst_i) begin
            f_live    <= 1'b1;
            f_seen    <= 1'b0;
            f_done_in <= 4'd0;
        end else if (start) begin
            f_seen    <= 1'b0;
            f_done_in <= f_groups + 4'd4;
        end else begin
            f_seen    <= !stop && (f_seen || f_eligible);
            f_done_in <= confirm || stop || f_done_in == 4'd0 ? 4'd0 : f_done_in - 4'd1;
        end
    end

    always @* begin
        f_holds = 1'b0;
        for (f_entry = 0; f_entry < Entries; f_entry = f_entry + 1)
            if (held[f_entry] && held_warp[6*f_entry+:6] == best_warp_q)
                f_holds = 1'b1;
    end

    always @*
        if (f_live) begin
            if (f_asked) begin
                assert (cand_req_o && cand_req_group_o == f_asked_group);
            end
            // What no entry held when it was looked at: the table starts no event meanwhile.
            if (confirmed && selected_o[`EVG_SELECTED_OK] && s0_group_q == best_warp_q[`EVG_WARP_PLACE_GROUP]) begin
                assert (!f_holds);
            end
        end

    // Proved of this module alone: an induction over its users would need the pipeline's content.
`ifdef FORMAL_TOP_victim_select
`define EVG_ALONE
`endif
`ifndef YOSYS
`define EVG_ALONE
`endif
`ifdef EVG_ALONE
    always @*
        if (f_live && selected_o[`EVG_SELECTED_DONE] && f_seen && state_q == Drain) begin
            assert (selected_o[`EVG_SELECTED_FOUND] && (best_key_q < f_key || (best_key_q == f_key && selected_o[`EVG_SELECTED_WARP] <= f_warp)));
        end

    // The invariant of the induction: where the warp's group is, and that what left with it is no
    // worse; groups come in their order.
    wire [2:0] f_group = f_warp[`EVG_WARP_PLACE_GROUP];
    wire       f_in0   = s0_step && s0_group_q == f_group;
    wire       f_in1   = s1_valid_q && s1_group_q == f_group;
    wire       f_in2   = s2_valid_q && s2_group_q == f_group;

    wire [KeyWidth-1:0] f_key0   = s0_keys_q[KeyWidth*f_warp[`EVG_WARP_PLACE_LANE]+:KeyWidth];
    wire [KeyWidth-1:0] f_key1   = s1_key_q[KeyWidth*f_warp[2:1]+:KeyWidth];
    wire [KeyWidth-1:0] f_key2   = s2_key_q[KeyWidth*f_warp[2]+:KeyWidth];
    wire                f_any1   = s1_any_q[f_warp[2:1]];
    wire                f_any2   = s2_any_q[f_warp[2]];
    wire                f_index1 = s1_index_q[f_warp[2:1]];
    wire [1:0]          f_index2 = s2_index_q[2*f_warp[2]+:2];

    always @*
        if (f_live) begin
            if (f_in0) begin
                assert (s0_eligible_q[f_warp[`EVG_WARP_PLACE_LANE]] == f_seen && (!f_seen || f_key0 == f_key));
            end
            if (f_in1) begin
                assert (!f_seen || (f_any1 && (f_key1 < f_key || (f_key1 == f_key && f_index1 <= f_warp[0]))));
                assert (!f_any1 || f_index1 != f_warp[0] || (f_seen && f_key1 == f_key));
            end
            if (f_in2) begin
                assert (!f_seen || (f_any2 && (f_key2 < f_key || (f_key2 == f_key && f_index2 <= f_warp[1:0]))));
                assert (!f_any2 || f_index2 != f_warp[1:0] || (f_seen && f_key2 == f_key));
            end
            if (f_seen && !f_in0 && !f_in1 && !f_in2) begin
                assert (found_q && (best_key_q < f_key || (best_key_q == f_key && best_warp_q <= f_warp)));
            end
            // The warp that is found may be borrowed.
            if (found_q && best_warp_q == f_warp) begin
                assert (f_seen && best_key_q == f_key);
            end
            assert (state_q != Request || !f_seen || f_group < group_q);
            assert (state_q != Request || !found_q || best_warp_q[`EVG_WARP_PLACE_GROUP] < group_q);
            assert (!s0_step || !found_q || best_warp_q[`EVG_WARP_PLACE_GROUP] < s0_group_q);
            assert (!s1_valid_q || !found_q || best_warp_q[`EVG_WARP_PLACE_GROUP] < s1_group_q);
            assert (!s2_valid_q || !found_q || best_warp_q[`EVG_WARP_PLACE_GROUP] < s2_group_q);
            assert (!s0_step || s0_group_q == (state_q == Request ? group_q - 3'd1 : group_q));
            assert (!s1_valid_q || s1_group_q == (s0_step ? s0_group_q - 3'd1 : group_q));
            assert (!s2_valid_q || s2_group_q == (s1_valid_q ? s1_group_q - 3'd1 : group_q));
            assert (state_q != Request || s0_step == (group_q != 3'd0));
            assert (!s0_step || s1_valid_q == (s0_group_q != 3'd0));
            assert (!s1_valid_q || s2_valid_q == (s1_group_q != 3'd0));
        end
`undef EVG_ALONE
`endif

    // What is in the pipeline in which state
    wire f_empty1 = !s1_valid_q && !s2_valid_q && !done_q;
    always @*
        if (f_live) begin
            assert (req_q == (state_q == Request || (state_q == Confirm && !s0_valid_q)));
            assert (!s0_valid_q || (s0_scan_q ? state_q == (s0_last_q ? Drain : Request)
                                              : state_q == Confirm));
            assert (!s1_valid_q || (s1_last_q ? state_q == Drain && !s0_valid_q : s0_valid_q));
            assert (!s2_valid_q || (s2_last_q ? state_q == Drain && !s0_valid_q && !s1_valid_q
                                              : s1_valid_q));
            assert (!done_q || (state_q == Drain && !s0_valid_q && !s1_valid_q && !s2_valid_q));
            assert (state_q != Drain || s0_valid_q || s1_valid_q || s2_valid_q || done_q);
            assert ((state_q != Idle && state_q != Confirm) || f_empty1);
            assert (state_q != Idle || !s0_valid_q);
        end

    // While it works, no entry gets a warp.
    reg                 f_busy;
    reg [Entries-1:0]   f_held;
    reg [6*Entries-1:0] f_held_warp;
    reg                 f_grown;
    always @(posedge clk_i) begin
        f_busy      <= !rst_i && (start || (!stop && (confirm || !quiet_o)));
        f_held      <= held;
        f_held_warp <= held_warp;
    end
    always @* begin
        f_grown = 1'b0;
        for (f_entry = 0; f_entry < Entries; f_entry = f_entry + 1)
            if (held[f_entry] && !(f_held[f_entry] && f_held_warp[6*f_entry+:6] ==
                                                        held_warp[6*f_entry+:6]))
                f_grown = 1'b1;
    end

    // A confirmation comes after its scan. (The number of groups may change; the proof is of scans in which it
    // does not.)
`ifdef FORMAL_TOP_victim_select
`define EVG_EXPECT(what) assume (what)
`elsif YOSYS
`define EVG_EXPECT(what) begin end // warp_take_ctrl's proof: a confirmation comes with done
`else
`define EVG_EXPECT(what) assert (what)
`endif
    always @*
        if (f_live)
            `EVG_EXPECT(!confirm || f_done_in <= 4'd1);
`undef EVG_EXPECT
`ifndef FORMAL_TOP_victim_select
    always @*
        if (f_live && f_busy)
            assert (!f_grown);
`endif

`ifdef FORMAL_TOP_victim_select
    reg [3:0] f_groups_before;
    always @(posedge clk_i)
        f_groups_before <= cfg_warp_groups;
    always @* begin
        if (f_live && f_busy) begin
            assume (!f_grown);
            assume (cfg_warp_groups == f_groups_before);
        end
        if (f_live) begin
            assert (selected_o[`EVG_SELECTED_DONE] == (f_done_in == 4'd1));
            assert (state_q == Idle || f_busy);
            case (state_q)
                Request:
                    assert ({1'b0, group_q} < f_groups && f_done_in == f_groups + 4'd4 - {1'b0, group_q});
                Drain:
                    assert (f_done_in == (s0_valid_q ? 4'd4 : s1_valid_q ? 4'd3 : s2_valid_q ? 4'd2 : 4'd1));
                default:
                    assert (f_done_in == 4'd0);
            endcase
        end
        cover (f_live && selected_o[`EVG_SELECTED_DONE] && f_seen && selected_o[`EVG_SELECTED_WARP] != f_warp && best_key_q == f_key);
        cover (f_live && selected_o[`EVG_SELECTED_DONE] && selected_o[`EVG_SELECTED_FOUND] && best_warp_q[`EVG_WARP_PLACE_GROUP] == 3'd7);
        cover (f_live && selected_o[`EVG_SELECTED_DONE] && !selected_o[`EVG_SELECTED_FOUND] && f_groups == 4'd2);
        cover (f_live && confirmed && selected_o[`EVG_SELECTED_OK] && |held);
    end
`endif
