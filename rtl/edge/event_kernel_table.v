// SPDX-License-Identifier: Apache-2.0
// event_kernel_table: the registered event kernels and their circular submission queues (EDGE
// III-A, III-C, IV-E).
//
// Contract
// - Rows of 66 bytes: kernel, base, head, size, last (8 bytes each), six 4-byte dimensions, 2 bytes
//   of shared memory. A row is two words of 33 bytes in one single-port RAM: what is launched, and
//   the queue, each with half of the shared memory size. The upper half of the last dimension,
//   which no accepted kernel uses, holds the class of the kernel: see REGISTER.
// - Launch: costs 5 cycles of the table: read the first word; read the second; load its head, size
//   and last; step the head; write the second word back with the new head: head + size, or base
//   when that lies past last (or past 2**64). kernel_o carries the row, with the head before the
//   launch as its param, from the third cycle on until kernel_ready_i; the next launch starts
//   when it has been taken.
// - A command is taken with cmd_valid_i and cmd_ready_o and answered by one rsp_valid_o pulse;
//   until then cmd_ready_o is low. Launches and commands that both wait take turns; a command waits
//   when it has been checked, for one launch at most, so it is answered 5 cycles later than stated
//   below at most, whatever drains, waits or is launched.
// - REGISTER is checked in 22 cycles (the block's dimensions are multiplied bit by bit) while
//   launches go on. Taken in cycle t, it is answered in t+26 if the table is idle then:
//   BAD_ARGUMENT (rsp_row_o 0) if the code address, a dimension or the size is 0, the size or the
//   base is not a multiple of ENTRY_ALIGN, base > last, a block has more than BLOCK_THREADS
//   threads, bit 63 of the kernel (the top bit of the register count) is set, or the window of
//   completion flags is none (cmd_bad_window_i, from completion_window); else FULL
//   (rsp_row_o 0) if no row is free; else OK: the lowest free row is written with head = base, and
//   its doorbell opens. A doorbell write from the cycle of the answer on is accepted. A grid of one
//   block of at most WARP_LANES threads without shared memory is a warp event (warp of kernel_o,
//   with its threads). The row's priority is kept with the class, and goes with every launch.
// - UNREGISTER, taken in cycle t, closes the doorbell: writes from t+1 on are refused. It is answered,
//   if the table is idle, in t+3 with OK, in t+4 otherwise; rsp_row_o is its row. After OK the row
//   drains, until freed_valid_o with freed_row_o: a cycle after its last event has completed, in t+4
//   if it has none; of several rows the lowest goes first, one per cycle. Other commands go on; a
//   REGISTER takes a row that was free when it had been checked.
//
//     row is      doorbell  launches        UNREGISTER answers   clk            t     t+1   t+2   t+3   t+4
//     free        refused   none            NOT_REGISTERED       cmd_valid_i    --\_________________________
//     registered  accepted  yes             OK                   rsp_valid_o    ______________/-----\_______
//     draining    refused   of what it had  NOT_REGISTERED       freed_valid_o  ____________________/-----\_
// - ABORT ends the event of the command's row, draining or not, with the entry base: ab_*_o names it to
//   all that run events in t+1, ab_hit_i says in that cycle whether it runs and is being ended; then it
//   completes as any other. Answered in t+4, rsp_row_o is its row: NOT_REGISTERED for a free row, OK
//   for a hit, else NOT_RUNNING: it waits, has ended or never was. Any other op: BAD_ARGUMENT.
// - Which rows have no events, from acceptance to completion, is the decoder's to know: row_empty_i.
// - Illegal: a launch of a row that is not registered; it launches whatever the row holds.
// - quiet_o: without a command, a launch or a change of row_empty_i no register changes.
// - Reduced sizes (Rows, AddressBits, BlockThreads) are for proofs and small devices; the machine's
//   are the defaults. With AddressBits below 64, the queue lies below 2**AddressBits.
`default_nettype none
`include "evgpu_defs.vh"

module event_kernel_table #(
    parameter Rows         = `EVG_EKT_ROWS,
    parameter RowBits      = 5,      // log2(Rows)
    parameter AddressBits  = 64,     // of base, head, size and last
    parameter BlockThreads = `EVG_BLOCK_THREADS // power of two
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    // Driver commands
    input  wire                   cmd_valid_i,
    input  wire [`EVG_COMMAND_WIDTH-1:0] cmd_i,
    input  wire                   cmd_bad_window_i, // of the command held, from its second cycle on
    output wire                   cmd_ready_o,
    output wire                   rsp_valid_o,
    output wire [`EVG_FRONTEND_CODE_WIDTH-1:0] rsp_code_o,
    output wire [RowBits-1:0]     rsp_row_o,
    output wire                   freed_valid_o,
    output wire [RowBits-1:0]     freed_row_o,
    // Abort, to whoever runs events
    output wire                   ab_valid_o,
    output wire [RowBits-1:0]     ab_row_o,
    output wire [AddressBits-1:0] ab_param_o,
    input  wire                   ab_hit_i,
    // To doorbell_decoder
    output wire                   open_valid_o,
    output wire [RowBits-1:0]     open_row_o,
    output wire [15:0]            open_rid_o,
    output wire [`EVG_PRIORITY_BITS-1:0] open_priority_o,
    output wire                   open_warp_o,
    output wire                   close_valid_o,
    output wire [RowBits-1:0]     close_row_o,
    // From doorbell_decoder: the event to launch; rows without events
    input  wire                   launch_valid_i,
    input  wire [RowBits-1:0]     launch_row_i,
    input  wire [15:0]            launch_tag_i,
    output wire                   launch_ready_o,
    input  wire [Rows-1:0]        row_empty_i,
    // To event_dispatch: the launched kernel
    output wire                   kernel_valid_o,
    output wire [`EVG_LAUNCH_WIDTH-1:0] kernel_o,
    input  wire                   kernel_ready_i,
    output wire                   quiet_o
);

    localparam AlignBits  = $clog2(`EVG_ENTRY_ALIGN);
    localparam DimBits    = $clog2(BlockThreads) + 1; // holds BlockThreads itself
    localparam [31:0] MaxThreads = BlockThreads;
    localparam [31:0] MaxLanes   = `EVG_WARP_LANES;

    // A row is two words of the RAM: row_kernel, and the queue with the other half of the shared memory.
    localparam WordWidth = `EVG_ROW_KERNEL_WIDTH;
    localparam BaseLsb = 0, HeadLsb = AddressBits, SizeLsb = 2 * AddressBits,
               LastLsb = 3 * AddressBits, SharedBits = 8, SharedLsb = WordWidth - SharedBits;
    localparam Bits    = `EVG_PRIORITY_BITS;

    // The command, and what of it a reduced table keeps
    wire [1:0]                        cmd_op   = cmd_i[`EVG_COMMAND_OP];
    wire [`EVG_COMMAND_ROW_WIDTH-1:0] cmd_row  = cmd_i[`EVG_COMMAND_ROW];
    wire [63:0]                       cmd_base = cmd_i[`EVG_COMMAND_BASE];
    wire [63:0]                       cmd_size = cmd_i[`EVG_COMMAND_SIZE];
    wire [63:0]                       cmd_last = cmd_i[`EVG_COMMAND_LAST];
    wire [`EVG_DIMS_WIDTH-1:0]        cmd_dims = cmd_i[`EVG_COMMAND_DIMS];

    generate
        if ((1 << RowBits) != Rows || 2 * WordWidth != `EVG_EKT_ROW_BITS || AddressBits > 64 ||
            AddressBits <= AlignBits || `EVG_WARP_LANES > 63 || BlockThreads < 2 ||
            BlockThreads > 1 << 14 || 1 << (DimBits - 1) != BlockThreads ||
            `EVG_COMMAND_PRIORITY_WIDTH != Bits || RowBits > `EVG_COMMAND_ROW_WIDTH) begin : g_check
            event_kernel_table_needs_powers_of_two check_parameters ();
        end
        if (RowBits < `EVG_COMMAND_ROW_WIDTH) begin : g_fewer_rows
            wire unused = &{1'b0, cmd_row[`EVG_COMMAND_ROW_WIDTH-1:RowBits]};
        end
        if (AddressBits < 64) begin : g_reduced // the bits of a queue that it does without
            wire unused = &{1'b0, cmd_base[63:AddressBits], cmd_size[63:AddressBits],
                            cmd_last[63:AddressBits]};
        end
    endgenerate

    reg [`EVG_EKT_STATE_WIDTH-1:0] state_q;
    reg [Rows-1:0]                 draining_q; // closed, until their last event has completed

    // Command being worked on
    reg         cmd_ready_q;
    reg         checking_q;  // its arguments, REGISTER only
    reg         cmd_held_q;  // it waits for the table
    reg         after_cmd_q; // the last thing done was a command: a launch goes first
    reg [1:0]             op_q;
    reg [RowBits-1:0]     cmd_row_q;
    reg [15:0]            rid_q;
    reg [`EVG_CODE_WIDTH-1:0] kernel_q;
    reg [AddressBits-1:0] base_q, size_q, last_q;
    reg [`EVG_DIMS_WIDTH-1:0] dims_q;
    reg [15:0]            shared_q;
    reg [`EVG_PRIORITY_BITS-1:0] priority_q;

    wire cmd_take = cmd_valid_i && cmd_ready_q;

    always @(posedge clk_i)
        if (cmd_take) begin
            op_q       <= cmd_op;
            cmd_row_q  <= cmd_row[RowBits-1:0];
            rid_q      <= cmd_i[`EVG_COMMAND_RID];
            base_q     <= cmd_base[AddressBits-1:0];
            size_q     <= cmd_size[AddressBits-1:0];
            last_q     <= cmd_last[AddressBits-1:0];
            kernel_q   <= cmd_i[`EVG_COMMAND_KERNEL];
            dims_q     <= cmd_dims;
            shared_q   <= cmd_i[`EVG_COMMAND_SHARED];
            priority_q <= cmd_i[`EVG_COMMAND_PRIORITY];
        end

    // --- the table -------------------------------------------------------------------------------
    wire launch_take = launch_valid_i && launch_ready_o;
    wire read_queue  = state_q == `EVG_EKT_STATE_READ_QUEUE;
    wire load        = state_q == `EVG_EKT_STATE_LOAD;
    wire write_back  = state_q == `EVG_EKT_STATE_WRITE_BACK;
    wire decide      = state_q == `EVG_EKT_STATE_DECIDE;
    wire answer      = state_q == `EVG_EKT_STATE_ANSWER;
    wire write_new;   // a registration takes a row: first word
    reg  entering_q;  // second word, in ANSWER
    wire write_queue = answer && entering_q;

    // Word read last: the kernel, a cycle later the queue, which stays until the next launch
    wire [WordWidth-1:0] word;

    // Both words again in registers, because a block RAM answers late in its cycle
    reg  [WordWidth-1:0]     what_q;
    reg  [4*AddressBits-1:0] queue_q;
    reg  [SharedBits-1:0]    queue_shared_q;
    wire [AddressBits-1:0] row_base = queue_q[BaseLsb+:AddressBits];
    wire [AddressBits-1:0] row_head = queue_q[HeadLsb+:AddressBits];
    wire [AddressBits-1:0] row_size = queue_q[SizeLsb+:AddressBits];
    wire [AddressBits-1:0] row_last = queue_q[LastLsb+:AddressBits];

    // The step of the head; next and its comparison with last are formed at once.
    reg  [AddressBits-1:0] next_q;
    reg                    past_last_q;
    wire [AddressBits+1:0] left = {2'b00, row_last} - {2'b00, row_head} - {2'b00, row_size};
    wire [AddressBits-1:0] next_head = past_last_q ? row_base : next_q;

    always @(posedge clk_i) begin
        if (read_queue)
            what_q <= word;
        if (load) begin
            queue_q        <= word[4*AddressBits-1:0];
            queue_shared_q <= word[SharedLsb+:SharedBits];
        end
        if (state_q == `EVG_EKT_STATE_STEP) begin
            next_q      <= row_head + row_size;
            past_last_q <= left[AddressBits+1];
        end
    end

    reg [RowBits-1:0] launch_row_q, free_row_q;
    reg [WordWidth-1:0] write_word;
    reg                 warp_event_q;
    wire [31:0]         product; // threads of a block that has been checked

    always @* begin
        write_word = {WordWidth{1'b0}};
        if (decide) begin
            write_word[`EVG_ROW_KERNEL_KERNEL]   = kernel_q;
            write_word[`EVG_ROW_KERNEL_DIMS]     = dims_q[`EVG_ROW_KERNEL_DIMS_WIDTH-1:0];
            write_word[`EVG_ROW_KERNEL_THREADS]  = product[`EVG_ROW_KERNEL_THREADS_WIDTH-1:0];
            write_word[`EVG_ROW_KERNEL_PRIORITY] = priority_q;
            write_word[`EVG_ROW_KERNEL_WARP]     = warp_event_q;
            write_word[`EVG_ROW_KERNEL_SHARED]   = shared_q[SharedBits-1:0];
        end else begin
            write_word[BaseLsb+:AddressBits] = write_back ? row_base : base_q;
            write_word[HeadLsb+:AddressBits] = write_back ? next_head : base_q;
            write_word[SizeLsb+:AddressBits] = write_back ? row_size : size_q;
            write_word[LastLsb+:AddressBits] = write_back ? row_last : last_q;
            write_word[SharedLsb+:SharedBits] = write_back ? queue_shared_q : shared_q[SharedBits+:SharedBits];
        end
    end

    single_port_ram #(.Width(WordWidth), .Depth(2 * Rows), .AddressBits(RowBits + 1)) u_table (
        .clk_i(clk_i),
        .enable_i(launch_take || read_queue || write_back || write_new || write_queue),
        .write_i(write_back || write_new || write_queue),
        .address_i({decide || answer          ? free_row_q :
                    read_queue || write_back  ? launch_row_q : launch_row_i,
                    read_queue || write_back || answer}),
        .data_i(write_word),
        .data_o(word)
    );

    // --- checks of a registration ----------------------------------------------------------------
    wire [31:0] block_x = dims_q[`EVG_DIMS_BLOCK_X];
    wire [31:0] block_y = dims_q[`EVG_DIMS_BLOCK_Y];
    wire [31:0] block_z = dims_q[`EVG_DIMS_BLOCK_Z];
    wire [31:0] grid_x  = dims_q[`EVG_DIMS_GRID_X];
    wire [31:0] grid_y  = dims_q[`EVG_DIMS_GRID_Y];
    wire [31:0] grid_z  = dims_q[`EVG_DIMS_GRID_Z];

    wire             last_step, too_many;
    wire [DimBits:0] threads;
    wire             checked = checking_q && last_step;

    block_threads #(.Most(BlockThreads), .DimBits(DimBits)) u_threads (
        .clk_i(clk_i), .start_i(cmd_take), .run_i(checking_q),
        .x_i(cmd_dims[`EVG_DIMS_BLOCK_X_LSB+:DimBits]),
        .y_i(cmd_dims[`EVG_DIMS_BLOCK_Y_LSB+:DimBits]), .z_i(block_z[DimBits-1:0]),
        .last_o(last_step), .threads_o(threads), .too_many_o(too_many));

    // What does not depend on the product, looked at as often as the product takes
    reg zero_dim_q, large_dim_q, bad_queue_q, bad_code_q, no_order_q, one_block_q;

    always @(posedge clk_i)
        if (checking_q) begin
            zero_dim_q  <= grid_x == 0 || grid_y == 0 || grid_z == 0 ||
                           block_x == 0 || block_y == 0 || block_z == 0;
            large_dim_q <= block_x > MaxThreads || block_y > MaxThreads || block_z > MaxThreads;
            bad_queue_q <= size_q == 0 || size_q[AlignBits-1:0] != 0 || base_q[AlignBits-1:0] != 0;
            no_order_q  <= base_q > last_q;
            bad_code_q  <= kernel_q[`EVG_CODE_ADDRESS] == 0 || kernel_q[`EVG_CODE_INVALID];
            one_block_q <= grid_x == 1 && grid_y == 1 && grid_z == 1 && shared_q == 16'd0;
        end

    // Known when the table is free for the command, at the earliest a cycle later
    reg bad_q;
    always @(posedge clk_i)
        if (cmd_held_q) begin
            bad_q <= zero_dim_q || large_dim_q || bad_queue_q || no_order_q || bad_code_q ||
                     too_many || cmd_bad_window_i;
            warp_event_q <= one_block_q && product <= MaxLanes;
        end

    assign product = {{31 - DimBits{1'b0}}, threads};

    // Lowest free row, and of those that have drained
    reg  [Rows-1:0]    registered_q;
    reg                table_full_q;
    wire [Rows-1:0]    over     = draining_q & row_empty_i;
    wire [Rows-1:0]    over_one = over & (~over + 1'b1); // the bit of over_row
    wire               drained, any_free;
    wire [RowBits-1:0] over_row, first_free;
    wire [1:0]         unused_preferred;

    prefer_select #(.Lanes(Rows), .IndexWidth(RowBits)) u_over (
        .bits_i(over), .prefer_i({Rows{1'b0}}),
        .any_o(drained), .preferred_o(unused_preferred[0]), .index_o(over_row)
    );
    prefer_select #(.Lanes(Rows), .IndexWidth(RowBits)) u_free (
        .bits_i(~registered_q), .prefer_i({Rows{1'b0}}),
        .any_o(any_free), .preferred_o(unused_preferred[1]), .index_o(first_free)
    );

    always @(posedge clk_i)
        if (checking_q) begin
            free_row_q   <= first_free;
            table_full_q <= !any_free;
        end

    // --- decision on a command -------------------------------------------------------------------
    wire is_reg   = op_q == `EVG_FRONTEND_CMD_REGISTER;
    wire is_unreg = op_q == `EVG_FRONTEND_CMD_UNREGISTER;
    wire is_abort = op_q == `EVG_FRONTEND_CMD_ABORT;
    reg  ab_hit_q;
    wire start_drain = decide && is_unreg && registered_q[cmd_row_q] && !draining_q[cmd_row_q];

    wire [`EVG_FRONTEND_CODE_WIDTH-1:0] verdict =
        is_unreg || (is_abort && !registered_q[cmd_row_q]) ? `EVG_FRONTEND_CODE_NOT_REGISTERED :
        is_abort           ? (ab_hit_q ? `EVG_FRONTEND_CODE_OK : `EVG_FRONTEND_CODE_NOT_RUNNING) :
        !is_reg || bad_q   ? `EVG_FRONTEND_CODE_BAD_ARGUMENT :
        table_full_q       ? `EVG_FRONTEND_CODE_FULL : `EVG_FRONTEND_CODE_OK;
    assign write_new = decide && is_reg && verdict == `EVG_FRONTEND_CODE_OK;

    // --- control ---------------------------------------------------------------------------------
    reg kernel_valid_q, rsp_valid_q, open_valid_q, close_valid_q, freed_valid_q, ab_valid_q;
    reg [`EVG_EKT_STATE_WIDTH-1:0] state_d;

    // Closing needs no look at the table: closing a row that is not open changes nothing. So no
    // write taken after the command is accepted, and one taken with it is announced two cycles
    // later and its row no longer empty when it drains.
    wire close = cmd_take && cmd_op == `EVG_FRONTEND_CMD_UNREGISTER;
    wire idle  = state_q == `EVG_EKT_STATE_IDLE;
    wire start_cmd = idle && cmd_held_q && !launch_take;
    assign launch_ready_o = idle && !kernel_valid_q && (!cmd_held_q || after_cmd_q);

    always @* begin
        state_d = state_q;
        case (state_q)
        `EVG_EKT_STATE_IDLE:
            if (launch_take)
                state_d = `EVG_EKT_STATE_READ_QUEUE;
            else if (start_cmd)
                state_d = `EVG_EKT_STATE_DECIDE;
        `EVG_EKT_STATE_READ_QUEUE: state_d = `EVG_EKT_STATE_LOAD;
        `EVG_EKT_STATE_LOAD:       state_d = `EVG_EKT_STATE_STEP;
        `EVG_EKT_STATE_STEP:       state_d = `EVG_EKT_STATE_WRITE_BACK;
        `EVG_EKT_STATE_DECIDE:
            state_d = start_drain ? `EVG_EKT_STATE_IDLE : `EVG_EKT_STATE_ANSWER;
        default:                   state_d = `EVG_EKT_STATE_IDLE;
        endcase
    end

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q        <= `EVG_EKT_STATE_IDLE;
            draining_q     <= {Rows{1'b0}};
            freed_valid_q  <= 1'b0;
            cmd_ready_q    <= 1'b1;
            checking_q     <= 1'b0;
            cmd_held_q     <= 1'b0;
            after_cmd_q    <= 1'b0;
            entering_q     <= 1'b0;
            kernel_valid_q <= 1'b0;
            rsp_valid_q    <= 1'b0;
            open_valid_q   <= 1'b0;
            close_valid_q  <= 1'b0;
            ab_valid_q     <= 1'b0;
            registered_q   <= {Rows{1'b0}};
        end else begin
            state_q       <= state_d;
            rsp_valid_q   <= answer || start_drain;
            freed_valid_q <= drained;
            entering_q    <= write_new;
            open_valid_q  <= write_new;
            close_valid_q <= close;
            ab_valid_q    <= cmd_take && cmd_op == `EVG_FRONTEND_CMD_ABORT;
            if (cmd_take)
                cmd_ready_q <= 1'b0;
            else if (answer || start_drain)
                cmd_ready_q <= 1'b1;
            if (cmd_take)
                checking_q <= cmd_op == `EVG_FRONTEND_CMD_REGISTER;
            else if (checked)
                checking_q <= 1'b0;
            if (checked || (cmd_take && cmd_op != `EVG_FRONTEND_CMD_REGISTER))
                cmd_held_q <= 1'b1;
            else if (decide)
                cmd_held_q <= 1'b0;
            if (launch_take)
                after_cmd_q <= 1'b0;
            else if (start_cmd)
                after_cmd_q <= 1'b1;
            if (read_queue)
                kernel_valid_q <= 1'b1;
            else if (kernel_ready_i)
                kernel_valid_q <= 1'b0;
            // What begins to drain and what is taken is no row that is over.
            draining_q   <= draining_q & ~over_one;
            registered_q <= registered_q & ~over_one;
            if (start_drain)
                draining_q[cmd_row_q] <= 1'b1;
            if (write_new)
                registered_q[free_row_q] <= 1'b1;
        end
    end

    // Data that follows the control above
    reg [15:0]                         launch_tag_q;
    reg [`EVG_FRONTEND_CODE_WIDTH-1:0] rsp_code_q;
    reg [RowBits-1:0]                  rsp_row_q, open_row_q, freed_row_q;

    always @(posedge clk_i) begin
        if (launch_take) begin
            launch_row_q <= launch_row_i;
            launch_tag_q <= launch_tag_i;
        end
        if (decide) begin
            rsp_code_q <= start_drain ? `EVG_FRONTEND_CODE_OK : verdict;
            rsp_row_q  <= is_unreg || is_abort ? cmd_row_q : write_new ? free_row_q : {RowBits{1'b0}};
            open_row_q <= free_row_q;
        end
        if (drained)
            freed_row_q <= over_row;
        if (ab_valid_q)
            ab_hit_q <= ab_hit_i;
    end

    assign cmd_ready_o      = cmd_ready_q;
    assign rsp_valid_o      = rsp_valid_q;
    assign rsp_code_o       = rsp_code_q;
    assign rsp_row_o        = rsp_row_q;
    assign freed_valid_o    = freed_valid_q;
    assign freed_row_o      = freed_row_q;
    assign open_valid_o     = open_valid_q;
    assign open_row_o       = open_row_q;
    assign open_rid_o       = rid_q;
    assign open_priority_o  = priority_q;
    assign open_warp_o      = warp_event_q;
    assign close_valid_o    = close_valid_q;
    assign close_row_o      = cmd_row_q;
    assign ab_valid_o       = ab_valid_q;
    assign ab_row_o         = cmd_row_q;
    assign ab_param_o       = base_q;
    assign kernel_valid_o   = kernel_valid_q;
    wire unused_row = &{1'b0, what_q[`EVG_ROW_KERNEL_UNUSED]};

    assign kernel_o[`EVG_LAUNCH_KERNEL]   = what_q[`EVG_ROW_KERNEL_KERNEL];
    assign kernel_o[`EVG_LAUNCH_PARAM]    = {{64 - AddressBits{1'b0}}, word[HeadLsb+:AddressBits]};
    assign kernel_o[`EVG_LAUNCH_DIMS]     = {16'd0, what_q[`EVG_ROW_KERNEL_DIMS]};
    assign kernel_o[`EVG_LAUNCH_SHARED]   = {word[SharedLsb+:SharedBits], what_q[`EVG_ROW_KERNEL_SHARED]};
    assign kernel_o[`EVG_LAUNCH_WARP]     = what_q[`EVG_ROW_KERNEL_WARP];
    assign kernel_o[`EVG_LAUNCH_THREADS]  = what_q[`EVG_ROW_KERNEL_THREADS];
    assign kernel_o[`EVG_LAUNCH_ROW]      = {{`EVG_LAUNCH_ROW_WIDTH - RowBits{1'b0}}, launch_row_q};
    assign kernel_o[`EVG_LAUNCH_TAG]      = launch_tag_q;
    assign kernel_o[`EVG_LAUNCH_PRIORITY] = what_q[`EVG_ROW_KERNEL_PRIORITY];
    assign quiet_o          = idle && !checking_q && !cmd_held_q && !kernel_valid_q &&
                              !rsp_valid_q && !open_valid_q && !close_valid_q && !ab_valid_q && !drained &&
                              !freed_valid_q;

`ifdef FORMAL
`include "properties/event_kernel_table.fv.vh"
`endif

endmodule

`default_nettype wire
