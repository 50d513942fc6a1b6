// SPDX-License-Identifier: Apache-2.0
// link_engine: obeys the requests of the host (docs/design/fpga.md, "The link").
//
// Contract
// - One request at a time: give tiles clock edges in the order of its records, each a tile, edges, and
//   input bytes to write before them, and answer with the output bytes that have changed; or reset a
//   tile; or tell what it is.
// - A request whose number is that of the last one obeyed is not obeyed again: its reply is sent
//   again. INFO is obeyed always, so that a session can begin with any number.
// - A damaged frame is answered with NAK, without a trace in the engine's state.
// - edge_o is high for 2 cycles and then low for 2: bank inputs and tile_reset_o stand still from 2
//   cycles before its rise to 2 cycles after, so tiles clocked by it need no synchronisers. An edge takes
//   8 cycles, and the outputs behind it one a byte, 4, and up to 8 a byte that has changed.
// - byte_i is byte index_o of the outputs of tile_o, two cycles after the index; out_bytes_i and
//   signature_i are tile_o's, two cycles after tile_o, which stands long before a frame's end.
`default_nettype none
`include "evgpu_link.vh"

module link_engine #(
    parameter Tiles = 1, // 1..255
    parameter TileBits = 1,
    parameter IndexBits = 9
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // Frame receiver
    output wire                 rx_hold_o,
    input  wire                 rx_valid_i,
    input  wire [7:0]           rx_byte_i,
    input  wire [IndexBits-1:0] rx_index_i,
    input  wire                 rx_good_i,
    input  wire                 rx_bad_i,
    input  wire [IndexBits-1:0] rx_length_i,
    // Frame transmitter
    output wire                 tx_valid_o,
    output wire [7:0]           tx_byte_o,
    output wire                 tx_last_o,
    output wire [IndexBits-1:0] tx_length_o, // of the whole reply
    input  wire                 tx_ready_i,
    input  wire                 tx_idle_i,
    // Tile bank
    output wire [TileBits-1:0]  tile_o,
    output wire                 clear_o,
    output wire                 write_o,
    output wire [7:0]           index_o,
    output wire [7:0]           data_o,
    output wire                 tile_reset_o,
    output wire                 edge_o,
    input  wire [7:0]           byte_i,
    input  wire [8:0]           out_bytes_i,
    input  wire [31:0]          signature_i,
    input  wire                 waits_i     // outputs are not there yet
);

    localparam [3:0] Idle    = 4'd0;
    localparam [3:0] Obey    = 4'd1;
    localparam [3:0] Head    = 4'd2; // of a record: tile, edges, pairs, each on its way out of the buffer
    localparam [3:0] Check   = 4'd3;
    localparam [3:0] Pair    = 4'd4; // an input byte's number and value, the same way
    localparam [3:0] Write   = 4'd5;
    localparam [3:0] Next    = 4'd6; // record, or the end
    localparam [3:0] Pulse   = 4'd7;
    localparam [3:0] Wait    = 4'd8;
    localparam [3:0] Scan    = 4'd9; // the outputs, one in a cycle
    localparam [3:0] Mark    = 4'd10; // the edges since the last mark, into the reply
    localparam [3:0] Store   = 4'd11; // an output byte's number and value
    localparam [3:0] Info    = 4'd12;
    localparam [3:0] Fetch   = 4'd13;
    localparam [3:0] Send    = 4'd14;
    localparam [3:0] Drain   = 4'd15;

    localparam [31:0] LastTile = Tiles - 1;
    localparam [IndexBits-1:0] ReplyHeader = 2; // number, status
    localparam [IndexBits-1:0] InfoBytes   = 8; // header, protocol, tiles, signature
    localparam [IndexBits-1:0] FirstRecord = 2; // behind number and operation
    localparam [IndexBits-1:0] LastChange  = `EVG_LINK_REPLY_BYTES; // longest reply that still takes one

    generate
        if (Tiles < 1 || Tiles > 255 || (1 << TileBits) < Tiles || TileBits > 8) begin : g_check
            link_engine_needs_1_to_255_tiles_and_bits_for_them check_parameters ();
        end
    endgenerate

    // The request: header in registers, the rest in a block RAM
    reg [7:0]           number_q, op_q, tile_q, edges_q, pairs_q;
    reg [IndexBits-1:0] length_q, at_q;
    reg [7:0]           request_q;
    reg [7:0]           request [0:(1<<IndexBits)-1];
    always @(posedge clk_i) begin
        if (rx_valid_i)
            request[rx_index_i] <= rx_byte_i;
        request_q <= request[at_q];
    end

    // The reply after number and status, kept until the next request is obeyed, and the outputs that the host knows
    reg                 put;
    reg [IndexBits-1:0] put_at;
    reg [7:0]           put_byte;
    reg [IndexBits-1:0] reply_length_q;
    reg [7:0]           reply_q;
    reg [7:0]           reply [0:(1<<IndexBits)-1];
    always @(posedge clk_i) begin
        if (put)
            reply[put_at] <= put_byte;
        reply_q <= reply[at_q];
    end

    reg [7:0]            index_q; // of an input or output byte
    reg [7:0]            value_q; // of that output byte, which has changed
    reg                  known_put;
    reg [7:0]            known_read_q, known_q; // as late as byte_i
    reg [7:0]            known [0:(1<<(TileBits+8))-1];
    wire [TileBits+7:0]  known_at = {tile_q[TileBits-1:0], index_q};
    always @(posedge clk_i) begin
        if (known_put)
            known[known_at] <= value_q;
        known_read_q <= known[known_at];
        known_q      <= known_read_q;
    end

    reg [3:0] state_q, state_d;
    reg [3:0] phase_q;         // cycles in this state, 16 or fewer where it counts
    reg [7:0] asked_q, seen_q; // index_q one and two cycles ago: seen_q is that of byte_i
    reg       asked_valid_q, seen_valid_q;
    reg [7:0] since_q;         // edges since the last mark
    reg       change_q;        // it is marked since an output has changed
    reg [7:0] last_number_q;   // of the last request obeyed
    reg       last_valid_q;
    reg       refused_q;       // it was
    reg       nak_q;           // what is being sent is a NAK, or else the reply
    reg       clear_q, write_q, reset_q, edge_q;
    reg [7:0] data_q;

    wire is_info   = op_q == {6'b0, `EVG_LINK_OP_INFO};
    wire is_reset  = op_q == {6'b0, `EVG_LINK_OP_RESET};
    wire is_step   = op_q == {6'b0, `EVG_LINK_OP_STEP};
    wire there     = {24'b0, tile_q} <= LastTile;
    wire understood = is_step || ((is_info || is_reset) && there);
    wire again     = last_valid_q && number_q == last_number_q && !is_info;
    // A record: its pairs are in the request, its tile is there
    wire [IndexBits:0] record_end = {1'b0, at_q} + {{IndexBits-8{1'b0}}, pairs_q, 1'b0};
    wire whole     = record_end <= {1'b0, length_q} && there;
    wire more      = at_q < length_q;
    wire last_seen = {1'b0, seen_q} == out_bytes_i - 1'b1;
    wire last_byte = {1'b0, index_q} == out_bytes_i - 1'b1;
    wire changed   = seen_valid_q && (is_reset || byte_i != known_q);
    wire scanned   = seen_valid_q && !changed && last_seen;
    wire no_room   = reply_length_q > LastChange && !is_reset; // all of any tile fit into a reply
    wire long_ago  = &since_q;
    // A reset is two edges with the tile's reset high; 8 cycles for each edge
    wire pulse_end = phase_q == (is_reset ? 4'd15 : 4'd7);
    wire [3:0] behind_scan = is_reset ? Fetch : edges_q != 8'd0 ? Pulse : Next;
    wire [7:0] status = nak_q ? {6'b0, `EVG_LINK_STATUS_NAK} :
                        refused_q ? {6'b0, `EVG_LINK_STATUS_REFUSED} : {6'b0, `EVG_LINK_STATUS_OK};
    wire [IndexBits-1:0] tx_length = nak_q ? ReplyHeader : reply_length_q;
    wire tx_end    = at_q == tx_length - 1'b1;

    always @(*) begin
        state_d = state_q;
        case (state_q)
            Idle:    if (rx_good_i) state_d = Obey; else if (rx_bad_i) state_d = Fetch;
            Obey:    state_d = again || !understood ? Fetch : is_info ? Info : is_step ? Head : Pulse;
            Head:    if (phase_q == 4'd3) state_d = Check;
            Check:   state_d = !whole ? Fetch : pairs_q != 8'd0 ? Pair : edges_q != 8'd0 ? Pulse : Next;
            Pair:    if (phase_q == 4'd2) state_d = Write;
            Write:   state_d = pairs_q != 8'd1 ? Pair : edges_q != 8'd0 ? Pulse : Next;
            Next:    state_d = more ? Head : Fetch;
            Pulse:   if (pulse_end) state_d = Wait;
            Wait:    if (!waits_i) state_d = Scan;
            Scan:    if (changed) state_d = no_room ? Fetch : since_q != 8'd0 ? Mark : Store;
                     else if (scanned) state_d = !long_ago ? behind_scan : no_room ? Fetch : Mark;
            Mark:    if (phase_q[0]) state_d = change_q ? Store : behind_scan;
            Store:   if (phase_q[0]) state_d = last_byte ? behind_scan : Scan;
            Info:    if (phase_q == InfoBytes[3:0] - 1'b1) state_d = Fetch;
            Fetch:   state_d = Send;
            Send:    if (tx_ready_i) state_d = tx_end ? Drain : Fetch;
            default: if (tx_idle_i) state_d = Idle;
        endcase
    end

    // What goes into the reply
    always @(*) begin
        put       = 1'b0;
        put_at    = reply_length_q;
        put_byte  = index_q;
        known_put = 1'b0;
        case (state_q)
            Mark: begin
                put      = 1'b1;
                put_byte = phase_q[0] ? since_q : `EVG_LINK_MARK;
            end
            Store: begin
                put       = 1'b1;
                put_byte  = phase_q[0] ? value_q : index_q;
                known_put = phase_q[0];
            end
            Info: begin
                put    = 1'b1;
                put_at = {{IndexBits-4{1'b0}}, phase_q};
                case (phase_q)
                    4'd2:    put_byte = `EVG_LINK_PROTOCOL;
                    4'd3:    put_byte = Tiles[7:0];
                    4'd4:    put_byte = signature_i[7:0];
                    4'd5:    put_byte = signature_i[15:8];
                    4'd6:    put_byte = signature_i[23:16];
                    default: put_byte = signature_i[31:24];
                endcase
            end
            default: put = 1'b0;
        endcase
    end

    always @(posedge clk_i) begin
        state_q <= state_d;
        phase_q <= state_d == state_q ? phase_q + 1'b1 : 4'd0;
        clear_q <= state_q == Obey && is_reset && !again && understood;
        write_q <= state_q == Write;
        edge_q  <= state_q == Pulse && (phase_q[2:0] == 3'd3 || phase_q[2:0] == 3'd4);
        reset_q <= state_q == Pulse && is_reset;
        if (rx_valid_i && rx_index_i == 0)
            number_q <= rx_byte_i;
        if (rx_valid_i && rx_index_i == 1)
            op_q <= rx_byte_i;
        if (rx_valid_i && rx_index_i == 2)
            tile_q <= rx_byte_i;
        asked_q       <= index_q;
        seen_q        <= asked_q;
        asked_valid_q <= state_q == Scan && state_d == Scan;
        seen_valid_q  <= asked_valid_q && state_d == Scan;
        case (state_q)
            Idle: begin
                nak_q    <= rx_bad_i;
                length_q <= rx_length_i;
                at_q     <= 0;
            end
            Obey: begin
                since_q <= 8'd0;
                if (!again) begin
                    at_q           <= understood && is_step ? FirstRecord : 0;
                    last_number_q  <= number_q;
                    last_valid_q   <= 1'b1;
                    refused_q      <= !understood;
                    reply_length_q <= is_info && understood ? InfoBytes : ReplyHeader;
                end
            end
            Head: begin
                if (phase_q != 4'd3)
                    at_q <= at_q + 1'b1;
                case (phase_q[1:0])
                    2'd1:    tile_q  <= request_q;
                    2'd2:    edges_q <= request_q;
                    default: pairs_q <= request_q;
                endcase
            end
            Pair: begin
                if (phase_q != 4'd2)
                    at_q <= at_q + 1'b1;
                if (phase_q == 4'd1)
                    index_q <= request_q;
                data_q <= request_q;
            end
            Write: pairs_q <= pairs_q - 1'b1;
            Pulse: begin
                index_q <= 8'd0;
                if (pulse_end && is_step) begin
                    edges_q <= edges_q - 1'b1;
                    since_q <= since_q + 1'b1;
                end
            end
            Scan: begin
                index_q  <= changed ? seen_q : index_q + 1'b1;
                value_q  <= byte_i;
                change_q <= changed;
            end
            Mark: begin
                reply_length_q <= reply_length_q + 1'b1;
                if (phase_q[0])
                    since_q <= 8'd0;
            end
            Store: begin
                reply_length_q <= reply_length_q + 1'b1;
                if (phase_q[0])
                    index_q <= index_q + 1'b1;
            end
            Send: if (tx_ready_i) at_q <= at_q + 1'b1;
            default: begin
            end
        endcase
        // What is not a whole record, or has no room in the reply, is refused.
        if ((state_q == Check && !whole) ||
            (state_q == Scan && (changed || (scanned && long_ago)) && no_room)) begin
            refused_q      <= 1'b1;
            reply_length_q <= ReplyHeader;
        end
        if (state_q != Send && state_q != Idle && state_d == Fetch)
            at_q <= 0;
        if (rst_i) begin
            state_q      <= Idle;
            last_valid_q <= 1'b0;
            edge_q       <= 1'b0;
            write_q      <= 1'b0;
            clear_q      <= 1'b0;
        end
    end

    assign rx_hold_o    = state_q != Idle || rx_good_i || rx_bad_i;
    assign tx_valid_o   = state_q == Send;
    assign tx_byte_o    = at_q == 0 ? (nak_q ? 8'h0 : last_number_q) :
                          at_q == 1 ? status : reply_q;
    assign tx_last_o    = tx_end;
    assign tx_length_o  = tx_length;
    assign tile_o       = tile_q[TileBits-1:0];
    assign clear_o      = clear_q;
    assign write_o      = write_q;
    assign index_o      = index_q;
    assign data_o       = data_q;
    assign tile_reset_o = reset_q;
    assign edge_o       = edge_q;

endmodule
`default_nettype wire
