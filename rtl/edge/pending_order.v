// SPDX-License-Identifier: Apache-2.0
// pending_order: the order in which the events of one SIMT core's table get a warp (EDGE IV:
// configurable priority; IV-C), and which is tried meanwhile when the one whose turn it is finds none.
//
// Contract
// - push_i adds entry push_entry_i with its priority and registers behind all others; what is pushed is
//   seen in the next cycle. take_i makes entry_o the event that is tried; start_i takes the one that is
//   tried away. Until then it stays in its place: taking another one puts it back.
// - The next one, whose turn it is, is the oldest of the highest priority; but when PassLimit others have
//   had their turn since the oldest of all became the oldest, that one.
// - valid_o: there is another one to try than the one that is tried, if any. With lighter_o it needs fewer
//   registers than all that have been tried since the one whose turn it is was, of these the oldest of
//   the highest priority, and may not take what that one waits for; without, it is its turn. Lighter
//   ones are looked for after take_i and after a push: seen two cycles later.
// - A lighter one borrows a warp, and its block does not end meanwhile, so lighter ones are rationed:
//   PassLimit may be started in a turn, none of them of a lower priority than the one whose turn it is.
//   Each DrainCycles cycles with calm_i, while one is tried, end the ration and begin the next, which is
//   for all priorities.
// - Bound of a turn: with c cycles with calm_i, at most PassLimit * (1 + c / DrainCycles) lighter ones
//   are started in it, and of a lower priority none before c is DrainCycles. So what a turn waits for goes
//   on in peace for ever longer, and a lighter one waits for no more than DrainCycles such cycles for
//   each PassLimit that are before it.
// - Bound of turns: before an event with k older ones in the table, at most (PassLimit + 1) * k +
//   PassLimit others have their turn: PassLimit and itself for each that is or becomes the oldest.
//
//     cycle        t              t+1            t+2   t+3   t+4   t+5   t+6
//     push_i       a, 8 registers b, 4 registers
//     take_i       0              1              0     0     1     0     0
//     start_i      0              0              0     0     0     1     0
//     valid_o      0              1              0     1     1     1     1
//     entry_o      -              a              -     b     b     a     a   t+4: nobody has a warp for a
//     lighter_o    0              0              0     1     1     0     0
//
// - Illegal: a push beyond Entries, take_i without valid_o, start_i without one that is tried, both.
// - quiet_o: without push_i no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module pending_order #(
    parameter Entries    = `EVG_PEWT_ENTRIES, // power of two
    parameter IndexWidth = 2,                 // log2(Entries)
    parameter PassLimit  = `EVG_PASS_LIMIT,
    parameter DrainCycles = `EVG_DRAIN_CYCLES
) (
    input  wire                          clk_i,
    input  wire                          rst_i,
    input  wire                          push_i,
    input  wire [IndexWidth-1:0]         push_entry_i,
    input  wire [`EVG_PRIORITY_BITS-1:0] push_priority_i,
    input  wire [6:0]                    push_regs_i,
    input  wire                          take_i,
    input  wire                          start_i,
    input  wire                          calm_i,   // no warp of the core is borrowed
    output wire                          valid_o,
    output wire [IndexWidth-1:0]         entry_o,
    output wire [6:0]                    regs_o,
    output wire                          lighter_o,
    output wire [IndexWidth:0]           count_o,  // with the one that is tried
    output wire                          quiet_o   // nothing is tried, nor can be
);

    localparam Bits     = `EVG_PRIORITY_BITS;
    localparam PassBits = $clog2(PassLimit + 1);
    localparam [PassBits-1:0] Limit = PassLimit[PassBits-1:0];
    localparam CalmBits = $clog2(DrainCycles);
    localparam [CalmBits-1:0] CalmLast = DrainCycles[CalmBits-1:0] - 1'b1;

    generate
        if ((1 << IndexWidth) != Entries || PassLimit < 1) begin : g_check
            pending_order_needs_index_width_log2_of_entries_and_a_limit check_parameters ();
        end
        if (DrainCycles < 2) begin : g_check_drain
            pending_order_needs_2_drain_cycles check_parameters ();
        end
    endgenerate

    // Places in the order of arrival, the oldest first
    reg [IndexWidth*Entries-1:0] entry_q;
    reg [Bits*Entries-1:0]       priority_q;
    reg [7*Entries-1:0]          regs_q;
    reg [IndexWidth:0]           count_q;
    reg [PassBits-1:0]           passed_q; // the oldest, by so many

    // The one that is tried, the one whose turn it is, and the fewest registers that were tried for
    reg                  tried_q;
    reg [IndexWidth-1:0] at_q;
    reg [IndexWidth-1:0] turn_q;
    reg [Bits-1:0]       turn_priority_q;
    reg [6:0]            least_q;

    // The ration of this turn
    reg [PassBits-1:0]   lights_q; // of it, started
    reg [CalmBits-1:0]   calm_q;   // of it, cycles with calm_i
    reg                  all_q;    // it is not the first: for all priorities

    // --- Whose turn it is --------------------------------------------------------------------------
    reg [IndexWidth-1:0] first;
    reg [Bits-1:0]       highest;
    integer              i;

    always @* begin
        first   = {IndexWidth{1'b0}};
        highest = priority_q[Bits-1:0];
        for (i = 1; i < Entries; i = i + 1)
            if (i[IndexWidth:0] < count_q && passed_q != Limit &&
                priority_q[Bits*i+:Bits] > highest) begin
                first   = i[IndexWidth-1:0];
                highest = priority_q[Bits*i+:Bits];
            end
    end

    // --- The lighter ones --------------------------------------------------------------------------
    reg                  any_light;
    reg [IndexWidth-1:0] light;
    reg [Bits-1:0]       light_highest;
    wire [Bits-1:0]      light_from = all_q ? {Bits{1'b0}} : turn_priority_q;
    integer              l;

    always @* begin
        any_light     = 1'b0;
        light         = {IndexWidth{1'b0}};
        light_highest = {Bits{1'b0}};
        for (l = 0; l < Entries; l = l + 1)
            if (l[IndexWidth:0] < count_q && regs_q[7*l+:7] < least_q && lights_q != Limit &&
                priority_q[Bits*l+:Bits] >= light_from &&
                (!any_light || priority_q[Bits*l+:Bits] > light_highest)) begin
                any_light     = 1'b1;
                light         = l[IndexWidth-1:0];
                light_highest = priority_q[Bits*l+:Bits];
            end
    end

    // Found in a cycle of its own: nobody asks so soon after take_i.
    reg                  any_light_q;
    reg [IndexWidth-1:0] light_q;

    always @(posedge clk_i) begin
        any_light_q <= !rst_i && tried_q && !take_i && !start_i && any_light;
        if (tried_q)
            light_q <= light;
    end

    wire                  lighter = first == turn_q && any_light_q;
    wire [IndexWidth-1:0] place   = lighter ? light_q : first;

    // --- Places ------------------------------------------------------------------------------------
    wire [IndexWidth:0] tail = count_q - {{IndexWidth{1'b0}}, start_i}; // where a push goes
    wire [IndexWidth*Entries-1:0] next_entry    = entry_q >> IndexWidth; // of the place behind each
    wire [Bits*Entries-1:0]       next_priority = priority_q >> Bits;
    wire [7*Entries-1:0]          next_regs     = regs_q >> 7;
    integer             p;

    always @(posedge clk_i)
        for (p = 0; p < Entries; p = p + 1)
            if (push_i && tail == p[IndexWidth:0]) begin
                entry_q[IndexWidth*p+:IndexWidth] <= push_entry_i;
                priority_q[Bits*p+:Bits]          <= push_priority_i;
                regs_q[7*p+:7]                    <= push_regs_i;
            end else if (start_i && p[IndexWidth-1:0] >= at_q) begin
                entry_q[IndexWidth*p+:IndexWidth] <= next_entry[IndexWidth*p+:IndexWidth];
                priority_q[Bits*p+:Bits]          <= next_priority[Bits*p+:Bits];
                regs_q[7*p+:7]                    <= next_regs[7*p+:7];
            end

    always @(posedge clk_i)
        if (rst_i) begin
            count_q  <= {IndexWidth + 1{1'b0}};
            passed_q <= {PassBits{1'b0}};
            tried_q  <= 1'b0;
        end else begin
            count_q <= tail + {{IndexWidth{1'b0}}, push_i};
            tried_q <= take_i || (tried_q && !start_i);
            if (start_i && at_q == {IndexWidth{1'b0}})
                passed_q <= {PassBits{1'b0}};
            else if (start_i && at_q == turn_q)
                passed_q <= passed_q + 1'b1;
        end

    // Looked at while an event is tried.
    always @(posedge clk_i)
        if (take_i) begin
            at_q    <= place;
            least_q <= regs_o;
            if (!lighter) begin
                turn_q          <= place;
                turn_priority_q <= priority_q[Bits*place+:Bits];
            end
        end

    // --- The ration --------------------------------------------------------------------------------
    wire served = start_i && at_q == turn_q; // the turn is over
    wire calm   = tried_q && calm_i;
    wire renew  = calm && calm_q == CalmLast;

    always @(posedge clk_i)
        if (rst_i || served) begin
            lights_q <= {PassBits{1'b0}};
            calm_q   <= {CalmBits{1'b0}};
            all_q    <= 1'b0;
        end else begin
            lights_q <= (renew ? {PassBits{1'b0}} : lights_q) + {{PassBits - 1{1'b0}}, start_i};
            if (calm)
                calm_q <= renew ? {CalmBits{1'b0}} : calm_q + 1'b1;
            all_q <= all_q || renew;
        end

    // By place, of 8 bits each: a part-select at multiples of 7 becomes a multiplication.
    wire [8*Entries-1:0] regs_by_place;
    genvar               g;
    generate
        for (g = 0; g < Entries; g = g + 1) begin : g_regs
            assign regs_by_place[8*g+:8] = {1'b0, regs_q[7*g+:7]};
        end
    endgenerate

    assign valid_o   = count_q != {IndexWidth + 1{1'b0}} && !(tried_q && place == at_q);
    assign entry_o   = entry_q[IndexWidth*place+:IndexWidth];
    assign regs_o    = regs_by_place[8*place+:7];
    assign lighter_o = lighter;
    assign count_o   = count_q;
    assign quiet_o   = !valid_o && !tried_q && !any_light_q;

`ifdef FORMAL
`include "properties/pending_order.fv.vh"
`endif

endmodule

`default_nettype wire
