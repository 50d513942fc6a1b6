// event_completion: tells the external device that an event kernel has completed (EDGE III-B,
// III-C).
//
// Contract
// - A completion is taken with done_valid_i and done_ready_o. Its submission queue entry begins
//   with the 8-byte address of its completion queue entry, which is read through mr_*; then the
//   4-byte flag is written to that address through pw_*, once, if it is good: COMPLETION_DONE, or
//   COMPLETION_ABORTED for an event that the driver has ended (done_aborted_i). In every case the
//   row's event is then counted down by one dec_valid_o pulse.
// - The address lies in memory that kernels write, so it is judged by the row's window
//   (completion_window), which the driver has registered; in this order:
//
//     address                                    write  err_pointer_o  pw_bad_o
//     0: nobody waits                            no     -              -
//     not a multiple of FLAG_BYTES               no     +1             pulse, with pw_addr_o, pw_tag_o
//     in front of the first flag or behind the   no     +1             pulse, with pw_addr_o, pw_tag_o
//     last one
//     any other                                  yes    -              -
//
// - mr_* is held until mr_ready_i; answers (mr_rsp_valid_i) need no ready and come in the order of
//   the reads. pw_* is held until pw_ready_i. Completions leave in the order they came.
// - Depth completions can wait, besides the one being written; done_ready_o is low from there on,
//   and for the time a read waits for mr_ready_i.
// - Latency: read one cycle after the completion is taken; write two cycles after the answer; dec
//   one cycle after the write is taken, or two after the answer, with pw_bad_o, if nothing is written.
//
//     clk             0     1     2     3     4     5
//     done_valid_i    --\______________________________
//     mr_valid_o      __/-----\________________________   mr_ready_i at once
//     mr_rsp_valid_i  ________/-----\__________________
//     pw_valid_o      ____________________/-----\______   pw_ready_i at once; or pw_bad_o here
//     dec_valid_o     __________________________/-----\   ... with pw_bad_o
//
// - cmd_*, open_*: as in completion_window.
// - Illegal: an answer without a read outstanding (ignored); a row opened while its completions are
//   inside (which window they see is not said).
// - quiet_o: no completion is inside; without one no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module event_completion #(
    parameter RowBits     = 5,
    parameter Depth       = `EVG_COMPLETION_READS, // power of two
    parameter DepthLog2   = 3,
    parameter AddressBits = 64, // windows lie below 2**AddressBits
    parameter CounterBits = 32
) (
    input  wire               clk_i,
    input  wire               rst_i,
    // Windows of the rows: command of the driver, from event_kernel_table the row that it has opened
    input  wire                   cmd_take_i,
    input  wire [AddressBits-1:0] cmd_flag_first_i,
    input  wire [AddressBits-1:0] cmd_flag_last_i,
    output wire                   cmd_bad_o,
    input  wire                   open_valid_i,
    input  wire [RowBits-1:0]     open_row_i,
    // From the cores: event kernels that have completed
    input  wire               done_valid_i,
    input  wire [RowBits-1:0] done_row_i,
    input  wire [63:0]        done_param_i,
    input  wire [15:0]        done_tag_i,
    input  wire               done_aborted_i,
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
    output wire               pw_bad_o,
    input  wire               pw_ready_i,
    // Completions whose pointer was bad
    input  wire                   err_clear_i,
    output wire [CounterBits-1:0] err_pointer_o,
    // To doorbell_decoder
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
    localparam FlagBits = AddressBits - 2;

    // Ring of completions: taken, then answered, then left. The pointers have a wrap bit.
    reg [RowBits+16:0] event_q   [0:Depth-1];
    reg [63:0]         pointer_q [0:Depth-1];
    reg [Depth-1:0]    null_q, good_q; // what an answer is; a good one may be null
    reg [2*FlagBits-1:0] window_q [0:Depth-1];
    reg [DepthLog2:0]  taken_q, answered_q, left_q;
    reg                done_ready_q, mr_valid_q, pw_valid_q, pw_bad_q, dec_valid_q;
    reg [63:0]         mr_addr_q, pw_addr_q;
    reg [15:0]         pw_tag_q;
    reg                pw_aborted_q;
    reg [RowBits-1:0]  pw_row_q, dec_row_q;

    wire take   = done_valid_i && done_ready_q;
    wire [DepthLog2:0] after_answer = answered_q + 1'b1;
    wire unsent = mr_valid_q && after_answer == taken_q; // the only unanswered read is not out yet
    wire answer = mr_rsp_valid_i && answered_q != taken_q && !unsent;
    wire leave  = answered_q != left_q && !pw_valid_q;
    wire sent   = pw_valid_q && pw_ready_i;

    wire [DepthLog2-1:0] place = left_q[DepthLog2-1:0];
    wire [63:0]        pointer = pointer_q[place];
    wire [RowBits-1:0] row;
    wire [15:0]        tag;
    wire               aborted;
    assign {row, tag, aborted} = event_q[place];
    wire               null_pointer = null_q[place];
    wire               write = leave && !null_pointer && good_q[place];
    wire               bad   = leave && !null_pointer && !good_q[place];

    // The row's window is read with the completion and is in its place before the answer can come,
    // which is judged on its arrival: so nothing is compared where a completion leaves.
    reg                   took_q; // a completion has been taken
    wire [DepthLog2-1:0]  last_taken = taken_q[DepthLog2-1:0] - 1'b1;
    wire [FlagBits-1:0]   first, last;
    wire                  window_quiet;
    wire [DepthLog2-1:0]  answer_place = answered_q[DepthLog2-1:0];
    wire [2*FlagBits-1:0] window = window_q[answer_place];
    wire [61:0]           flag       = mr_rsp_data_i[63:2];
    wire [61:0]           flag_first = {{64 - AddressBits{1'b0}}, window[FlagBits-1:0]};
    wire [61:0]           flag_last  = {{64 - AddressBits{1'b0}}, window[FlagBits+:FlagBits]};

    completion_window #(
        .RowBits(RowBits),
        .AddressBits(AddressBits)
    ) u_window (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .cmd_take_i(cmd_take_i),
        .cmd_first_i(cmd_flag_first_i),
        .cmd_last_i(cmd_flag_last_i),
        .cmd_bad_o(cmd_bad_o),
        .open_valid_i(open_valid_i),
        .open_row_i(open_row_i),
        .read_i(take),
        .row_i(done_row_i),
        .first_o(first),
        .last_o(last),
        .quiet_o(window_quiet)
    );

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
            pw_bad_q     <= 1'b0;
            dec_valid_q  <= 1'b0;
            took_q       <= 1'b0;
        end else begin
            taken_q      <= taken_d;
            left_q       <= left_d;
            if (answer)
                answered_q <= after_answer;
            done_ready_q <= !mr_valid_d && taken_d - left_d != Full;
            mr_valid_q   <= mr_valid_d;
            if (write)
                pw_valid_q <= 1'b1;
            else if (pw_ready_i)
                pw_valid_q <= 1'b0;
            pw_bad_q    <= bad;
            dec_valid_q <= sent || (leave && !write);
            took_q      <= take;
        end
    end

    always @(posedge clk_i) begin
        if (take) begin
            event_q[taken_q[DepthLog2-1:0]] <= {done_row_i, done_tag_i, done_aborted_i};
            mr_addr_q <= done_param_i;
        end
        if (took_q)
            window_q[last_taken] <= {last, first};
        if (answer) begin
            pointer_q[answer_place] <= mr_rsp_data_i;
            null_q[answer_place]    <= mr_rsp_data_i == 64'd0;
            good_q[answer_place]    <= mr_rsp_data_i[1:0] == 2'd0 && flag >= flag_first &&
                                       flag <= flag_last;
        end
        if (leave) begin
            pw_row_q <= row;
            if (!null_pointer) begin
                pw_addr_q    <= pointer;
                pw_tag_q     <= tag;
                pw_aborted_q <= aborted;
            end
        end
        if (sent)
            dec_row_q <= pw_row_q;
        else if (leave)
            dec_row_q <= row;
    end

    saturating_counter #(.Width(CounterBits)) u_pointer (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i), .count_i(bad),
        .value_o(err_pointer_o));

    assign done_ready_o = done_ready_q;
    assign mr_valid_o   = mr_valid_q;
    assign mr_addr_o    = mr_addr_q;
    assign pw_valid_o   = pw_valid_q;
    assign pw_addr_o    = pw_addr_q;
    assign pw_data_o    = pw_aborted_q ? `EVG_COMPLETION_ABORTED : `EVG_COMPLETION_DONE;
    assign pw_tag_o     = pw_tag_q;
    assign pw_bad_o     = pw_bad_q;
    assign dec_valid_o  = dec_valid_q;
    assign dec_row_o    = dec_row_q;
    assign quiet_o      = taken_q == left_q && !pw_valid_q && !dec_valid_q && done_ready_q &&
                          window_quiet;

`ifdef FORMAL
`include "properties/event_completion.fv.vh"
`endif

endmodule

`default_nettype wire
