// Properties of event_completion, included at its end under FORMAL (docs/formal.md).

    // One completion is followed from its taking to its countdown; which one is free.
`ifdef YOSYS
    (* anyseq *) wire f_pick;
`else
    wire f_pick = 1'b1;
`endif
    reg                 f_live = 1'b0; // there has been a reset
    reg                 f_tracked = 1'b0;
    reg [DepthLog2+1:0] f_inside;      // taken, not yet counted down
    reg [DepthLog2+1:0] f_ahead;       // of them, those in front of it
    reg [RowBits-1:0]   f_row;
    reg [15:0]          f_tag;
    reg [63:0]          f_param;
    reg [DepthLog2:0]   f_place;       // its entry in the ring
    reg                 f_answered;
    reg [63:0]          f_pointer;     // the answer to its read
    reg                 f_written;     // its flag has been
    reg                 f_hold_mr = 1'b0, f_hold_pw = 1'b0;
    reg [63:0]          f_mr_addr, f_pw_addr;

    wire [DepthLog2:0]   f_waiting = taken_q - left_q;
    wire [DepthLog2:0]   f_answers = answered_q - left_q;
    wire [DepthLog2:0]   f_depth   = f_place - left_q; // entries in front of it in the ring
    wire [DepthLog2+1:0] f_outside = {{DepthLog2 + 1{1'b0}}, pw_valid_q} +
                                     {{DepthLog2 + 1{1'b0}}, dec_valid_q};
    wire                 f_in_ring = f_tracked && f_ahead >= f_outside;
    wire                 f_at_port = f_tracked && pw_valid_q &&
                                     f_ahead == {{DepthLog2 + 1{1'b0}}, dec_valid_q};

    always @(posedge clk_i) begin
        f_hold_mr <= !rst_i && mr_valid_o && !mr_ready_i;
        f_hold_pw <= !rst_i && pw_valid_o && !pw_ready_i;
        f_mr_addr <= mr_addr_o;
        f_pw_addr <= pw_addr_o;
        if (rst_i) begin
            f_live    <= 1'b1;
            f_tracked <= 1'b0;
            f_inside  <= 0;
        end else begin
            f_inside <= f_inside + {{DepthLog2 + 1{1'b0}}, take} -
                        {{DepthLog2 + 1{1'b0}}, dec_valid_o};
            if (f_tracked) begin
                if (dec_valid_o)
                    f_ahead <= f_ahead - 1'b1;
                if (dec_valid_o && f_ahead == 0)
                    f_tracked <= 1'b0;
                if (answer && answered_q == f_place && f_in_ring) begin
                    f_answered <= 1'b1;
                    f_pointer  <= mr_rsp_data_i;
                end
                if (sent && f_at_port)
                    f_written <= 1'b1;
            end else if (take && f_pick) begin
                f_tracked  <= 1'b1;
                f_ahead    <= f_inside - {{DepthLog2 + 1{1'b0}}, dec_valid_o};
                f_row      <= done_row_i;
                f_tag      <= done_tag_i;
                f_param    <= done_param_i;
                f_place    <= taken_q;
                f_answered <= 1'b0;
                f_written  <= 1'b0;
            end
        end
    end

    always @*
        if (f_live) begin
            // None lost, none counted down twice
            assert (f_waiting <= Full && f_answers <= f_waiting);
            assert (f_inside == {1'b0, f_waiting} + f_outside);
            assert (!done_ready_o || (f_waiting != Full && !mr_valid_o));
            if (mr_valid_o)
                assert (f_answers < f_waiting);
            if (dec_valid_o)
                assert (f_inside != 0);
            if (f_tracked)
                assert (f_ahead < f_inside);
            if (f_in_ring) begin
                assert ({1'b0, f_depth} == f_ahead - f_outside && f_depth < f_waiting);
                assert (event_q[f_place[DepthLog2-1:0]] == {f_row, f_tag} && !f_written);
                assert (f_answered == (f_depth < f_answers));
                if (f_answered)
                    assert (pointer_q[f_place[DepthLog2-1:0]] == f_pointer);
                // Its read: the last one taken, if it is not out yet
                if (mr_valid_o && f_place + 1'b1 == taken_q)
                    assert (mr_addr_o == f_param);
            end
            // Its flag goes to the address that its own read answered, its tag along
            if (f_at_port)
                assert (pw_addr_o == f_pointer && pw_tag_o == f_tag && pw_row_q == f_row &&
                        f_answered && !f_written);
            // It is counted down after that, or without, if nobody waits
            if (f_tracked && dec_valid_o && f_ahead == 0)
                assert (dec_row_o == f_row && f_answered && f_written == (f_pointer != 64'd0));
            if (pw_valid_o)
                assert (pw_addr_o != 64'd0);
            if (f_hold_mr)
                assert (mr_valid_o && mr_addr_o == f_mr_addr);
            if (f_hold_pw)
                assert (pw_valid_o && pw_addr_o == f_pw_addr);
        end

`ifdef FORMAL_TOP_event_completion
    always @* begin
        cover (f_live && f_waiting == Full && !done_ready_o && pw_valid_o);
        cover (f_live && f_tracked && f_ahead == 0 && dec_valid_o && f_inside > 1 && f_written);
        cover (f_live && leave && null_pointer && pw_ready_i);
        cover (f_hold_pw && f_hold_mr);
    end
`endif
