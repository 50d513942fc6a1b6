// SPDX-License-Identifier: Apache-2.0
// Properties of fe_dram_scheduler, included at its end under FORMAL (docs/design/proofs.md).

    localparam [7:0] Turns = TurnLimit[7:0];
    localparam [8:0] MaxPassed = {1'b0, Turns} + 9'd1;

    function f_sound(input [EntryBits-1:0] item, input with_trigger);
        f_sound = !(item[BitsLsb] && (item[ErrorLsb] || item[ActionLsb+:2] == 2'd3)) &&
                  (!with_trigger ||
                   (item[BitsLsb] && item[TriggerLsb+:2] != `EVG_FE_TRIGGER_NONE &&
                    item[TriggerLsb+:2] != 2'd3));
    endfunction

    reg                f_past_q = 1'b0;
    reg                f_range_q, f_quiet_q, f_act_q;
    reg                f_hold_q; // no request with an action may leave
    reg [Words-1:0]    f_fill_q, f_empty_q, f_bits_q; // masks of the action that was done
    localparam F_PlaceBits = GrainWords == 1 ? 1 : $clog2(PartLines);
    wire [F_PlaceBits-1:0] f_same_place = bits_row[F_PlaceBits-1:0] ^ f_row[F_PlaceBits-1:0];
    reg                f_taken_q;    // the row's part-full grains have become empty
    wire [Words-1:0]   f_whole;      // f_bits_q without them
    reg [3:0]          f_non_wait_q; // cycles in which NON's head could have gone on
    wire [26:0]        f_passed;
    wire               f_here = row == f_row && act;
    wire [2:0]         f_count_sum = {head_valid[0] ^ queue_ready[0], queue_ready[2:1]};
    wire [31:0]        f_state = {8'd0, head_state_o, range_state_o, room, head_valid, released,
                                  f_count_sum};
    reg [31:0]         f_state_q;

    // A request that is taken enters the one queue of its trigger and source, unchanged.
    localparam [31:0] F_Lines = RegionLines;
    wire [32:0] f_first_line = {{33 - LineBits{1'b0}}, region, {RowBits{1'b0}}};
    wire [32:0] f_line_taken = {{33 - LineBits{1'b0}}, req_line_i};
    wire f_inside  = f_line_taken >= f_first_line && f_line_taken < f_first_line + {1'b0, F_Lines};
    wire f_trigs   = req_trigger_i != `EVG_FE_TRIGGER_NONE;
    wire f_wrong   = (f_trigs && !f_inside) || req_trigger_i == 2'd3 || req_action_i == 2'd3;
    wire f_uses    = f_inside && !f_wrong && (f_trigs || req_action_i != `EVG_FE_ACTION_NONE);
    wire [2:0] f_to = !f_trigs ? 3'b001 : req_source_i == `EVG_FE_SOURCE_CPU ? 3'b010 : 3'b100;
    reg [2:0]           f_push_q;
    reg [EntryBits-1:0] f_entry_q;

    // Memory sees each request that leaves once, until it takes it; its action follows.
    wire [EntryBits-1:0] f_leaver = leave[Gpu] ? head[Gpu*EntryBits+:EntryBits]
                                  : leave[Cpu] ? head[Cpu*EntryBits+:EntryBits]
                                               : head[Non*EntryBits+:EntryBits];
    wire                 f_leaves = leave != 0 && !f_leaver[ErrorLsb];
    reg                  f_left_q, f_keep_q; // has left just now; memory has not taken it
    reg [EntryBits-1:0]  f_out_q;
    wire [1:0]           f_out_action = f_out_q[ActionLsb+:2];
    wire                 f_out_here   = f_left_q && f_out_q[BitsLsb] &&
                                        f_out_q[LineLsb+:RowBits] == f_row;

    // The followed reply, with what it has to be: set when its request leaves.
    reg  [IdBits-1:0]                f_id_q;
    reg                              f_source_q, f_just_q, f_dram_q;
    reg  [`EVG_FE_STATUS_WIDTH-1:0]  f_status_q;
    reg  [1:0]                       f_from_q;
    wire [1:0]                       f_from = leave[Gpu] ? `EVG_FE_QUEUE_GPU
                                            : leave[Cpu] ? `EVG_FE_QUEUE_CPU : `EVG_FE_QUEUE_NON;
    always @(posedge clk_i) begin
        f_just_q <= !rst_i && f_follow;
        f_dram_q <= !rst_i && f_follow && f_leaves;
        if (f_follow) begin
            f_id_q     <= f_leaver[IdLsb+:IdBits];
            f_source_q <= f_leaver[SourceLsb];
            f_status_q <= f_leaver[ErrorLsb] ? `EVG_FE_STATUS_ERROR
                        : (leave & pass) != 0 ? `EVG_FE_STATUS_OK : `EVG_FE_STATUS_RELEASED;
            f_from_q   <= f_from;
        end
    end

    always @*
        if (f_past_q) begin
            // The reply is the request's, whole, and so is the tag that memory sees.
            if (f_held)
                assert (f_data == {f_status_q, f_source_q, f_id_q} &&
                        f_tag[ReplyDepthLog2+:2] == f_from_q);
            if (f_sent)
                assert (rsp_valid_o && rsp_id_o == f_id_q && rsp_source_o == f_source_q &&
                        rsp_status_o == f_status_q && rsp_queue_o == f_from_q);
            if (f_dram_q && f_held)
                assert (dram_valid_o && dram_tag_o == f_tag && dram_id_o == f_id_q);
            assert (!f_just_q || f_held);
        end

    always @(posedge clk_i) begin
        f_push_q  <= rst_i || !req_valid_i || (f_to & req_ready_o) == 0 ? 3'b000
                   : f_wrong ? 3'b001 : f_to;
        f_entry_q <= {f_wrong, f_uses, req_write_i, req_source_i, req_action_i, req_trigger_i,
                      req_id_i, req_mask_i, req_line_i};
        f_left_q  <= !rst_i && f_leaves;
        f_keep_q  <= !rst_i && dram_valid_o && !dram_ready_i;
        if (f_leaves)
            f_out_q <= f_leaver;
    end
`ifdef FORMAL_TOP_fe_dram_scheduler
    // Quiet, and nothing came: for tests/formal/fe_idle.sh
    (* keep *) wire f_idle = f_quiet_q && !req_valid_i && !answer_valid_i && !reg_valid_i && !rst_i;
`endif

    always @(posedge clk_i) begin
        f_past_q  <= 1'b1;
        f_bits_q  <= f_bits;
        f_range_q <= rst_i || (range_write && range_row == f_row);
        f_fill_q  <= !rst_i && f_out_here && f_out_action == `EVG_FE_ACTION_FILL ?
                     f_out_q[MaskLsb+:Words] : {Words{1'b0}};
        f_empty_q <= !rst_i && f_out_here && f_out_action == `EVG_FE_ACTION_EMPTY ?
                     f_out_q[MaskLsb+:Words] : {Words{1'b0}};
        f_act_q   <= !rst_i && act;
        f_taken_q <= bits_mixed && bits_row != f_row && f_same_place == 0;
        f_hold_q  <= rst_i || range_next_hold;
        f_quiet_q <= !rst_i && quiet_o && !req_valid_i && !answer_valid_i && !reg_valid_i;
        f_state_q <= f_state;
        if (rst_i || !head_valid[Non] || leave[Non] || range_busy || !room[Non])
            f_non_wait_q <= 4'd0;
        else if (dram_free && f_non_wait_q != 4'd15)
            f_non_wait_q <= f_non_wait_q + 4'd1;
    end

    always @* begin
        if (!f_past_q) begin
            assume (rst_i);
        end else begin
            // A request leaves alone, from a queue that has one.
            assert ((leave & (leave - 3'd1)) == 0 && (leave & ~head_valid) == 0);
            assert (push == f_push_q && (push == 0 || entry == f_entry_q));
            assert ((push & ~queue_ready) == 0);
            // NON takes requests whatever the others hold.
            assert (req_ready_o[Non] == (started_q && queue_ready[Non] && !(queue_last[Non] && push[Non])));
            // Memory is shown what has left, until it takes it, and nothing else.
            assert (dram_valid_o == (f_left_q || f_keep_q));
            if (dram_valid_o)
                assert ({dram_write_o, dram_source_o, dram_id_o, dram_mask_o, dram_line_o} ==
                        {f_out_q[WriteLsb], f_out_q[SourceLsb], f_out_q[IdLsb+:IdBits],
                         f_out_q[MaskLsb+:Words], f_out_q[LineLsb+:LineBits]});
            // A head that may leave can, and one of those that can does.
            assert (can == ((pass | (blocked & released)) & room &
                            (head_error | {3{!dram_valid_o || dram_ready_i}}) & ~head_stopped &
                            ~(head_uses & {3{act}})));
            assert ((can == 0) == (leave == 0) && (leave & ~can) == 0);
            // The bits change by range commands and by what has left, and then as it says.
            if (f_left_q && f_out_q[BitsLsb])
                assert (act == (f_out_action != `EVG_FE_ACTION_NONE));
            if (act)
                assert (f_left_q && f_out_q[BitsLsb] &&
                        fill == (f_out_action == `EVG_FE_ACTION_FILL));
            if (f_taken_q) begin
                assert (f_bits == f_whole);
            end else
                assert (f_range_q || f_bits == ((f_bits_q | f_fill_q) & ~f_empty_q));
            // An error uses no bits; what enters CPU and GPU has a trigger and uses bits.
            assert (push == 0 || f_sound(entry, !push[Non]));
            // Nothing else writes while the range command does; an action finds the row as it is.
            assert (!(act && range_write) && !(act && f_act_q));
            // Where an override gives way, nothing holds a ready head back: each such cycle counts
            // for its turn.
            assert (range_state_o != `EVG_FE_RANGE_REST || (!act && can == ready));
            assert (!act || dram_valid_o);
            if (f_here)
                assert (old == f_bits);
            // The others do not block NON: it is examined in two cycles, passed by two at most, and
            // held back by an action before, between and after them.
            assert (f_non_wait_q <= 4'd7);
            if (pass[Non]) begin
                assert ({4'd0, f_non_wait_q} <= {f_passed[6:0], 1'b0} + (act ? 8'd2 : 8'd3));
            end else begin
                assert (f_non_wait_q <= (look[Non] ? 4'd0 : 4'd1));
            end
            // Passed once, it can leave; the one that went first has spent its right.
            if (f_passed[8:0] != 0)
                assert (pass[Non] && room[Non]);
            if (f_passed[8:0] == 1)
                assert ((f_after_cpu ? f_turns[8*Cpu+:8] : f_turns[8*Gpu+:8]) == 0);
            if (f_passed[8:0] == 2)
                assert (f_turns[8*Cpu+:8] != Turns && f_turns[8*Gpu+:8] != Turns);
            if (f_quiet_q)
                assert (f_state == f_state_q && !dram_valid_o && !rsp_valid_o && !bits_write);
        end
    end

    generate
        for (g = 0; g < Words / GrainWords; g = g + 1) begin : g_formal_grain
            assign f_whole[g*GrainWords+:GrainWords] = {GrainWords{&f_bits_q[g*GrainWords+:GrainWords]}};
        end
        for (g = 0; g < 3; g = g + 1) begin : g_formal
            wire [1:0]         f_trigger = g == Non ? `EVG_FE_TRIGGER_NONE
                                                    : head[g*EntryBits+TriggerLsb+:2];
            wire [Words-1:0]   f_mask    = head[g*EntryBits+MaskLsb+:Words];
            wire [Words/GrainWords-1:0] f_against; // grains that are not as the trigger wants
            genvar k;
            for (k = 0; k < Words / GrainWords; k = k + 1) begin : g_against
                assign f_against[k] = |f_mask[k*GrainWords+:GrainWords] &&
                                      &f_bits[k*GrainWords+:GrainWords] !=
                                          (f_trigger == `EVG_FE_TRIGGER_FULL);
            end
            wire               f_on_row  = head[g*EntryBits+LineLsb+:RowBits] == f_row &&
                                           head[g*EntryBits+BitsLsb];
            wire [`EVG_FE_HEAD_WIDTH-1:0] f_head =
                head_state_o[g*`EVG_FE_HEAD_WIDTH+:`EVG_FE_HEAD_WIDTH];
            wire               f_triggered = head[g*EntryBits+BitsLsb] &&
                                             f_trigger != `EVG_FE_TRIGGER_NONE;
            wire               f_known =
                head_acts[g] == (head[g*EntryBits+BitsLsb] &&
                                 head[g*EntryBits+ActionLsb+:2] != `EVG_FE_ACTION_NONE) &&
                head_uses[g] == (head_acts[g] || f_triggered) &&
                head_stopped[g] == ((head_acts[g] && f_hold_q) || (f_triggered && range_write)) &&
                head_error[g] == (g == Non && head[g*EntryBits+ErrorLsb]);
            reg [8:0]          passed_q; // could have left, and another did
            assign f_passed[9*g+:9] = passed_q;

            always @(posedge clk_i)
                if (rst_i || leave[g] || (g == Non && f_hold_q))
                    passed_q <= 9'd0;
                else if (can[g] && leave != 0 && passed_q != 9'h1ff)
                    passed_q <= passed_q + 9'd1;

            // All that is inside is sound, since what enters is (above).
            always @*
                if (f_past_q && shown[g])
                    assert (f_sound(head[g*EntryBits+:EntryBits], g != Non));
`ifdef FORMAL_CONTENT
            for (k = 0; k < g_queue[g].F_Places; k = k + 1) begin : g_content
                always @*
                    if (f_past_q && g_queue[g].f_there[k])
                        assert (f_sound(g_queue[g].f_content[k*EntryBits+:EntryBits], g != Non));
            end
`endif

            always @*
                if (f_past_q && f_on_row && shown[g]) begin
                    // A head's copy of its row is true (of several: fe_look_ahead).
                    if (g != Gpu || LookAhead == 1) begin
                        if (f_head == `EVG_FE_HEAD_LOOK) begin
                            assert (ram_bits == f_bits);
                        end else if (f_head != `EVG_FE_HEAD_NEW)
                            assert (head_bits[g*Words+:Words] == f_bits);
                    end
                    // No read leaves while a bit is empty; a filled word releases its waiter.
                    if (f_trigger != `EVG_FE_TRIGGER_NONE) begin
                        if (leave[g] && !blocked[g])
                            assert (f_against == 0);
                        if (blocked[g])
                            assert (f_against != 0);
                    end
                end

            always @*
                if (f_past_q) begin
                    assert (!(leave[g] && blocked[g]) || released[g]);
                    // The known state of a head that can leave is true.
                    if (shown[g] && ((g == Gpu && LookAhead != 1) || f_head != `EVG_FE_HEAD_NEW))
                        assert (f_known);
                    // Its trigger still holds in the next cycle, in which its action is done.
                    if (leave[g] && f_triggered)
                        assert (!bits_write);
                    assert (passed_q <= (g == Non ? 9'd2 : MaxPassed));
                end

`ifdef FORMAL_TOP_fe_dram_scheduler
            always @(posedge clk_i)
                if (!rst_i)
                    cover (f_past_q && leave[g] && f_on_row);

            if (g != Non) begin : g_cover
                reg was_blocked_q;
                always @(posedge clk_i) begin
                    was_blocked_q <= !rst_i && !leave[g] && (was_blocked_q || blocked[g]);
                    if (!rst_i) begin
                        cover (f_past_q && leave[g] && blocked[g]); // released by command
                        cover (f_past_q && leave[g] && was_blocked_q && !blocked[g]); // by its words
                    end
                end
            end
`endif
        end
        for (g = 1; g < 3; g = g + 1) begin : g_formal_turns
            // How often a head was passed is known from its turns.
            always @*
                if (f_past_q) begin
                    assert (f_turns[8*g+:8] <= Turns);
                    assert (f_passed[9*g+:9] <= {1'b0, f_turns[8*g+:8]} ||
                            (f_turns[8*g+:8] == Turns && f_passed[9*g+:9] == MaxPassed &&
                             f_after_cpu == (g == Gpu)));
                end
        end
    endgenerate

`ifdef FORMAL_TOP_fe_dram_scheduler
    always @(posedge clk_i) begin
        cover (!rst_i && f_past_q && error);
        cover (!rst_i && f_past_q && leave[Gpu] && can[Non]);
        cover (!rst_i && f_past_q && quiet_o && blocked == 3'b110);
    end
`endif
