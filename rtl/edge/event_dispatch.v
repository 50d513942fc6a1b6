// SPDX-License-Identifier: Apache-2.0
// event_dispatch: sends a launched event kernel to a SIMT core or to the pending event-kernel queue
// (EDGE III-C, IV-C, IV-E).
//
// Contract
// - A kernel is taken at an edge with kernel_valid_i and kernel_ready_o: a warp event (warp of
//   kernel_i: one block of at most WARP_LANES threads without shared memory) while fewer than two of its
//   priority wait here, anything else, which goes to big_*, while none of its priority does. The
//   priority of its row goes with a kernel. Whoever launches no more than that (launch_credit) never
//   waits.
// - Order: events of a priority and class keep it, so those of a row do. Of the warp events the oldest
//   of a priority is tried: the highest priority first, but what finds no core keeps no other from its
//   try; place_order says which is next, and the bound. So an event that cannot be placed does not hold
//   back those behind it: other priorities are tried for a core, larger kernels go to big_*, and what
//   is of its own priority could not be placed either, since eligibility depends on nothing else.
// - Core selection: the state of the cores is asked for group by group, SCAN_LANES cores each;
//   stat_req_o and stat_req_group_o are held until stat_valid_i with the same stat_group_i;
//   stat_req_regs_o, the event's registers, says for what free and fits of stat_cores_i are asked.
// - A core is eligible if its bit in cfg_core_mask_i is set and level_room says that its table has an
//   entry for the event's priority: one is kept for each other priority that has none there and an event
//   that waits here, and one for the others of levels_i together. Chosen is the smallest key, lowest core on equal keys:
//     cfg_mode_i PREEMPT         no free context, then does not fit, then victims held, then table
//                                occupancy, then busy
//     cfg_mode_i DRAIN, RESERVE  no free context, then table occupancy, then victims held, then busy
//   (without preemption only a free context runs the event)
//     cfg_mode_i DYNAMIC         not (kept for events, with a free context), then no free context,
//                                then does not fit, then as DRAIN
//   So a free context anywhere goes before a victim, and a core that can serve the event, by a victim or
//   with free registers, before one that cannot. Free and fit are of the event's own registers. If no
//   core is eligible the next is tried, or the same again.
//
//     cycle             t        t+1 ..           t+groups+3    t+groups+4
//     kernel            taken    (waits when another is being tried)
//     stat_req_o                 group 0, 1, ..
//     ev_valid_o                                  high, if every answer came at once and a core is eligible
//     stat_req_o                                  group 0 again if none is, of the next to be tried
//
// - ev_* is held until ev_ack_i. big_valid_o is high while a larger kernel waits; big_* shows the
//   one of the highest priority, and after a cycle without big_ready_i that of the next lower one (after
//   the lowest the highest again), so that one that kernel management has no place for does not hold
//   back another. The state reported in
//   a scan must include every event acknowledged before. Acknowledgements without valid are ignored.
// - cfg_core_groups_i of 0 counts as 1, above 8 as 8. cfg_* and levels_i may change at any time; a scan
//   under way mixes old and new.
// - Illegal, not checked: a warp event with a dimension of 0 or with other threads than the product
//   of its dimensions.
// - quiet_o: without a kernel no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module event_dispatch (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [3:0]  cfg_core_groups_i,
    input  wire [63:0] cfg_core_mask_i,
    input  wire [1:0]  cfg_mode_i,
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] levels_i, // priorities of which there are rows
    // From event_kernel_table
    input  wire        kernel_valid_i,
    input  wire [`EVG_LAUNCH_WIDTH-1:0] kernel_i,
    output wire        kernel_ready_o,
    // State of the cores of one group, the lowest core in the lowest bits
    output wire        stat_req_o,
    output wire [2:0]  stat_req_group_o,
    output wire [6:0]  stat_req_regs_o,
    input  wire        stat_valid_i,
    input  wire [2:0]  stat_group_i,
    input  wire [`EVG_SCAN_LANES*`EVG_CORE_STATUS_WIDTH-1:0] stat_cores_i,
    // To the SIMT cores
    output wire        ev_valid_o,
    output wire [`EVG_CORE_PLACE_WIDTH-1:0] ev_core_o,
    output wire [`EVG_EVENT_WIDTH-1:0] ev_event_o,
    output wire [`EVG_PRIORITY_BITS-1:0] ev_priority_o,
    input  wire        ev_ack_i,
    // To the pending event-kernel queue
    output wire        big_valid_o,
    output wire [`EVG_LARGER_WIDTH-1:0] big_kernel_o,
    output wire [`EVG_PRIORITY_BITS-1:0] big_priority_o,
    input  wire        big_ready_i,
    output wire        quiet_o
);

    localparam Lanes    = `EVG_SCAN_LANES;
    localparam KeyWidth = 10;
    localparam Bits     = `EVG_PRIORITY_BITS;
    localparam Levels   = 1 << Bits;

    generate
        if (Lanes != 8 || `EVG_MAX_CORES != 64 || `EVG_PEWT_ENTRIES > 7 ||
            `EVG_WARP_LANES != 32) begin : g_check
            event_dispatch_ports_are_made_for_8_lanes_64_cores_32_threads check_parameters ();
        end
    endgenerate

    reg [`EVG_DISPATCH_STATE_WIDTH-1:0] state_q, state_d;

    // The kernel
    wire [`EVG_CODE_WIDTH-1:0] kernel_code     = kernel_i[`EVG_LAUNCH_KERNEL];
    wire [`EVG_DIMS_WIDTH-1:0] kernel_dims     = kernel_i[`EVG_LAUNCH_DIMS];
    wire                       kernel_warp     = kernel_i[`EVG_LAUNCH_WARP];
    wire [Bits-1:0]            kernel_priority = kernel_i[`EVG_LAUNCH_PRIORITY];
    wire unused_code_bit = kernel_code[`EVG_CODE_INVALID]; // refused by the table
    wire [Levels-1:0] warp_full, big_full;
    wire to_warp = kernel_valid_i && kernel_warp && !warp_full[kernel_priority];
    wire to_big  = kernel_valid_i && !kernel_warp && !big_full[kernel_priority];

    // --- larger kernels --------------------------------------------------------------------------
    wire [Levels-1:0]   bigs;     // the priorities that wait
    reg  [Bits-1:0]     big_level_q;
    wire                big_taken = big_valid_o && big_ready_i;

    wire [`EVG_LARGER_WIDTH-1:0] larger;
    assign larger[`EVG_LARGER_REGS]    = kernel_code[`EVG_CODE_REGS];
    assign larger[`EVG_LARGER_ADDRESS] = kernel_code[`EVG_CODE_ADDRESS];
    assign larger[`EVG_LARGER_PARAM]   = kernel_i[`EVG_LAUNCH_PARAM];
    assign larger[`EVG_LARGER_DIMS]    = kernel_dims;
    assign larger[`EVG_LARGER_SHARED]  = kernel_i[`EVG_LAUNCH_SHARED];
    assign larger[`EVG_LARGER_ROW]     = kernel_i[`EVG_LAUNCH_ROW];
    assign larger[`EVG_LARGER_TAG]     = kernel_i[`EVG_LAUNCH_TAG];

    wire [`EVG_LARGER_WIDTH*Levels-1:0] unused_bigs;

    level_store #(.Width(`EVG_LARGER_WIDTH), .Depth(1)) u_bigs (
        .clk_i(clk_i), .rst_i(rst_i), .offer_i(kernel_valid_i),
        .push_i(to_big), .push_level_i(kernel_priority),
        .data_i(larger),
        .full_o(big_full), .waiting_o(bigs),
        .level_i(big_level_q), .pop_i(big_taken), .data_o(big_kernel_o), .oldest_o(unused_bigs)
    );

    // What waits in the next cycle, and of that the highest, or after a cycle in vain the next lower one; both
    // with the kernel and without it, since whether it comes here is known late
    wire [Levels-1:0] one_level = {{Levels - 1{1'b0}}, 1'b1};
    wire [Levels-1:0] bigs_kept = bigs & ~(big_taken ? one_level << big_level_q : {Levels{1'b0}});
    wire [Levels-1:0] bigs_more = bigs_kept | one_level << kernel_priority;
    wire              in_vain   = big_valid_o && !big_ready_i;
    wire [Bits-1:0]   kept_highest, kept_lower, more_highest, more_lower;
    wire              any_kept_lower, any_more_lower;

    level_below u_big_kept (
        .waits_i(bigs_kept), .level_i(big_level_q),
        .highest_o(kept_highest), .lower_o(kept_lower), .any_lower_o(any_kept_lower)
    );
    level_below u_big_more (
        .waits_i(bigs_more), .level_i(big_level_q),
        .highest_o(more_highest), .lower_o(more_lower), .any_lower_o(any_more_lower)
    );

    wire [Bits-1:0] kept_level = in_vain && any_kept_lower ? kept_lower : kept_highest;
    wire [Bits-1:0] more_level = in_vain && any_more_lower ? more_lower : more_highest;

    always @(posedge clk_i)
        if (to_big || |bigs_kept)
            big_level_q <= to_big ? more_level : kept_level;

    // --- warp events -----------------------------------------------------------------------------
    // The one that is being tried stays in the store until a core has it. Its registers, which the first group
    // is asked about, are copied with the choice of its priority; the rest while the groups are asked, when
    // the priority is known.
    localparam WarpWidth = `EVG_WAITING_WIDTH;
    wire [Levels-1:0]    warps; // the priorities that wait
    wire [Bits-1:0]      try_level, ev_level;
    wire [WarpWidth-1:0] came;
    wire [WarpWidth-1:0] tried; // the oldest of ev_level
    wire [WarpWidth*Levels-1:0] oldest;
    wire                 placed = ev_valid_o && ev_ack_i;
    wire                 idle   = state_q == `EVG_DISPATCH_STATE_IDLE;
    wire                 failed;  // a whole scan found no core
    reg                  stat_req_q;
    wire                 restart = (idle && (|warps || to_warp)) || failed;

    // Of a warp event the low bits of its block's dimensions are all; its grid is one block.
    assign came[`EVG_WAITING_REGS]    = kernel_code[`EVG_CODE_REGS];
    assign came[`EVG_WAITING_ADDRESS] = kernel_code[`EVG_CODE_ADDRESS];
    assign came[`EVG_WAITING_PARAM]   = kernel_i[`EVG_LAUNCH_PARAM];
    assign came[`EVG_WAITING_THREADS] = kernel_i[`EVG_LAUNCH_THREADS];
    assign came[`EVG_WAITING_DIMS]    = {kernel_dims[`EVG_DIMS_BLOCK_Z_LSB+:`EVG_WARP_DIMS_Z_WIDTH],
                                         kernel_dims[`EVG_DIMS_BLOCK_Y_LSB+:`EVG_WARP_DIMS_Y_WIDTH],
                                         kernel_dims[`EVG_DIMS_BLOCK_X_LSB+:`EVG_WARP_DIMS_X_WIDTH]};
    assign came[`EVG_WAITING_ROW]     = kernel_i[`EVG_LAUNCH_ROW];
    assign came[`EVG_WAITING_TAG]     = kernel_i[`EVG_LAUNCH_TAG];

    level_store #(.Width(WarpWidth), .Depth(2)) u_warps (
        .clk_i(clk_i), .rst_i(rst_i), .offer_i(kernel_valid_i),
        .push_i(to_warp), .push_level_i(kernel_priority), .data_i(came), .full_o(warp_full),
        .waiting_o(warps), .level_i(ev_level), .pop_i(placed), .data_o(tried), .oldest_o(oldest)
    );

    place_order u_order (
        .clk_i(clk_i), .rst_i(rst_i),
        .waits_i(|warps ? warps : {Levels{to_warp}} & (one_level << kernel_priority)),
        .try_i(restart), .failed_i(failed), .placed_i(placed),
        .level_o(try_level), .tried_o(ev_level)
    );

    localparam RegsWidth = `EVG_WAITING_REGS_WIDTH;
    wire [8*Levels-1:0] regs; // of the oldest of every priority, with places for 8 bits

    genvar v;
    generate
        for (v = 0; v < Levels; v = v + 1) begin : g_regs
            assign regs[8*v+:8] = {1'b0, oldest[WarpWidth*v+`EVG_WAITING_REGS_LSB+:RegsWidth]};
        end
    endgenerate

    wire unused_rest = ^{tried[`EVG_WAITING_REGS], oldest};

    // Without the bits of the kernel, its highest field, that no code address has
    localparam AddressWidth = `EVG_WAITING_ADDRESS_WIDTH;
    localparam TriedWidth   = `EVG_EVENT_KERNEL_LSB + AddressWidth;
    reg [TriedWidth-1:0]                  event_q;
    wire [`EVG_WAITING_THREADS_WIDTH-1:0] threads = tried[`EVG_WAITING_THREADS];

    always @(posedge clk_i) begin
        if (restart)
            event_q[`EVG_EVENT_REGS] <= |warps ? regs[8*try_level+:RegsWidth] : came[`EVG_WAITING_REGS];
        if (stat_req_q) begin
            event_q[`EVG_EVENT_KERNEL_LSB+:AddressWidth] <= tried[`EVG_WAITING_ADDRESS];
            event_q[`EVG_EVENT_PARAM] <= tried[`EVG_WAITING_PARAM];
            event_q[`EVG_EVENT_MASK]  <= 32'hffff_ffff >> (6'd32 - threads);
            event_q[`EVG_EVENT_DIMS]  <= tried[`EVG_WAITING_DIMS];
            event_q[`EVG_EVENT_ROW]   <= tried[`EVG_WAITING_ROW];
            event_q[`EVG_EVENT_TAG]   <= tried[`EVG_WAITING_TAG];
        end
    end

    // --- core selection --------------------------------------------------------------------------
    // In three steps: the better of each pair of the answered group, the best pair, the best group.
    localparam Pairs = Lanes / 2;

    reg [2:0]                group_q; // asked for
    reg                      answer_q;
    reg [2:0]                answer_group_q;
    reg [Pairs-1:0]          pair_valid_q, pair_odd_q;
    reg [Pairs*KeyWidth-1:0] pair_keys_q;
    reg                      found_q;
    reg [KeyWidth-1:0]       found_key_q;
    reg [`EVG_CORE_PLACE_WIDTH-1:0] found_core_q;
    reg                      best_valid_q;
    reg [KeyWidth-1:0]       best_key_q;
    reg [`EVG_CORE_PLACE_WIDTH-1:0] best_core_q;

    wire answered   = stat_req_q && stat_valid_i && stat_group_i == group_q;
    wire last_group = group_q == 3'd7 || {1'b0, group_q} + 4'd1 >= cfg_core_groups_i;

    // Each core of the group: whether it has room, and its key
    localparam CoreWidth = `EVG_CORE_STATUS_WIDTH;
    wire [Lanes-1:0]          eligible;
    wire [Lanes*KeyWidth-1:0] keys;
    genvar                    l;
    generate
        for (l = 0; l < Lanes; l = l + 1) begin : g_lane
            localparam [`EVG_CORE_PLACE_LANE_WIDTH-1:0] Self = l;
            wire [CoreWidth-1:0] core      = stat_cores_i[CoreWidth*l+:CoreWidth];
            wire [2:0]           occupancy = core[`EVG_CORE_STATUS_OCCUPANCY];
            wire [2:0]           victims   = core[`EVG_CORE_STATUS_VICTIMS];
            wire                 busy      = core[`EVG_CORE_STATUS_BUSY];
            wire                 free      = core[`EVG_CORE_STATUS_FREE];
            wire                 can       = core[`EVG_CORE_STATUS_FITS] || free;
            wire                 kept      = core[`EVG_CORE_STATUS_KEPT] && free;
            wire                 room; // in the table
            reg  [KeyWidth-1:0]  key;

            level_room u_room (
                .level_i(ev_level), .levels_i(levels_i), .waiting_i(warps),
                .occupancy_i(occupancy), .held_i(core[`EVG_CORE_STATUS_LEVELS]), .room_o(room)
            );

            always @*
                case (cfg_mode_i)
                `EVG_SCHED_MODE_PREEMPT: key = {1'b0, !free, !can, victims, occupancy, busy};
                `EVG_SCHED_MODE_DYNAMIC: key = {!kept, !free, !can, occupancy, victims, busy};
                default:                 key = {2'd0, !free, occupancy, victims, busy};
                endcase

            assign eligible[l] = cfg_core_mask_i[{group_q, Self}] && room;
            assign keys[KeyWidth*l+:KeyWidth] = key;
        end
    endgenerate

    // The better of each pair
    reg [Pairs-1:0]          odd;
    reg [Pairs*KeyWidth-1:0] pair_keys;
    integer                  pair;

    always @* begin
        odd       = {Pairs{1'b0}};
        pair_keys = {Pairs * KeyWidth{1'b0}};
        pair      = 0;
        if (answered)
            for (pair = 0; pair < Pairs; pair = pair + 1) begin
                odd[pair] = eligible[2*pair+1] &&
                            (!eligible[2*pair] || keys[KeyWidth*(2*pair+1)+:KeyWidth] <
                                                  keys[KeyWidth*2*pair+:KeyWidth]);
                pair_keys[KeyWidth*pair+:KeyWidth] = odd[pair]
                                                         ? keys[KeyWidth*(2*pair+1)+:KeyWidth]
                                                         : keys[KeyWidth*2*pair+:KeyWidth];
            end
    end

    always @(posedge clk_i)
        if (answered) begin
            answer_group_q <= group_q;
            pair_odd_q     <= odd;
            pair_keys_q    <= pair_keys;
            for (pair = 0; pair < Pairs; pair = pair + 1)
                pair_valid_q[pair] <= |eligible[2*pair+:2];
        end

    wire                group_any;
    wire [1:0]          group_pair;
    wire [KeyWidth-1:0] group_key;

    min_select #(
        .Lanes(Pairs),
        .KeyWidth(KeyWidth),
        .IndexWidth(2)
    ) u_min (
        .enable_i(answer_q),
        .valid_i(pair_valid_q),
        .keys_i(pair_keys_q),
        .any_o(group_any),
        .index_o(group_pair),
        .key_o(group_key)
    );

    always @(posedge clk_i)
        if (group_any) begin
            found_key_q  <= group_key;
            found_core_q <= {answer_group_q, group_pair, pair_odd_q[group_pair]};
        end

    // Groups come in rising order, so a later one must be strictly better.
    wire       improves  = found_q && (!best_valid_q || found_key_q < best_key_q);
    wire       choose    = state_q == `EVG_DISPATCH_STATE_CHOOSE;
    wire       none      = !found_q && !best_valid_q;
    wire [`EVG_CORE_PLACE_WIDTH-1:0] best_core = improves ? found_core_q : best_core_q;
    assign     failed    = choose && none;

    always @(posedge clk_i)
        if (improves) begin
            best_key_q  <= found_key_q;
            best_core_q <= found_core_q;
        end

    always @* begin
        state_d = state_q;
        case (state_q)
        `EVG_DISPATCH_STATE_IDLE:
            if (restart)
                state_d = `EVG_DISPATCH_STATE_SCAN;
        `EVG_DISPATCH_STATE_SCAN:
            if (answered && last_group)
                state_d = `EVG_DISPATCH_STATE_REDUCE;
        `EVG_DISPATCH_STATE_REDUCE:
            state_d = `EVG_DISPATCH_STATE_CHOOSE;
        `EVG_DISPATCH_STATE_CHOOSE:
            state_d = none ? `EVG_DISPATCH_STATE_SCAN : `EVG_DISPATCH_STATE_OFFER;
        default: // OFFER
            if (ev_ack_i)
                state_d = `EVG_DISPATCH_STATE_IDLE;
        endcase
    end

    reg                             ev_valid_q;
    reg [`EVG_CORE_PLACE_WIDTH-1:0] ev_core_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q      <= `EVG_DISPATCH_STATE_IDLE;
            ev_valid_q   <= 1'b0;
            stat_req_q   <= 1'b0;
            answer_q     <= 1'b0;
            found_q      <= 1'b0;
            best_valid_q <= 1'b0;
        end else begin
            state_q    <= state_d;
            ev_valid_q <= state_d == `EVG_DISPATCH_STATE_OFFER;
            answer_q   <= answered;
            found_q    <= group_any;
            if (restart)
                stat_req_q <= 1'b1;
            else if (answered && last_group)
                stat_req_q <= 1'b0;
            if (restart)
                best_valid_q <= 1'b0;
            else if (improves)
                best_valid_q <= 1'b1;
        end
    end

    always @(posedge clk_i) begin
        if (rst_i || restart)
            group_q <= 3'd0;
        else if (answered && !last_group)
            group_q <= group_q + 3'd1;
        if (choose && !none)
            ev_core_q <= best_core;
    end

    assign kernel_ready_o   = kernel_warp ? !warp_full[kernel_priority]
                                            : !big_full[kernel_priority];
    assign stat_req_o       = stat_req_q;
    assign stat_req_group_o = group_q;
    assign stat_req_regs_o  = event_q[`EVG_EVENT_REGS];
    assign ev_valid_o       = ev_valid_q;
    assign ev_core_o        = ev_core_q;
    assign ev_event_o       = {{`EVG_EVENT_WIDTH - TriedWidth{1'b0}}, event_q};
    assign ev_priority_o    = ev_level;
    assign big_valid_o      = |bigs;
    assign big_priority_o   = big_level_q;
    assign quiet_o          = idle && !(|warps) && !(|bigs);

`ifdef FORMAL
`include "properties/event_dispatch.fv.vh"
`endif

endmodule

`default_nettype wire
