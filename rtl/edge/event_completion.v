// SPDX-License-Identifier: Apache-2.0
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
//     address                                    write  counter       pw_bad_o, pw_why_o
//     0: nobody waits                            no     -              -
//     not a multiple of FLAG_BYTES               no     err_pointer_o  FLAG_LOST_POINTER
//     in front of the first flag or behind the   no     err_pointer_o  FLAG_LOST_POINTER
//     last one
//     any other                                  yes    -              -
//     none: the read was answered with an error  no     err_answer_o   FLAG_LOST_ANSWER
//     none in time; or the flag was not taken    no     err_timeout_o  FLAG_LOST_TIMEOUT
//     in time
//     any, of a row that is silent               no     err_silent_o   FLAG_LOST_SILENT
//
//   pw_bad_o is a pulse with pw_tag_o and pw_addr_o, which is 0 where no address is known.
// - Completions leave in the order they came. So that no row holds the others, the one in front waits
//   at most cfg_limit_i edges for its read's answer, and after it as many for pw_ready_i; 0 is for
//   ever. An answer counts up to the edge cfg_limit_i - 1 after the completion is in front, a
//   pw_ready_i up to the edge cfg_limit_i after pw_valid_o; then its row becomes silent until it is
//   opened again: what it has inside leaves without a flag, and what comes is not read. pw_valid_o and
//   mr_valid_o may fall without their ready then.
// - So, with L = cfg_limit_i, whatever mr_* and pw_* do: one completion leaves in every 2 L + 2 edges as
//   long as one is inside.
// - Reads have tags, and are answered in any order. An answer that comes late is dropped: a tag is not
//   used again before its read is answered. There are 1 << GenBits tags for each place of the
//   ring; a completion that finds none for its place, since so many reads of that place have not been
//   answered, leaves in its turn without a flag, as after an error.
// - mr_* is held until mr_ready_i; answers (mr_rsp_valid_i) need no ready. pw_* is held until
//   pw_ready_i.
// - Depth completions can wait, besides the one being written; done_ready_o is low from there on,
//   in the cycle after a completion is taken, and for the time a read waits for mr_ready_i.
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
// - Illegal: an answer whose tag is of no read outstanding (ignored); a row opened while its completions
//   are inside (which window they see is not said).
// - quiet_o: no completion is inside; without one, an answer or a command no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module event_completion #(
    parameter RowBits     = 5,
    parameter Depth       = `EVG_COMPLETION_READS, // power of two
    parameter DepthLog2   = 3,
    parameter GenBits     = `EVG_COMPLETION_TAG_BITS - DepthLog2, // 1.., of a tag: reads of a place
    parameter LimitBits   = 24, // 2..32
    parameter AddressBits = 64, // windows lie below 2**AddressBits
    parameter CounterBits = 32
) (
    input  wire               clk_i,
    input  wire               rst_i,
    input  wire [LimitBits-1:0] cfg_limit_i,
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
    output wire [DepthLog2+GenBits-1:0] mr_tag_o,
    input  wire               mr_ready_i,
    input  wire               mr_rsp_valid_i,
    input  wire [DepthLog2+GenBits-1:0] mr_rsp_tag_i,
    input  wire               mr_rsp_error_i,
    input  wire [63:0]        mr_rsp_data_i,
    // PCIe write
    output wire               pw_valid_o,
    output wire [63:0]        pw_addr_o,
    output wire [31:0]        pw_data_o,
    output wire [15:0]        pw_tag_o,
    output wire               pw_bad_o,
    output wire [1:0]         pw_why_o,
    input  wire               pw_ready_i,
    // Completions without a flag, by the reason
    input  wire                   err_clear_i,
    output wire [CounterBits-1:0] err_pointer_o,
    output wire [CounterBits-1:0] err_answer_o,
    output wire [CounterBits-1:0] err_timeout_o,
    output wire [CounterBits-1:0] err_silent_o,
    // To doorbell_decoder
    output wire               dec_valid_o,
    output wire [RowBits-1:0] dec_row_o,
    output wire               quiet_o
);

    generate
        if (Depth < 2 || (1 << DepthLog2) != Depth) begin : g_check
            event_completion_needs_depth_a_power_of_two check_parameters ();
        end
        if (GenBits < 1 || GenBits > 6 || LimitBits < 2 || LimitBits > 32) begin : g_check_tags
            event_completion_needs_tags_and_a_limit check_parameters ();
        end
    endgenerate

    localparam [DepthLog2:0] Full = Depth[DepthLog2:0];
    localparam FlagBits = AddressBits - 2;
    localparam Gens     = 1 << GenBits;

    // Ring of completions: taken, then known what becomes of each, then left. The pointers have a wrap bit.
    reg [RowBits-1:0]  row_q     [0:Depth-1];
    reg [16:0]         event_q   [0:Depth-1];
    reg [63:0]         pointer_q [0:Depth-1];
    reg [Depth-1:0]    null_q, good_q; // what an answer is, good_q a cycle later; a good one may be null
    reg [Depth-1:0]    known_q;        // answered, or lost; also where no completion is
    reg [Depth-1:0]    lost_q;         // there is no flag, because of ...
    reg [1:0]          why_q     [0:Depth-1];
    reg [2*FlagBits-1:0] window_q [0:Depth-1];
    reg [Depth*Gens-1:0] out_q;   // tags of reads that have not been answered, ...
    reg [Depth*Gens-1:0] waits_q; // ... and of those whose completion waits for the answer
    reg [(1<<RowBits)-1:0] silent_q;
    reg [DepthLog2:0]  taken_q, left_q;
    reg                done_ready_q, mr_valid_q, pw_valid_q, pw_bad_q, dec_valid_q;
    reg [63:0]         mr_addr_q, pw_addr_q;
    reg [DepthLog2+GenBits-1:0] mr_tag_q;
    reg [15:0]         pw_tag_q;
    reg [1:0]          pw_why_q;
    reg                pw_aborted_q;
    reg [RowBits-1:0]  pw_row_q, dec_row_q;
    reg [LimitBits-1:0] wait_q;     // edges for which the completion in front has been there, or at the port
    reg                over_q;      // ... as long as it may
    reg                silence_q;   // a row has become silent, a cycle ago
    reg [RowBits-1:0]  silence_row_q;

    wire               any   = taken_q != left_q;
    wire [DepthLog2-1:0] place = left_q[DepthLog2-1:0];
    wire [63:0]        pointer = pointer_q[place];
    wire [RowBits-1:0] row     = row_q[place];
    wire [15:0]        tag;
    wire               aborted;
    assign {tag, aborted} = event_q[place];
    wire               known = known_q[place];
    wire               null_pointer = null_q[place];
    wire               good;

    wire take  = done_valid_i && done_ready_q;
    wire leave = any && !pw_valid_q && !silence_q && (known || over_q);
    wire lost  = lost_q[place] || !known;
    wire [1:0] why = !lost_q[place] && known ? `EVG_FLAG_LOST_POINTER :
                     known ? why_q[place] : `EVG_FLAG_LOST_TIMEOUT;
    wire write = leave && !lost && !null_pointer && good;
    wire bad   = leave && (lost || (!null_pointer && !good));
    wire sent  = pw_valid_q && pw_ready_i;
    wire give_up = pw_valid_q && !pw_ready_i && over_q;        // its flag
    wire late    = leave && !known;                            // its answer
    wire ends    = leave || sent || give_up;

    wire given = leave && known && lost_q[place]; // its reason: why_q
    wire [1:0] failed_why = give_up ? `EVG_FLAG_LOST_TIMEOUT : why;

    // The tag of the next read: of its place, and of a read that is not out
    wire [DepthLog2-1:0] next_place = taken_q[DepthLog2-1:0];
    reg                  gen_free;
    reg [GenBits-1:0]    gen;
    integer              g;
    always @* begin
        gen_free = 1'b0;
        gen      = {GenBits{1'b0}};
        for (g = Gens - 1; g >= 0; g = g - 1)
            if (!out_q[{next_place, g[GenBits-1:0]}]) begin
                gen_free = 1'b1;
                gen      = g[GenBits-1:0];
            end
    end
    wire mute = silent_q[done_row_i];
    wire ask  = take && !mute && gen_free;

    // The read at the port is of the last completion taken; it is withdrawn if that has been given up.
    wire [DepthLog2-1:0] last_taken = taken_q[DepthLog2-1:0] - 1'b1;
    wire withdraw = mr_valid_q && known_q[last_taken];

    // The place of a read is the rest of its tag. Each place looks at its own tags only; choosing one of all
    // first would take longer.
    wire [DepthLog2-1:0] answer_place = mr_rsp_tag_i[GenBits+:DepthLog2];
    wire [Depth-1:0]     awaited; // the answer is this one's
    reg  [Depth-1:0]     judging_q; // its answer came a cycle ago, and was ...
    reg                  behind_q, before_q, aligned_q; // not in front of the first flag, not behind the last
    wire                 judged = behind_q && before_q && aligned_q;
    assign               good   = judging_q[place] ? judged : good_q[place];
    genvar               p;
    generate
        for (p = 0; p < Depth; p = p + 1) begin : g_place
            wire [Gens-1:0] waits = waits_q[Gens*p+:Gens];
            assign awaited[p] = mr_rsp_valid_i && answer_place == p && waits[mr_rsp_tag_i[GenBits-1:0]];
        end
    endgenerate

    // The row's window is read with the completion and is in its place before the answer can come,
    // which is judged on its arrival: so addresses are not compared where a completion leaves.
    reg                   took_q; // a completion has been taken
    wire [FlagBits-1:0]   first, last;
    wire                  window_quiet;
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
    wire               mr_stays = mr_valid_q && !mr_ready_i && !withdraw;
    wire               keep   = (any || pw_valid_q) && !ends;
    wire [LimitBits-1:0] wait_d = keep ? wait_q + 1'b1 : {LimitBits{1'b0}};

    always @(posedge clk_i) begin
        if (rst_i) begin
            taken_q      <= {DepthLog2 + 1{1'b0}};
            left_q       <= {DepthLog2 + 1{1'b0}};
            done_ready_q <= 1'b1;
            mr_valid_q   <= 1'b0;
            pw_valid_q   <= 1'b0;
            pw_bad_q     <= 1'b0;
            dec_valid_q  <= 1'b0;
            took_q       <= 1'b0;
            judging_q    <= {Depth{1'b0}};
            wait_q       <= {LimitBits{1'b0}};
            over_q       <= 1'b0;
            silence_q    <= 1'b0;
        end else begin
            taken_q      <= taken_d;
            left_q       <= left_d;
            done_ready_q <= !take && !mr_stays && taken_d - left_d != Full;
            mr_valid_q   <= ask || mr_stays;
            if (write)
                pw_valid_q <= 1'b1;
            else if (sent || give_up)
                pw_valid_q <= 1'b0;
            pw_bad_q    <= bad || give_up;
            dec_valid_q <= sent || give_up || (leave && !write);
            took_q      <= take;
            judging_q   <= awaited;
            wait_q      <= wait_d;
            over_q      <= keep && cfg_limit_i != {LimitBits{1'b0}} && wait_d >= cfg_limit_i;
            silence_q   <= give_up || late;
        end
    end

    // What becomes of each completion. A silent row's are lost whatever was known of them.
    integer n;
    always @(posedge clk_i) begin
        for (n = 0; n < Depth; n = n + 1)
            if (awaited[n]) begin
                known_q[n] <= 1'b1;
                lost_q[n]  <= mr_rsp_error_i;
                why_q[n]   <= `EVG_FLAG_LOST_ANSWER;
            end
        if (silence_q)
            for (n = 0; n < Depth; n = n + 1)
                if (row_q[n] == silence_row_q) begin
                    known_q[n] <= 1'b1;
                    lost_q[n]  <= 1'b1;
                    why_q[n]   <= `EVG_FLAG_LOST_SILENT;
                end
        if (late)
            known_q[place] <= 1'b1;
        if (take) begin
            known_q[next_place] <= !ask;
            lost_q[next_place]  <= !ask;
            why_q[next_place]   <= mute ? `EVG_FLAG_LOST_SILENT : `EVG_FLAG_LOST_ANSWER;
        end
        if (rst_i)
            known_q <= {Depth{1'b1}};
    end

    // A tag is out from the cycle in which its read is at the port: before the next one can be chosen. It is
    // answered at the earliest when it has left the port.
    integer m;
    always @(posedge clk_i)
        if (rst_i) begin
            out_q    <= {Depth * Gens{1'b0}};
            waits_q  <= {Depth * Gens{1'b0}};
            silent_q <= {(1 << RowBits){1'b0}};
        end else begin
            if (mr_rsp_valid_i) begin
                out_q[mr_rsp_tag_i]   <= 1'b0;
                waits_q[mr_rsp_tag_i] <= 1'b0;
            end
            if (mr_valid_q)
                out_q[mr_tag_q] <= mr_ready_i || !withdraw;
            if (mr_valid_q && mr_ready_i && !withdraw)
                waits_q[mr_tag_q] <= 1'b1;
            for (m = 0; m < Depth; m = m + 1)
                if ((silence_q && row_q[m] == silence_row_q) || (late && place == m[DepthLog2-1:0]))
                    waits_q[Gens*m+:Gens] <= {Gens{1'b0}};
            if (open_valid_i)
                silent_q[open_row_i] <= 1'b0;
            if (give_up)
                silent_q[pw_row_q] <= 1'b1;
            else if (late)
                silent_q[row] <= 1'b1;
        end

    integer i;
    always @(posedge clk_i) begin
        if (take) begin
            row_q[next_place]   <= done_row_i;
            event_q[next_place] <= {done_tag_i, done_aborted_i};
            mr_addr_q           <= done_param_i;
            mr_tag_q            <= {next_place, gen};
        end
        if (took_q)
            window_q[last_taken] <= {last, first};
        if (awaited != {Depth{1'b0}})
            pointer_q[answer_place] <= mr_rsp_data_i;
        if (mr_rsp_valid_i) begin
            behind_q  <= flag >= flag_first;
            before_q  <= flag <= flag_last;
            aligned_q <= mr_rsp_data_i[1:0] == 2'd0;
        end
        for (i = 0; i < Depth; i = i + 1) begin
            if (awaited[i])
                null_q[i] <= mr_rsp_data_i == 64'd0;
            if (judging_q[i])
                good_q[i] <= judged;
        end
        if (leave) begin
            pw_row_q <= row;
            if (lost || !null_pointer) begin
                pw_addr_q    <= lost ? 64'd0 : pointer;
                pw_tag_q     <= tag;
                pw_aborted_q <= aborted;
            end
        end
        if (leave || give_up)
            pw_why_q <= failed_why;
        if (late || give_up)
            silence_row_q <= give_up ? pw_row_q : row;
        if (sent || give_up)
            dec_row_q <= pw_row_q;
        else if (leave)
            dec_row_q <= row;
    end

    saturating_counter #(.Width(CounterBits)) u_pointer (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i),
        .count_i(bad && !lost), .value_o(err_pointer_o));
    saturating_counter #(.Width(CounterBits)) u_answer (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i),
        .count_i(given && why_q[place] == `EVG_FLAG_LOST_ANSWER), .value_o(err_answer_o));
    saturating_counter #(.Width(CounterBits)) u_timeout (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i),
        .count_i(give_up || late), .value_o(err_timeout_o));
    saturating_counter #(.Width(CounterBits)) u_silent (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(err_clear_i),
        .count_i(given && why_q[place] == `EVG_FLAG_LOST_SILENT), .value_o(err_silent_o));

    assign done_ready_o = done_ready_q;
    assign mr_valid_o   = mr_valid_q;
    assign mr_addr_o    = mr_addr_q;
    assign mr_tag_o     = mr_tag_q;
    assign pw_valid_o   = pw_valid_q;
    assign pw_addr_o    = pw_addr_q;
    assign pw_data_o    = pw_aborted_q ? `EVG_COMPLETION_ABORTED : `EVG_COMPLETION_DONE;
    assign pw_tag_o     = pw_tag_q;
    assign pw_bad_o     = pw_bad_q;
    assign pw_why_o     = pw_why_q;
    assign dec_valid_o  = dec_valid_q;
    assign dec_row_o    = dec_row_q;
    assign quiet_o      = taken_q == left_q && !pw_valid_q && !dec_valid_q && done_ready_q &&
                          window_quiet;

`ifdef FORMAL
`include "properties/event_completion.fv.vh"
`endif

endmodule

`default_nettype wire
