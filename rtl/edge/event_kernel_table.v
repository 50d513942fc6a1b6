// event_kernel_table: the registered event kernels and their circular submission queues (EDGE
// III-A, III-C, IV-E).
//
// Contract
// - Rows of 66 bytes in one single-port RAM: kernel, base, head, size, last (8 bytes each), six
//   4-byte dimensions, 2 bytes of shared memory. All queue arithmetic is done by one 64-bit adder
//   and one comparator.
// - Launch: costs 3 cycles of the table. In the first the row is read, in the second head + size is
//   added, in the third it is compared with last and the row is written back with the new head:
//   head + size, or base when that lies past last (or past 2**64). kernel_* carries the row, with
//   the head before the launch as kernel_param_o, from the second cycle on until kernel_ready_i;
//   the next launch starts when it has been taken.
// - A command is taken with cmd_valid_i and cmd_ready_o and answered by one rsp_valid_o pulse;
//   until then cmd_ready_o is low. Launches and commands that both wait take turns.
// - REGISTER answers 4 cycles after it was taken if the table is idle: BAD_ARGUMENT (rsp_row_o 0)
//   if the code address, a dimension or the size is 0, the size or the base is not a multiple of
//   ENTRY_ALIGN, base > last, a block has more than BLOCK_THREADS threads, or bit 63 of the kernel
//   (the top bit of the register count) is set; else FULL (rsp_row_o 0) if no row is free; else OK:
//   the lowest free row is written with head = base, and its doorbell opens. A doorbell write from
//   the cycle after the answer on is accepted.
// - UNREGISTER closes the doorbell: writes from the second cycle after the one the command was
//   taken in are refused. A row that is not registered answers NOT_REGISTERED. Otherwise accepted
//   writes still launch, and when the last event of the row has completed, the row is freed and OK
//   answered; with none in flight, 4 cycles after the command if the table was idle. rsp_row_o is
//   cmd_row_i.
// - Any other cmd_op_i answers BAD_ARGUMENT.
// - The row's events are counted from acceptance (acc_*) to completion (dec_*); both in one cycle
//   leave the count. room_o falls when RoomLimit events are in flight in all, two cycles late: the
//   tags of 16 bits stay unique.
// - Illegal: a launch of a row that is not registered (it launches whatever the row holds; the
//   decoder never asks for it); a completion for a row without an event in flight (ignored).
// - quiet_o: without a command, launch, acceptance or completion no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module event_kernel_table #(
    parameter Rows      = `EVG_EKT_ROWS,
    parameter RowBits   = 5,      // log2(Rows)
    parameter RoomLimit = 65_500  // events in flight, so that tags stay unique with room_o late
) (
    input  wire               clk_i,
    input  wire               rst_i,
    // Driver commands
    input  wire               cmd_valid_i,
    input  wire [1:0]         cmd_op_i,
    input  wire [RowBits-1:0] cmd_row_i,
    input  wire [15:0]        cmd_rid_i,
    input  wire [63:0]        cmd_kernel_i,
    input  wire [63:0]        cmd_base_i,
    input  wire [63:0]        cmd_size_i,
    input  wire [63:0]        cmd_last_i,
    input  wire [191:0]       cmd_dims_i,
    input  wire [15:0]        cmd_shared_i,
    output wire               cmd_ready_o,
    output wire               rsp_valid_o,
    output wire [1:0]         rsp_code_o,
    output wire [RowBits-1:0] rsp_row_o,
    // To doorbell_decoder
    output wire               open_valid_o,
    output wire [RowBits-1:0] open_row_o,
    output wire [15:0]        open_rid_o,
    output wire               close_valid_o,
    output wire [RowBits-1:0] close_row_o,
    output wire               room_o,
    // From doorbell_decoder: accepted writes to launch, and their announcement
    input  wire               launch_valid_i,
    input  wire [RowBits-1:0] launch_row_i,
    input  wire [15:0]        launch_tag_i,
    output wire               launch_ready_o,
    input  wire               acc_valid_i,
    input  wire [RowBits-1:0] acc_row_i,
    // To event_dispatch: the launched kernel
    output wire               kernel_valid_o,
    output wire [63:0]        kernel_code_o,
    output wire [63:0]        kernel_param_o,
    output wire [191:0]       kernel_dims_o,
    output wire [15:0]        kernel_shared_o,
    output wire [RowBits-1:0] kernel_row_o,
    output wire [15:0]        kernel_tag_o,
    input  wire               kernel_ready_i,
    // From event_completion
    input  wire               dec_valid_i,
    input  wire [RowBits-1:0] dec_row_i,
    output wire               quiet_o
);

    localparam RowWidth   = `EVG_EKT_ROW_BITS;
    localparam AlignBits  = $clog2(`EVG_ENTRY_ALIGN);
    localparam DimBits    = $clog2(`EVG_BLOCK_THREADS) + 1; // holds BLOCK_THREADS itself
    localparam [31:0] MaxThreads = `EVG_BLOCK_THREADS;
    localparam [16:0] Room = RoomLimit[16:0];

    // Bit positions in a row
    localparam KernelLsb = 0, BaseLsb = 64, HeadLsb = 128, SizeLsb = 192, LastLsb = 256,
               DimsLsb = 320, SharedLsb = 512;

    generate
        if ((1 << RowBits) != Rows || SharedLsb + 16 != RowWidth ||
            RoomLimit < 1 || RoomLimit > 65_535 - 16) begin : g_check
            event_kernel_table_needs_rows_a_power_of_two_and_room_below_2_to_16 check_parameters ();
        end
    endgenerate

    reg [`EVG_EKT_STATE_WIDTH-1:0] state_q;
    reg                            draining_q;

    // Command being worked on
    reg         cmd_ready_q, cmd_held_q;
    reg         after_cmd_q; // the last thing done was a command: a launch goes first
    reg [1:0]         op_q;
    reg [RowBits-1:0] cmd_row_q;
    reg [15:0]        rid_q;
    reg [63:0]        kernel_q, base_q, size_q, last_q;
    reg [191:0]       dims_q;
    reg [15:0]        shared_q;

    wire cmd_take = cmd_valid_i && cmd_ready_q;

    always @(posedge clk_i)
        if (cmd_take) begin
            op_q      <= cmd_op_i;
            cmd_row_q <= cmd_row_i;
            rid_q     <= cmd_rid_i;
            kernel_q  <= cmd_kernel_i;
            base_q    <= cmd_base_i;
            size_q    <= cmd_size_i;
            last_q    <= cmd_last_i;
            dims_q    <= cmd_dims_i;
            shared_q  <= cmd_shared_i;
        end

    // --- the table -------------------------------------------------------------------------------
    wire launch_take = launch_valid_i && launch_ready_o;
    wire write_back  = state_q == `EVG_EKT_STATE_WRITE_BACK;
    wire write_new;  // a registration takes a row

    wire [RowWidth-1:0] row;
    wire [63:0] row_base = row[BaseLsb+:64];
    wire [63:0] row_head = row[HeadLsb+:64];
    wire [63:0] row_size = row[SizeLsb+:64];
    wire [63:0] row_last = row[LastLsb+:64];

    // The adder, and a cycle later the comparator, which a registration uses for base > last
    reg  [64:0] next_q;
    wire        past_last = (write_back ? next_q : {1'b0, base_q}) >
                            {1'b0, write_back ? row_last : last_q};
    wire [63:0] next_head = past_last ? row_base : next_q[63:0];

    always @(posedge clk_i)
        if (state_q == `EVG_EKT_STATE_ADVANCE)
            next_q <= {1'b0, row_head} + {1'b0, row_size};

    reg [RowBits-1:0] launch_row_q;
    reg [RowBits-1:0] free_row;

    single_port_ram #(
        .Width(RowWidth),
        .Depth(Rows),
        .AddressBits(RowBits)
    ) u_table (
        .clk_i(clk_i),
        .enable_i(launch_take || write_back || write_new),
        .write_i(write_back || write_new),
        .address_i(write_back ? launch_row_q : write_new ? free_row : launch_row_i),
        .data_i(write_back ? {row[RowWidth-1:SizeLsb], next_head, row[HeadLsb-1:0]}
                           : {shared_q, dims_q, last_q, size_q, base_q, base_q, kernel_q}),
        .data_o(row)
    );

    wire decide = state_q == `EVG_EKT_STATE_DECIDE;

    // --- checks of a registration ----------------------------------------------------------------
    reg                 bad_q;
    reg [2*DimBits-1:0] area_q; // block x * block y
    wire [31:0]         block_x = dims_q[96+:32];
    wire [31:0]         block_y = dims_q[128+:32];
    wire [31:0]         block_z = dims_q[160+:32];

    wire zero_dim = dims_q[31:0] == 0 || dims_q[63:32] == 0 || dims_q[95:64] == 0 ||
                    block_x == 0 || block_y == 0 || block_z == 0;
    wire large_dim = block_x > MaxThreads || block_y > MaxThreads || block_z > MaxThreads;
    wire bad_queue = size_q == 0 || size_q[AlignBits-1:0] != 0 || base_q[AlignBits-1:0] != 0 ||
                     past_last;

    always @(posedge clk_i)
        if (state_q == `EVG_EKT_STATE_CHECK) begin
            bad_q  <= zero_dim || large_dim || bad_queue || kernel_q[55:0] == 0 || kernel_q[63];
            area_q <= block_x[DimBits-1:0] * block_y[DimBits-1:0];
        end

    wire [2*DimBits-1:0] threads = area_q[DimBits-1:0] * block_z[DimBits-1:0];
    wire too_many = area_q > MaxThreads[2*DimBits-1:0] || threads > MaxThreads[2*DimBits-1:0];

    // Lowest free row
    reg [Rows-1:0] registered_q;
    wire           table_full = &registered_q;
    integer        i;

    always @* begin
        free_row = {RowBits{1'b0}};
        i        = 0;
        if (decide)
            for (i = Rows - 1; i >= 0; i = i - 1)
                if (!registered_q[i])
                    free_row = i[RowBits-1:0];
    end

    // --- decision on a command -------------------------------------------------------------------
    wire is_reg   = op_q == `EVG_FRONTEND_CMD_REGISTER;
    wire is_unreg = op_q == `EVG_FRONTEND_CMD_UNREGISTER;
    wire start_drain = decide && is_unreg && registered_q[cmd_row_q];

    reg [`EVG_FRONTEND_CODE_WIDTH-1:0] verdict;
    always @* begin
        verdict = `EVG_FRONTEND_CODE_OK;
        if (is_unreg)
            verdict = `EVG_FRONTEND_CODE_NOT_REGISTERED;
        else if (!is_reg || bad_q || too_many)
            verdict = `EVG_FRONTEND_CODE_BAD_ARGUMENT;
        else if (table_full)
            verdict = `EVG_FRONTEND_CODE_FULL;
    end
    assign write_new = decide && verdict == `EVG_FRONTEND_CODE_OK;

    // --- events in flight ------------------------------------------------------------------------
    reg [15:0] inflight_q [0:Rows-1];
    reg [16:0] total_q;
    reg        room_q;
    integer    r;

    wire dec  = dec_valid_i && inflight_q[dec_row_i] != 16'd0;
    wire same = acc_valid_i && dec && acc_row_i == dec_row_i;

    always @(posedge clk_i) begin
        if (rst_i) begin
            for (r = 0; r < Rows; r = r + 1)
                inflight_q[r] <= 16'd0;
            total_q <= 17'd0;
            room_q  <= 1'b1;
        end else begin
            if (acc_valid_i && !same)
                inflight_q[acc_row_i] <= inflight_q[acc_row_i] + 16'd1;
            if (dec && !same)
                inflight_q[dec_row_i] <= inflight_q[dec_row_i] - 16'd1;
            if (acc_valid_i && !dec)
                total_q <= total_q + 17'd1;
            else if (dec && !acc_valid_i)
                total_q <= total_q - 17'd1;
            room_q <= total_q < Room;
        end
    end

    wire drained = draining_q && inflight_q[cmd_row_q] == 16'd0;

    // --- control ---------------------------------------------------------------------------------
    reg kernel_valid_q, rsp_valid_q, open_valid_q, close_valid_q;
    reg [`EVG_EKT_STATE_WIDTH-1:0] state_d;

    wire answer = state_q == `EVG_EKT_STATE_ANSWER;
    // Closing needs no look at the table: closing a row that is not open changes nothing. So no
    // write is accepted later than the cycle after the command, and it is in the count when
    // draining_q is set.
    wire close = cmd_take && cmd_op_i == `EVG_FRONTEND_CMD_UNREGISTER;
    wire start_cmd = state_q == `EVG_EKT_STATE_IDLE && cmd_held_q && !launch_take;
    assign launch_ready_o = state_q == `EVG_EKT_STATE_IDLE && !kernel_valid_q &&
                            (!cmd_held_q || after_cmd_q);

    always @* begin
        state_d = state_q;
        case (state_q)
        `EVG_EKT_STATE_IDLE:
            if (launch_take)
                state_d = `EVG_EKT_STATE_ADVANCE;
            else if (start_cmd)
                state_d = `EVG_EKT_STATE_CHECK;
        `EVG_EKT_STATE_ADVANCE: state_d = `EVG_EKT_STATE_WRITE_BACK;
        `EVG_EKT_STATE_CHECK:   state_d = `EVG_EKT_STATE_DECIDE;
        `EVG_EKT_STATE_DECIDE:
            state_d = start_drain ? `EVG_EKT_STATE_IDLE : `EVG_EKT_STATE_ANSWER;
        default:                state_d = `EVG_EKT_STATE_IDLE;
        endcase
    end

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q        <= `EVG_EKT_STATE_IDLE;
            draining_q     <= 1'b0;
            cmd_ready_q    <= 1'b1;
            cmd_held_q     <= 1'b0;
            after_cmd_q    <= 1'b0;
            kernel_valid_q <= 1'b0;
            rsp_valid_q    <= 1'b0;
            open_valid_q   <= 1'b0;
            close_valid_q  <= 1'b0;
            registered_q   <= {Rows{1'b0}};
        end else begin
            state_q       <= state_d;
            rsp_valid_q   <= answer || drained;
            open_valid_q  <= write_new;
            close_valid_q <= close;
            if (cmd_take)
                cmd_ready_q <= 1'b0;
            else if (answer || drained)
                cmd_ready_q <= 1'b1;
            if (cmd_take)
                cmd_held_q <= 1'b1;
            else if (decide)
                cmd_held_q <= 1'b0;
            if (launch_take)
                after_cmd_q <= 1'b0;
            else if (start_cmd)
                after_cmd_q <= 1'b1;
            if (launch_take)
                kernel_valid_q <= 1'b1;
            else if (kernel_ready_i)
                kernel_valid_q <= 1'b0;
            if (start_drain)
                draining_q <= 1'b1;
            else if (drained)
                draining_q <= 1'b0;
            if (write_new)
                registered_q[free_row] <= 1'b1;
            else if (drained)
                registered_q[cmd_row_q] <= 1'b0;
        end
    end

    // Data that follows the control above
    reg [15:0]                         launch_tag_q;
    reg [`EVG_FRONTEND_CODE_WIDTH-1:0] rsp_code_q;
    reg [RowBits-1:0]                  rsp_row_q, open_row_q;

    always @(posedge clk_i) begin
        if (launch_take) begin
            launch_row_q <= launch_row_i;
            launch_tag_q <= launch_tag_i;
        end
        if (decide) begin
            rsp_code_q <= start_drain ? `EVG_FRONTEND_CODE_OK : verdict;
            rsp_row_q  <= is_unreg ? cmd_row_q : write_new ? free_row : {RowBits{1'b0}};
            open_row_q <= free_row;
        end
    end

    assign cmd_ready_o     = cmd_ready_q;
    assign rsp_valid_o     = rsp_valid_q;
    assign rsp_code_o      = rsp_code_q;
    assign rsp_row_o       = rsp_row_q;
    assign open_valid_o    = open_valid_q;
    assign open_row_o      = open_row_q;
    assign open_rid_o      = rid_q;
    assign close_valid_o   = close_valid_q;
    assign close_row_o     = cmd_row_q;
    assign room_o          = room_q;
    assign kernel_valid_o  = kernel_valid_q;
    assign kernel_code_o   = row[KernelLsb+:64];
    assign kernel_param_o  = row_head;
    assign kernel_dims_o   = row[DimsLsb+:192];
    assign kernel_shared_o = row[SharedLsb+:16];
    assign kernel_row_o    = launch_row_q;
    assign kernel_tag_o    = launch_tag_q;
    assign quiet_o         = state_q == `EVG_EKT_STATE_IDLE && !cmd_held_q && !kernel_valid_q &&
                             !rsp_valid_q && !open_valid_q && !close_valid_q && !drained &&
                                             room_q == (total_q < Room);

`ifdef FORMAL
    // The port, the launch and the command; a row's head stays between base and last.
    reg f_live = 1'b0; // there has been a reset
    reg f_launched;    // at the edge before
    reg f_stepping;    // two edges before
    reg [63:0] f_head; // of the row when its launch was offered
    wire f_in_order = row_base <= row_head && row_head <= row_last;
    wire f_row_read = state_q == `EVG_EKT_STATE_ADVANCE || state_q == `EVG_EKT_STATE_WRITE_BACK;
    reg [64:0] f_step;

    always @(posedge clk_i) begin
        f_launched <= !rst_i && launch_take;
        f_stepping <= !rst_i && f_launched;
        if (state_q == `EVG_EKT_STATE_ADVANCE) begin
            f_head <= row_head;
            f_step <= {1'b0, row_head} + {1'b0, row_size};
        end
        if (rst_i)
            f_live <= 1'b1;
    end

    always @*
        if (f_live) begin
            // One access of the port per cycle; a launch takes exactly three
            assert ({1'b0, launch_take} + {1'b0, write_back} + {1'b0, write_new} <= 2'd1);
            assert (f_launched == (state_q == `EVG_EKT_STATE_ADVANCE));
            assert (f_stepping == write_back);
            if (f_launched)
                assert (kernel_valid_o);
            if (write_back) begin
                // The launch got the head from before the step
                assert (kernel_param_o == f_head || !kernel_valid_o);
                assert (next_q == f_step);
            end
            // A registered row is not taken again; the answer comes after the command
            if (write_new)
                assert (!registered_q[free_row]);
            assert (!draining_q || registered_q[cmd_row_q]);
            assert (!(draining_q && cmd_held_q));
            assert (!cmd_ready_o || (!cmd_held_q && !draining_q && !answer));
            assert (cmd_ready_o == !(cmd_held_q || draining_q || answer));
        end

`ifndef YOSYS
    // In simulation only: 64-bit arithmetic over the RAM's words is too much for the provers.
    always @*
        if (f_live) begin
            if (f_row_read)
                assert (f_in_order);
            if (write_back) begin
                assert (next_head == (f_step > {1'b0, row_last} ? row_base : f_step[63:0]));
                assert (row_base <= next_head && next_head <= row_last);
            end
            if (write_new)
                assert (base_q <= last_q);
        end
`endif

`ifdef FORMAL_TOP_event_kernel_table
    always @* begin
        cover (f_live && write_back && past_last && row_size != 0 && cmd_held_q);
        cover (f_live && write_back && !past_last && row_size != 0);
        cover (f_live && write_new && launch_valid_i && registered_q[0]);
        cover (f_live && drained && launch_valid_i);
        cover (f_live && answer && verdict == `EVG_FRONTEND_CODE_FULL);
    end
`endif
`endif

endmodule

`default_nettype wire
