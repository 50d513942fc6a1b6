// mem_stall_monitor: how often one memory partition could not go on, in the present interval
// (CM-BAL 3.2.1: stall_MC, stall_net; two 10-bit counters per partition, 5, Hardware Overhead).
//
// Contract
// - stall_mc_o counts the edges with mc_valid_i and not mc_ready_i: a request stands before the memory
//   controller, whose queue is full. At most one per edge, whatever waits behind it: the sum over all
//   partitions and an interval, divided by its cycles, lies between 0 and the number of partitions.
// - stall_net_o counts the edges with net_valid_i and not net_ready_i: a reply stands before the reply
//   network, which takes none.
// - Both stop at 2**Width - 1 until they are read.
// - read_i: the reader takes stall_mc_o and stall_net_o as they are before this edge; a stall at this
//   edge is the first of the next interval. So no stall is lost or counted twice.
// - Outputs are registers: a stall at edge t shows after it.
// - Quiescence: with read_i low and no stall an edge changes nothing.
// - No illegal input.
`default_nettype none

module mem_stall_monitor #(
    parameter Width = 10 // 1023 of the 1024 cycles of the longest interval
) (
    input  wire             clk_i,
    input  wire             rst_i,
    // Memory controller
    input  wire             mc_valid_i,
    input  wire             mc_ready_i,
    // Reply network
    input  wire             net_valid_i,
    input  wire             net_ready_i,
    // cm_controller, once per interval
    input  wire             read_i,
    output wire [Width-1:0] stall_mc_o,
    output wire [Width-1:0] stall_net_o
);

    wire mc_stall  = mc_valid_i && !mc_ready_i;
    wire net_stall = net_valid_i && !net_ready_i;

    saturating_counter #(.Width(Width)) u_mc (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(read_i), .count_i(mc_stall), .value_o(stall_mc_o)
    );

    saturating_counter #(.Width(Width)) u_net (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(read_i), .count_i(net_stall), .value_o(stall_net_o)
    );

`ifdef FORMAL
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
`endif

endmodule

`default_nettype wire
