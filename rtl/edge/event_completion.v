// event_completion: tells the external device that an event kernel has completed (EDGE III-B,
// III-C).
//
// Contract
// - A completion is taken with done_valid_i and done_ready_o. Its submission queue entry begins
//   with the 8-byte address of its completion queue entry, which is read through mr_*; then the
//   4-byte flag COMPLETION_DONE is written to that address through pw_*, once. An address of 0
//   means that nobody waits: no write. In both cases the row's event is then counted down by one
//   dec_valid_o pulse.
// - mr_* is held until mr_ready_i; answers (mr_rsp_valid_i) need no ready and come in the order of
//   the reads. pw_* is held until pw_ready_i. Completions leave in the order they came.
// - Depth completions can wait, besides the one being written; done_ready_o is low from there on,
//   and for the time a read waits for mr_ready_i.
// - Latency: read one cycle after the completion is taken; write two cycles after the answer; dec
//   one cycle after the write is taken, or two after the answer for a null address.
// - Illegal: an answer without a read outstanding (ignored).
// - quiet_o: no completion is inside; without one no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module event_completion #(
    parameter RowBits   = 5,
    parameter Depth     = `EVG_COMPLETION_READS, // power of two
    parameter DepthLog2 = 3
) (
    input  wire               clk_i,
    input  wire               rst_i,
    // From the cores: event kernels that have completed
    input  wire               done_valid_i,
    input  wire [RowBits-1:0] done_row_i,
    input  wire [63:0]        done_param_i,
    input  wire [15:0]        done_tag_i,
    output wire               done_ready_o,
    // Memory read
    output wire               mr_valid_o,
    output wire [63:0]        mr_addr_o,
    input  wire               mr_ready_i,
    input  wire               mr_rsp_valid_i,
    input  wire [63:0]        mr_rsp_data_i,
    // PCIe write
    output wire               pw_valid_o,
    output wire [63:0]        pw_addr_o,
    output wire [31:0]        pw_data_o,
    output wire [15:0]        pw_tag_o,
    input  wire               pw_ready_i,
    // To event_kernel_table
    output wire               dec_valid_o,
    output wire [RowBits-1:0] dec_row_o,
    output wire               quiet_o
);

    generate
        if (Depth < 2 || (1 << DepthLog2) != Depth) begin : g_check
            event_completion_needs_depth_a_power_of_two check_parameters ();
        end
    endgenerate

    localparam [DepthLog2:0] Full = Depth[DepthLog2:0];

    // Ring of completions: taken, then answered, then left. The pointers have a wrap bit.
    reg [RowBits+15:0] event_q   [0:Depth-1];
    reg [63:0]         pointer_q [0:Depth-1];
    reg [DepthLog2:0]  taken_q, answered_q, left_q;
    reg                done_ready_q, mr_valid_q, pw_valid_q, dec_valid_q;
    reg [63:0]         mr_addr_q, pw_addr_q;
    reg [15:0]         pw_tag_q;
    reg [RowBits-1:0]  pw_row_q, dec_row_q;

    wire take   = done_valid_i && done_ready_q;
    wire [DepthLog2:0] after_answer = answered_q + 1'b1;
    wire unsent = mr_valid_q && after_answer == taken_q; // the only unanswered read is not out yet
    wire answer = mr_rsp_valid_i && answered_q != taken_q && !unsent;
    wire leave  = answered_q != left_q && !pw_valid_q;
    wire sent   = pw_valid_q && pw_ready_i;

    wire [63:0]        pointer = pointer_q[left_q[DepthLog2-1:0]];
    wire [RowBits-1:0] row;
    wire [15:0]        tag;
    assign {row, tag} = event_q[left_q[DepthLog2-1:0]];
    wire               null_pointer = pointer == 64'd0;

    wire [DepthLog2:0] taken_d = taken_q + {{DepthLog2{1'b0}}, take};
    wire [DepthLog2:0] left_d  = left_q + {{DepthLog2{1'b0}}, leave};
    wire               mr_valid_d = take || (mr_valid_q && !mr_ready_i);

    always @(posedge clk_i) begin
        if (rst_i) begin
            taken_q      <= {DepthLog2 + 1{1'b0}};
            answered_q   <= {DepthLog2 + 1{1'b0}};
            left_q       <= {DepthLog2 + 1{1'b0}};
            done_ready_q <= 1'b1;
            mr_valid_q   <= 1'b0;
            pw_valid_q   <= 1'b0;
            dec_valid_q  <= 1'b0;
        end else begin
            taken_q      <= taken_d;
            left_q       <= left_d;
            if (answer)
                answered_q <= after_answer;
            done_ready_q <= !mr_valid_d && taken_d - left_d != Full;
            mr_valid_q   <= mr_valid_d;
            if (leave && !null_pointer)
                pw_valid_q <= 1'b1;
            else if (pw_ready_i)
                pw_valid_q <= 1'b0;
            dec_valid_q <= sent || (leave && null_pointer);
        end
    end

    always @(posedge clk_i) begin
        if (take) begin
            event_q[taken_q[DepthLog2-1:0]] <= {done_row_i, done_tag_i};
            mr_addr_q <= done_param_i;
        end
        if (answer)
            pointer_q[answered_q[DepthLog2-1:0]] <= mr_rsp_data_i;
        if (leave) begin
            pw_row_q <= row;
            if (!null_pointer) begin
                pw_addr_q <= pointer;
                pw_tag_q  <= tag;
            end
        end
        if (sent)
            dec_row_q <= pw_row_q;
        else if (leave)
            dec_row_q <= row;
    end

    assign done_ready_o = done_ready_q;
    assign mr_valid_o   = mr_valid_q;
    assign mr_addr_o    = mr_addr_q;
    assign pw_valid_o   = pw_valid_q;
    assign pw_addr_o    = pw_addr_q;
    assign pw_data_o    = `EVG_COMPLETION_DONE;
    assign pw_tag_o     = pw_tag_q;
    assign dec_valid_o  = dec_valid_q;
    assign dec_row_o    = dec_row_q;
    assign quiet_o      = taken_q == left_q && !pw_valid_q && !dec_valid_q && done_ready_q;

`ifdef FORMAL
`include "event_completion.fv.vh"
`endif

endmodule

`default_nettype wire
