// event_dispatch: sends a launched event kernel to a SIMT core or to the pending event-kernel queue
// (EDGE III-C, IV-C, IV-E).
//
// Contract
// - A kernel waits at kernel_* until kernel_ready_o, high as soon as it can be taken: a warp
//   event (kernel_warp_i: one block of at most WARP_LANES threads without shared memory) when no
//   other one is being placed, anything else, which goes to big_*, when big_* is free. So a warp
//   event that finds no core does not hold back larger kernels, and the other way round, until a
//   second kernel of the same class arrives. Within a class the order is kept. The priority of its
//   row goes with a kernel.
// - Core selection: the state of the cores is asked for group by group, SCAN_LANES cores each;
//   stat_req_o and stat_req_group_o are held until stat_valid_i with the same stat_group_i;
//   stat_req_regs_o, the event's registers, says for what stat_free_i and stat_fits_i are asked.
// - A core is eligible if its bit in cfg_core_mask_i is set and its table holds fewer than
//   PEWT_ENTRIES events. Chosen is the smallest key, lowest core on equal keys:
//     cfg_mode_i PREEMPT         no free context, then does not fit, then victims held, then table
//                                occupancy, then busy
//     cfg_mode_i DRAIN, RESERVE  no free context, then table occupancy, then victims held, then busy
//   (without preemption only a free context runs the event)
//     cfg_mode_i DYNAMIC         not (kept for events, with a free context), then no free context,
//                                then does not fit, then as DRAIN
//   So a free context anywhere goes before a victim, and a core that can serve the event, by a victim or
//   with free registers, before one that cannot. Free and fit are of the event's own registers. If no
//   core is eligible the scan starts again until one is: the event waits for resources.
//
//     cycle             t        t+1 ..           t+groups+3
//     kernel            taken
//     stat_req_o                 group 0, 1, ..
//     ev_valid_o                                  high, if every answer came at once and a core is eligible
//
// - ev_* is held until ev_ack_i, big_* until big_ready_i. The state reported in a scan must include
//   every event acknowledged before. Acknowledgements without valid are ignored.
// - cfg_core_groups_i of 0 counts as 1, above 8 as 8. cfg_* may change at any time; a scan under
//   way mixes old and new.
// - Illegal, not checked: a warp event with a dimension of 0 or with another kernel_threads_i than
//   the product of its dimensions.
// - quiet_o: without a kernel no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module event_dispatch #(
    parameter RowBits = 5
) (
    input  wire               clk_i,
    input  wire               rst_i,
    input  wire [3:0]         cfg_core_groups_i,
    input  wire [63:0]        cfg_core_mask_i,
    input  wire [1:0]         cfg_mode_i,
    // From event_kernel_table
    input  wire               kernel_valid_i,
    input  wire [63:0]        kernel_code_i,   // bits 63..56: registers per thread / REG_UNIT
    input  wire [63:0]        kernel_param_i,
    input  wire [191:0]       kernel_dims_i,
    input  wire [15:0]        kernel_shared_i,
    input  wire               kernel_warp_i,
    input  wire [5:0]         kernel_threads_i, // of a warp event
    input  wire [RowBits-1:0] kernel_row_i,
    input  wire [15:0]        kernel_tag_i,
    input  wire [`EVG_PRIORITY_BITS-1:0] kernel_priority_i,
    output wire               kernel_ready_o,
    // Core state
    output wire               stat_req_o,
    output wire [2:0]         stat_req_group_o,
    output wire [6:0]         stat_req_regs_o,
    input  wire               stat_valid_i,
    input  wire [2:0]         stat_group_i,
    input  wire [23:0]        stat_occupancy_i,
    input  wire [23:0]        stat_victims_i,
    input  wire [7:0]         stat_busy_i,
    input  wire [7:0]         stat_free_i,
    input  wire [7:0]         stat_fits_i,
    input  wire [7:0]         stat_kept_i,
    // To the SIMT cores
    output wire               ev_valid_o,
    output wire [5:0]         ev_core_o,
    output wire [63:0]        ev_kernel_o,
    output wire [63:0]        ev_param_o,
    output wire [31:0]        ev_mask_o,
    output wire [17:0]        ev_dims_o,
    output wire [6:0]         ev_regs_o,
    output wire [RowBits-1:0] ev_row_o,
    output wire [15:0]        ev_tag_o,
    output wire [`EVG_PRIORITY_BITS-1:0] ev_priority_o,
    input  wire               ev_ack_i,
    // To the pending event-kernel queue
    output wire               big_valid_o,
    output wire [63:0]        big_kernel_o,
    output wire [63:0]        big_param_o,
    output wire [191:0]       big_dims_o,
    output wire [15:0]        big_shared_o,
    output wire [6:0]         big_regs_o,
    output wire [RowBits-1:0] big_row_o,
    output wire [15:0]        big_tag_o,
    output wire [`EVG_PRIORITY_BITS-1:0] big_priority_o,
    input  wire               big_ready_i,
    output wire               quiet_o
);

    localparam Lanes    = `EVG_SCAN_LANES;
    localparam KeyWidth = 10;
    localparam [2:0] Entries  = `EVG_PEWT_ENTRIES;

    generate
        if (Lanes != 8 || `EVG_MAX_CORES != 64 || `EVG_PEWT_ENTRIES > 7 ||
            `EVG_WARP_LANES != 32) begin : g_check
            event_dispatch_ports_are_made_for_8_lanes_64_cores_32_threads check_parameters ();
        end
    endgenerate

    reg [`EVG_DISPATCH_STATE_WIDTH-1:0] state_q, state_d;
    reg  big_valid_q;
    wire unused_code_bit = kernel_code_i[63]; // refused by the table
    wire to_warp = kernel_valid_i && kernel_warp_i && state_q == `EVG_DISPATCH_STATE_IDLE;
    wire to_big  = kernel_valid_i && !kernel_warp_i && !big_valid_q;

    // --- larger kernels --------------------------------------------------------------------------
    reg [62:0]        big_code_q;
    reg [63:0]        big_param_q;
    reg [191:0]       big_dims_q;
    reg [15:0]        big_shared_q;
    reg [RowBits-1:0] big_row_q;
    reg [15:0]        big_tag_q;
    reg [`EVG_PRIORITY_BITS-1:0] big_priority_q;

    always @(posedge clk_i)
        if (to_big) begin
            big_code_q   <= kernel_code_i[62:0];
            big_param_q  <= kernel_param_i;
            big_dims_q   <= kernel_dims_i;
            big_shared_q <= kernel_shared_i;
            big_row_q    <= kernel_row_i;
            big_tag_q    <= kernel_tag_i;
            big_priority_q <= kernel_priority_i;
        end

    // --- warp events -----------------------------------------------------------------------------
    reg [62:0]        ev_code_q;
    reg [63:0]        ev_param_q;
    reg [31:0]        ev_mask_q;
    reg [17:0]        ev_dims_q;
    reg [RowBits-1:0] ev_row_q;
    reg [15:0]        ev_tag_q;
    reg [`EVG_PRIORITY_BITS-1:0] ev_priority_q;

    always @(posedge clk_i)
        if (to_warp) begin
            ev_code_q  <= kernel_code_i[62:0];
            ev_param_q <= kernel_param_i;
            ev_mask_q  <= 32'hffff_ffff >> (6'd32 - kernel_threads_i);
            ev_dims_q  <= {kernel_dims_i[165:160], kernel_dims_i[133:128], kernel_dims_i[101:96]};
            ev_row_q   <= kernel_row_i;
            ev_tag_q   <= kernel_tag_i;
            ev_priority_q <= kernel_priority_i;
        end

    // --- core selection --------------------------------------------------------------------------
    // In three steps: the better of each pair of the answered group, the best pair, the best group.
    localparam Pairs = Lanes / 2;

    reg                      stat_req_q;
    reg [2:0]                group_q; // asked for
    reg                      answer_q;
    reg [2:0]                answer_group_q;
    reg [Pairs-1:0]          pair_valid_q, pair_odd_q;
    reg [Pairs*KeyWidth-1:0] pair_keys_q;
    reg                      found_q;
    reg [KeyWidth-1:0]       found_key_q;
    reg [5:0]                found_core_q;
    reg                      best_valid_q;
    reg [KeyWidth-1:0]       best_key_q;
    reg [5:0]                best_core_q;

    wire answered   = stat_req_q && stat_valid_i && stat_group_i == group_q;
    wire last_group = group_q == 3'd7 || {1'b0, group_q} + 4'd1 >= cfg_core_groups_i;

    reg [Lanes-1:0]          eligible;
    reg [Lanes*KeyWidth-1:0] keys;
    reg [Pairs-1:0]          odd;
    reg [Pairs*KeyWidth-1:0] pair_keys;
    integer                  lane, pair;

    always @* begin
        eligible  = {Lanes{1'b0}};
        keys      = {Lanes * KeyWidth{1'b0}};
        odd       = {Pairs{1'b0}};
        pair_keys = {Pairs * KeyWidth{1'b0}};
        lane      = 0;
        pair      = 0;
        if (answered) begin
            for (lane = 0; lane < Lanes; lane = lane + 1) begin
                eligible[lane] = cfg_core_mask_i[{group_q, lane[2:0]}] &&
                                 stat_occupancy_i[3*lane+:3] < Entries;
                case (cfg_mode_i)
                `EVG_SCHED_MODE_PREEMPT:
                    keys[KeyWidth*lane+:KeyWidth] =
                        {1'b0, !stat_free_i[lane], !(stat_fits_i[lane] || stat_free_i[lane]),
                         stat_victims_i[3*lane+:3], stat_occupancy_i[3*lane+:3],
                         stat_busy_i[lane]};
                `EVG_SCHED_MODE_DYNAMIC:
                    keys[KeyWidth*lane+:KeyWidth] =
                        {!(stat_kept_i[lane] && stat_free_i[lane]), !stat_free_i[lane],
                         !(stat_fits_i[lane] || stat_free_i[lane]), stat_occupancy_i[3*lane+:3],
                         stat_victims_i[3*lane+:3], stat_busy_i[lane]};
                default:
                    keys[KeyWidth*lane+:KeyWidth] =
                        {2'd0, !stat_free_i[lane], stat_occupancy_i[3*lane+:3],
                         stat_victims_i[3*lane+:3], stat_busy_i[lane]};
                endcase
            end
            for (pair = 0; pair < Pairs; pair = pair + 1) begin
                odd[pair] = eligible[2*pair+1] &&
                            (!eligible[2*pair] || keys[KeyWidth*(2*pair+1)+:KeyWidth] <
                                                  keys[KeyWidth*2*pair+:KeyWidth]);
                pair_keys[KeyWidth*pair+:KeyWidth] = odd[pair]
                                                         ? keys[KeyWidth*(2*pair+1)+:KeyWidth]
                                                         : keys[KeyWidth*2*pair+:KeyWidth];
            end
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
    wire [5:0] best_core = improves ? found_core_q : best_core_q;
    wire       restart   = to_warp || (choose && none);

    always @(posedge clk_i)
        if (improves) begin
            best_key_q  <= found_key_q;
            best_core_q <= found_core_q;
        end

    always @* begin
        state_d = state_q;
        case (state_q)
        `EVG_DISPATCH_STATE_IDLE:
            if (to_warp)
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

    reg       ev_valid_q;
    reg [5:0] ev_core_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q      <= `EVG_DISPATCH_STATE_IDLE;
            big_valid_q  <= 1'b0;
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
            if (to_big)
                big_valid_q <= 1'b1;
            else if (big_ready_i)
                big_valid_q <= 1'b0;
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

    assign kernel_ready_o   = kernel_warp_i ? state_q == `EVG_DISPATCH_STATE_IDLE : !big_valid_q;
    assign stat_req_o       = stat_req_q;
    assign stat_req_group_o = group_q;
    assign stat_req_regs_o  = ev_code_q[62:56];
    assign ev_valid_o       = ev_valid_q;
    assign ev_core_o        = ev_core_q;
    assign ev_kernel_o      = {8'd0, ev_code_q[55:0]};
    assign ev_param_o       = ev_param_q;
    assign ev_mask_o        = ev_mask_q;
    assign ev_dims_o        = ev_dims_q;
    assign ev_regs_o        = ev_code_q[62:56];
    assign ev_row_o         = ev_row_q;
    assign ev_tag_o         = ev_tag_q;
    assign ev_priority_o    = ev_priority_q;
    assign big_valid_o      = big_valid_q;
    assign big_kernel_o     = {8'd0, big_code_q[55:0]};
    assign big_param_o      = big_param_q;
    assign big_dims_o       = big_dims_q;
    assign big_shared_o     = big_shared_q;
    assign big_regs_o       = big_code_q[62:56];
    assign big_row_o        = big_row_q;
    assign big_tag_o        = big_tag_q;
    assign big_priority_o   = big_priority_q;
    assign quiet_o          = state_q == `EVG_DISPATCH_STATE_IDLE && !big_valid_q;

`ifdef FORMAL
`include "event_dispatch.fv.vh"
`endif

endmodule

`default_nettype wire
