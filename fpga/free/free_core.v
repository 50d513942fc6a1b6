// SPDX-License-Identifier: Apache-2.0
// free_core: what an event unit sees of a SIMT core, for a board that runs by itself: eight warp contexts
// (free_warp), a register file as a number, barriers of all its background warps, save and restore.
//
// Contract
// - The ports are those of sm_event_unit, from its other side (rtl/evgpu.def); inputs that carry what a
//   core does not look at are left out. Answers come in the cycle of the command, but for save and
//   restore, which take 4 cycles and one for each unit of registers. Registers that a pop gives back are free a
//   cycle later, and a scan sees the core as it was at the beginning of the cycle. So does the event unit, of
//   a push: it looks at nothing else in that cycle.
// - Background warps have 8 of 72 units of registers and are launched, one per cycle, while active_i:
//   into what want_drain_i and claim_regs_i leave.
// - wrong_o: pulse, a cycle after the event unit has done what it must not: pushed an event on a warp that is
//   not flushed, released one early from a barrier or into one that is over, or taken an event off that has not
//   ended.
`default_nettype none
`include "evgpu_defs.vh"

module free_core #(
    parameter [31:0] Number = 0 // of the core
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i, // a run begins: seed_i is taken
    input  wire [31:0]  seed_i,
    input  wire         active_i,
    input  wire [3:0]   cfg_opts_i,
    input  wire         cfg_spare_i,
    // Event unit
    input  wire         want_drain_i,
    input  wire [6:0]   claim_regs_i,
    input  wire         cand_req_i,
    input  wire [6:0]   now_regs_i,
    input  wire         vic_valid_i,
    input  wire [5:0]   vic_warp_i,
    input  wire         cmd_flush_i,
    input  wire         cmd_drop_i,
    input  wire         cmd_save_i,
    input  wire [6:0]   save_regs_i,
    input  wire         cmd_push_i,
    input  wire [5:0]   push_warp_i,
    input  wire         push_fresh_i,
    input  wire         push_spare_i,
    input  wire [1:0]   push_entry_i,
    input  wire [6:0]   push_regs_i,
    input  wire         cmd_pop_i,
    input  wire [5:0]   pop_warp_i,
    input  wire [1:0]   pop_entry_i,
    input  wire         cmd_restore_i,
    input  wire [6:0]   restore_regs_i,
    input  wire         cmd_release_i,
    input  wire [5:0]   release_warp_i,
    input  wire         release_barrier_i,
    output wire         free_warp_o,
    output wire [5:0]   free_slot_o,
    output wire [9:0]   free_regs_o,
    output wire [15:0]  now_o,
    output wire         cand_valid_o,
    output wire [7:0]   cand_ok_o,
    output wire [55:0]  cand_regs_o,
    output wire [127:0] cand_stamp_o,
    output wire [71:0]  cand_pipe_o,
    output wire [15:0]  cand_ibuf_o,
    output wire [7:0]   cand_loads_o,
    output wire [7:0]   cand_younger_o,
    output wire [7:0]   cand_barrier_o,
    output wire [63:0]  cand_now_o,
    output wire [63:0]  cand_drop_o,
    output wire         vic_alive_o,
    output wire [1:0]   vic_ibuf_o,
    output wire         vic_fetch_o,
    output wire         vic_pipe_o,
    output wire         vic_loads_o,
    output wire         vic_younger_o,
    output wire         vic_barrier_o,
    output wire         push_ok_o,
    output wire         push_fail_o,
    output wire         save_done_o,
    output wire         restore_done_o,
    output wire [63:0]  bar_done_o,
    output wire         exit_valid_o,
    output wire [5:0]   exit_warp_o,
    // Front end: scan of the cores
    input  wire [6:0]   stat_regs_i,
    output wire         stat_free_o,
    output wire         stat_fits_o,
    // Observation
    output wire         wrong_o
);

    localparam Warps = 8;
    localparam [31:0] Mix = 32'h9e3779b9; // the golden ratio: seeds of the cores differ in many bits
    localparam [6:0] Back  = 7'd8; // units of registers
    localparam [6:0] Total = 7'd72;

    wire [31:0] random;
    free_random u_random (
        .clk_i(clk_i), .rst_i(rst_i), .load_i(start_i), .seed_i(seed_i + Mix * (Number + 1)),
        .value_o(random)
    );

    function [7:0] onehot(input valid, input [2:0] index);
        onehot = valid ? 8'd1 << index : 8'd0;
    endfunction

    function [2:0] lowest(input [7:0] set); // not of an empty one
        lowest = set[0] ? 3'd0 : set[1] ? 3'd1 : set[2] ? 3'd2 : set[3] ? 3'd3 :
                 set[4] ? 3'd4 : set[5] ? 3'd5 : set[6] ? 3'd6 : {2'd3, set[7]};
    endfunction

    wire [7:0]  alive, on, was_on, under, over;
    wire [7:0]  fetch, loads, younger, barrier, waiting, launchable, gone, ended;
    wire [15:0] ibuf;
    wire [23:0] pipe;

    // --- Registers and the push --------------------------------------------------------------------
    reg [6:0]  free_q;
    reg [31:0] given_q; // units that the event of an entry has for itself
    wire [6:0] given   = given_q[{pop_entry_i, 3'd0} +: 7];
    wire       own     = push_fresh_i || push_spare_i;
    wire [7:0] rest    = {1'b0, free_q} - {1'b0, push_regs_i};
    wire       room    = !own || !rest[7];
    wire [2:0] push_at = push_warp_i[2:0];
    wire       place   = alive[push_at] != push_fresh_i && !on[push_at] && !under[push_at];
    wire       placed  = cmd_push_i && place && room;
    wire [6:0] free    = placed && own ? rest[6:0] : free_q; // what is popped comes back at the edge

    wire [7:0] victim  = onehot(vic_valid_i, vic_warp_i[2:0]);
    wire [7:0] pushed  = onehot(placed, push_at);
    wire [7:0] popped  = onehot(cmd_pop_i, pop_warp_i[2:0]);
    wire [7:0] let_go  = onehot(cmd_release_i, release_warp_i[2:0]);

    // --- Launches, barriers, exits -----------------------------------------------------------------
    wire [7:0] claimed  = {1'b0, claim_regs_i} + {1'b0, Back};
    wire       launches = active_i && !want_drain_i && launchable != 8'd0 && {1'b0, free} >= claimed;
    wire [7:0] launch   = onehot(launches, lowest(launchable));
    wire       barrier_done = (alive & waiting) != 8'd0 && (alive & ~waiting) == 8'd0;
    wire [7:0] exits    = onehot(ended != 8'd0, lowest(ended));

    reg [15:0] launched_q;
    reg [7:0]  save_q, restore_q;
    wire [3:0] left_count = {3'd0, gone[0]} + {3'd0, gone[1]} + {3'd0, gone[2]} + {3'd0, gone[3]} +
                            {3'd0, gone[4]} + {3'd0, gone[5]} + {3'd0, gone[6]} + {3'd0, gone[7]};
    integer e;

    always @(posedge clk_i) begin
        free_q     <= free - (launches ? Back : 7'd0) + (cmd_pop_i ? given : 7'd0) + {left_count, 3'd0};
        launched_q <= launched_q + {15'd0, launches};
        save_q     <= cmd_save_i ? {1'b0, save_regs_i} + 8'd4 : save_q - {7'd0, save_q != 8'd0};
        restore_q  <= cmd_restore_i ? {1'b0, restore_regs_i} + 8'd4 :
                      restore_q - {7'd0, restore_q != 8'd0};
        for (e = 0; e < 4; e = e + 1)
            if (cmd_push_i && push_entry_i == e[1:0])
                given_q[8 * e +: 8] <= own ? {1'b0, push_regs_i} : 8'd0;
        if (rst_i) begin
            free_q     <= Total;
            launched_q <= 16'd0;
            save_q     <= 8'd0;
            restore_q  <= 8'd0;
            given_q    <= 32'd0;
        end
    end

    genvar w;
    generate
        for (w = 0; w < Warps; w = w + 1) begin : g_warp
            // Warps that draw in the same cycle get other bits.
            localparam Low = 4 * w;
            wire [7:0] draw;
            if (Low <= 24) begin : g_bits
                assign draw = random[Low +: 8];
            end else begin : g_wrapped
                assign draw = {random[3:0], random[31:28]};
            end
            free_warp u_warp (
                .clk_i(clk_i), .rst_i(rst_i), .draw_i(draw), .hold_i(victim[w]),
                .flush_i(cmd_flush_i && victim[w]), .drop_i(cmd_drop_i && victim[w]),
                .push_i(pushed[w]), .pop_i(popped[w]), .release_i(let_go[w]),
                .launch_i(launch[w]), .stamp_i(launched_q), .barrier_done_i(barrier_done),
                .exit_i(exits[w]), .alive_o(alive[w]), .event_o(on[w]), .was_event_o(was_on[w]), .under_o(under[w]),
                .ibuf_o(ibuf[2*w +: 2]), .fetch_o(fetch[w]), .pipe_o(pipe[3*w +: 3]),
                .loads_o(loads[w]), .younger_o(younger[w]), .barrier_o(barrier[w]),
                .waiting_o(waiting[w]), .stamp_o(cand_stamp_o[16*w +: 16]),
                .launchable_o(launchable[w]), .gone_o(gone[w]), .ended_o(ended[w]), .over_o(over[w])
            );
            assign cand_regs_o[7*w +: 7] = Back;
            assign cand_pipe_o[9*w +: 9] = {6'd0, pipe[3*w +: 3]};
        end
    endgenerate

    // --- Candidates --------------------------------------------------------------------------------
    wire [7:0] open   = alive & ~on & ~under;
    wire       enough = now_regs_i <= Back || (cfg_spare_i && free_q >= now_regs_i);
    wire [7:0] empty, idle;
    generate
        for (w = 0; w < Warps; w = w + 1) begin : g_ready
            assign empty[w] = ibuf[2*w +: 2] == 2'd0;
            assign idle[w]  = pipe[3*w +: 3] == 3'd0;
        end
    endgenerate
    wire [7:0] at_once = open & ~victim & ~fetch & idle & {8{enough}} &
                         (empty | {8{(cfg_opts_i & `EVG_OPT_FLUSH_IBUF) != 0}}) &
                         (~barrier | {8{(cfg_opts_i & `EVG_OPT_SKIP_BARRIER) != 0}}) &
                         (~loads | ({8{(cfg_opts_i & `EVG_OPT_DROP_LOADS) != 0}} & ~younger & ~barrier));

    assign cand_valid_o   = cand_req_i;
    assign cand_ok_o      = open;
    assign cand_ibuf_o    = ibuf;
    assign cand_loads_o   = loads;
    assign cand_younger_o = loads & younger;
    assign cand_barrier_o = barrier;
    assign cand_now_o     = {56'd0, at_once};
    assign cand_drop_o    = {56'd0, at_once & loads};

    // --- The victim --------------------------------------------------------------------------------
    wire [2:0] vic = vic_warp_i[2:0];
    assign vic_alive_o   = vic_valid_i && alive[vic];
    assign vic_ibuf_o    = vic_valid_i ? ibuf[{vic, 1'b0} +: 2] : 2'd0;
    assign vic_fetch_o   = vic_valid_i && fetch[vic];
    assign vic_pipe_o    = vic_valid_i && !idle[vic];
    assign vic_loads_o   = vic_valid_i && loads[vic];
    assign vic_younger_o = vic_valid_i && loads[vic] && younger[vic];
    assign vic_barrier_o = vic_valid_i && barrier[vic];

    wire [7:0] contexts = ~alive & ~on;
    wire [7:0] earlier  = ~alive & ~was_on; // at the beginning of the cycle
    assign free_warp_o    = contexts != 8'd0;
    assign free_slot_o    = {3'd0, lowest(contexts)};
    assign free_regs_o    = {3'd0, free_q};
    assign now_o          = launched_q;
    assign push_ok_o      = placed;
    assign push_fail_o    = cmd_push_i && !placed;
    assign save_done_o    = save_q == 8'd1;
    assign restore_done_o = restore_q == 8'd1;
    assign bar_done_o     = barrier_done ? {56'd0, alive & waiting} : 64'd0;
    assign exit_valid_o   = ended != 8'd0;
    assign exit_warp_o    = {3'd0, lowest(ended)};
    // A scan may see the core as it was a cycle ago.
    wire stat_room = free_q >= stat_regs_i;
    assign stat_free_o    = earlier != 8'd0 && stat_room;
    assign stat_fits_o    = !stat_free_o && (stat_regs_i <= Back || (cfg_spare_i && stat_room));

    wire [2:0] pop_at = pop_warp_i[2:0], rel = release_warp_i[2:0];
    reg        wrong_q;

    always @(posedge clk_i)
        wrong_q <= !rst_i && ((placed && !push_fresh_i &&
                               (fetch[push_at] || loads[push_at] || !idle[push_at] || !empty[push_at])) ||
                              (cmd_release_i && release_barrier_i != waiting[rel]) ||
                              (cmd_pop_i && !over[pop_at]));

    assign wrong_o = wrong_q;

    wire unused = &{1'b0, vic_warp_i[5:3], push_warp_i[5:3], pop_warp_i[5:3], release_warp_i[5:3]};

endmodule
`default_nettype wire
