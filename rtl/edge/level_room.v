// SPDX-License-Identifier: Apache-2.0
// level_room: may an event of a priority take an entry of a core's table (EDGE IV, IV-E)?
//
// Contract
// - room_o, in the same cycle: there is a free entry for the event that is not owed to another priority.
//   Owed are, of the priorities without an event in the table (held_i),
//     to an event of a priority that has one there    an entry to each that waits for a place (waiting_i),
//                                                     and one to all others with rows (levels_i) together
//     to an event of a priority that has none there   an entry to each higher one that waits
//   So what is not in use is lent: all but one entry of a core goes to whoever needs it, and the last
//   one to the first event of a priority. Who finds it taken gets the next entry that becomes free: no
//   event of a priority that has one there, nor of a lower one, takes it before.
// - With two priorities with rows, a core without an event of one has an entry for it, whatever the other
//   does. With one priority every entry is its own.
//
//     occupancy_i    levels in use    held    waiting    events of level 0    of level 3
//     3 of 4         0                0       0          room                 -
//     3 of 4         0, 3             0       0          none                 room
//     3 of 4         0, 3             0, 3    0, 3       room                 room
//     2 of 4         0, 1, 2, 3       0       0          room                 room
//     2 of 4         0, 1, 2, 3       0       0, 3       none                 room
//     3 of 4         0, 1, 2, 3       0, 3    0, 3       none                 none
`default_nettype none
`include "evgpu_defs.vh"

module level_room #(
    parameter Entries = `EVG_PEWT_ENTRIES
) (
    input  wire [`EVG_PRIORITY_BITS-1:0]        level_i,
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] levels_i,
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] waiting_i,
    input  wire [2:0]                           occupancy_i,
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] held_i,
    output wire                                 room_o
);

    localparam Levels = 1 << `EVG_PRIORITY_BITS;
    generate
        if (Levels > Entries || Entries > 7 || Levels > 8) begin : g_check
            level_room_needs_an_entry_per_level check_parameters ();
        end
    endgenerate

    // Free entries, in unary: bit n of more than n. Each that is owed is one less. Both for an event of a
    // priority that has one there and for a first one, since which it is is known as late as the entries.
    wire              holds = held_i[level_i];
    reg [Entries-1:0] to_holder, to_first;
    reg               lent; // others have rows, and nothing there
    integer           l;

    always @* begin
        to_holder = {Entries{1'b1}} >> occupancy_i;
        to_first  = to_holder;
        lent      = 1'b0;
        for (l = 0; l < Levels; l = l + 1)
            if (!held_i[l]) begin
                if (waiting_i[l])
                    to_holder = to_holder >> 1;
                if (waiting_i[l] && level_i < l[`EVG_PRIORITY_BITS-1:0])
                    to_first = to_first >> 1;
                if (!waiting_i[l] && levels_i[l])
                    lent = 1'b1;
            end
        if (lent)
            to_holder = to_holder >> 1;
    end

    assign room_o = holds ? to_holder[0] : to_first[0];

`ifdef FORMAL
`include "properties/level_room.fv.vh"
`endif

endmodule

`default_nettype wire
