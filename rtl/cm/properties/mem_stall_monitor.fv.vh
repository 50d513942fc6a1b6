// SPDX-License-Identifier: Apache-2.0
// Properties of mem_stall_monitor, included at its end under FORMAL (docs/design/proofs.md).

    reg             past_q = 1'b0;
    reg             rst_q, read_q, mc_stall_q, net_stall_q;
    reg [Width-1:0] mc_q, net_q;

    always @(posedge clk_i) begin
        past_q      <= 1'b1;
        rst_q       <= rst_i;
        read_q      <= read_i;
        mc_stall_q  <= mc_stall;
        net_stall_q <= net_stall;
        mc_q        <= stall_mc_o;
        net_q       <= stall_net_o;
    end

    always @* begin
        if (past_q && rst_q) begin
            assert (stall_mc_o == 0 && stall_net_o == 0);
        end else if (past_q && read_q) begin
            assert (stall_mc_o == {{Width - 1{1'b0}}, mc_stall_q});
            assert (stall_net_o == {{Width - 1{1'b0}}, net_stall_q});
        end else if (past_q) begin
            // Up by one at a stall, never over the top, never down.
            assert (stall_mc_o == mc_q + {{Width - 1{1'b0}}, mc_stall_q && !(&mc_q)});
            assert (stall_net_o == net_q + {{Width - 1{1'b0}}, net_stall_q && !(&net_q)});
        end
        // A full counter that sees another stall; a stall at the edge that reads.
        cover (past_q && !rst_q && !read_q && mc_stall_q && (&mc_q));
        cover (past_q && !rst_q && !read_q && net_stall_q && (&net_q));
        cover (past_q && !rst_q && read_q && mc_stall_q && (&mc_q) && !net_stall_q);
    end
