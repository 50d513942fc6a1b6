// pending_order: the order in which the events of one SIMT core's table get a warp (EDGE IV:
// configurable priority; IV-C).
//
// Contract
// - push_i adds entry push_entry_i with its priority behind all others; entry_o, with valid_o, is the
//   one to take next, pop_i takes it away. Both may come at one edge. What is pushed is seen in the
//   next cycle.
// - The next one is the oldest of the highest priority; but when PassLimit others have been taken
//   since the oldest of all became the oldest, that one.
// - Bound: before an event with k older ones in the table, at most (PassLimit + 1) * k + PassLimit
//   others are taken: PassLimit and itself for each that is or becomes the oldest.
//
//     cycle        t             t+1           t+2   t+3
//     push_i       a, priority 0 b, priority 2
//     pop_i        0             0             1     1
//     valid_o      0             1             1     1
//     entry_o      -             a             b     a
//
// - Illegal: a push beyond Entries, a pop without valid_o.
// - Without push_i and pop_i no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module pending_order #(
    parameter Entries    = `EVG_PEWT_ENTRIES, // power of two
    parameter IndexWidth = 2,                 // log2(Entries)
    parameter PassLimit  = `EVG_PASS_LIMIT
) (
    input  wire                          clk_i,
    input  wire                          rst_i,
    input  wire                          push_i,
    input  wire [IndexWidth-1:0]         push_entry_i,
    input  wire [`EVG_PRIORITY_BITS-1:0] push_priority_i,
    input  wire                          pop_i,
    output wire                          valid_o,
    output wire [IndexWidth-1:0]         entry_o,
    output wire [IndexWidth:0]           count_o
);

    localparam Bits     = `EVG_PRIORITY_BITS;
    localparam PassBits = $clog2(PassLimit + 1);
    localparam [PassBits-1:0] Limit = PassLimit[PassBits-1:0];

    generate
        if ((1 << IndexWidth) != Entries || PassLimit < 1) begin : g_check
            pending_order_needs_index_width_log2_of_entries_and_a_limit check_parameters ();
        end
    endgenerate

    // Places in the order of arrival, the oldest first
    reg [IndexWidth*Entries-1:0] entry_q;
    reg [Bits*Entries-1:0]       priority_q;
    reg [IndexWidth:0]           count_q;
    reg [PassBits-1:0]           passed_q; // the oldest, by so many

    reg [IndexWidth-1:0] place; // of the next one
    reg [Bits-1:0]       highest;
    integer              i;

    always @* begin
        place   = {IndexWidth{1'b0}};
        highest = priority_q[Bits-1:0];
        for (i = 1; i < Entries; i = i + 1)
            if (i[IndexWidth:0] < count_q && passed_q != Limit &&
                priority_q[Bits*i+:Bits] > highest) begin
                place   = i[IndexWidth-1:0];
                highest = priority_q[Bits*i+:Bits];
            end
    end

    wire [IndexWidth:0] tail = count_q - {{IndexWidth{1'b0}}, pop_i}; // where a push goes
    wire [IndexWidth*Entries-1:0] next_entry    = entry_q >> IndexWidth; // of the place behind each
    wire [Bits*Entries-1:0]       next_priority = priority_q >> Bits;
    integer             p;

    always @(posedge clk_i)
        for (p = 0; p < Entries; p = p + 1)
            if (push_i && tail == p[IndexWidth:0]) begin
                entry_q[IndexWidth*p+:IndexWidth] <= push_entry_i;
                priority_q[Bits*p+:Bits]          <= push_priority_i;
            end else if (pop_i && p[IndexWidth-1:0] >= place) begin
                entry_q[IndexWidth*p+:IndexWidth] <= next_entry[IndexWidth*p+:IndexWidth];
                priority_q[Bits*p+:Bits]          <= next_priority[Bits*p+:Bits];
            end

    always @(posedge clk_i)
        if (rst_i) begin
            count_q  <= {IndexWidth + 1{1'b0}};
            passed_q <= {PassBits{1'b0}};
        end else begin
            count_q <= tail + {{IndexWidth{1'b0}}, push_i};
            if (pop_i)
                passed_q <= place == {IndexWidth{1'b0}} ? {PassBits{1'b0}} : passed_q + 1'b1;
        end

    assign valid_o = count_q != {IndexWidth + 1{1'b0}};
    assign entry_o = entry_q[IndexWidth*place+:IndexWidth];
    assign count_o = count_q;

`ifdef FORMAL
`include "pending_order.fv.vh"
`endif

endmodule

`default_nettype wire
