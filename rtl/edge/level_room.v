// level_room: may an event of a priority take an entry of a core's table (EDGE IV, IV-E)?
//
// Contract
// - room_o, in the same cycle: after the event there is still a free entry for each of the other
//   priorities of levels_i (of which there are rows) that has none of its events in the table
//   (held_i). So no priority, and no number of them, can keep another from the core: while the levels
//   stay the same, a core without an event of a priority has an entry for it. With one priority every
//   entry is its own.
//
//     occupancy_i    levels in use    held    events of level 0    of level 3
//     3 of 4         0                0       room                 -
//     3 of 4         0, 3             0       none                 room
//     3 of 4         0, 3             0, 3    room                 room
//     3 of 4         0, 3             3       room                 none
`default_nettype none
`include "evgpu_defs.vh"

module level_room #(
    parameter Entries = `EVG_PEWT_ENTRIES
) (
    input  wire [`EVG_PRIORITY_BITS-1:0]        level_i,
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] levels_i,
    input  wire [2:0]                           occupancy_i,
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] held_i,
    output wire                                 room_o
);

    localparam Levels = 1 << `EVG_PRIORITY_BITS;
    localparam [3:0] Size = Entries;

    generate
        if (Levels > Entries || Entries > 7 || Levels > 8) begin : g_check
            level_room_needs_an_entry_per_level check_parameters ();
        end
    endgenerate

    reg [3:0] taken; // entries in use, and those owed to others
    integer   l;

    always @* begin
        taken = {1'b0, occupancy_i};
        for (l = 0; l < Levels; l = l + 1)
            if (levels_i[l] && !held_i[l] && level_i != l[`EVG_PRIORITY_BITS-1:0])
                taken = taken + 4'd1;
    end

    assign room_o = taken < Size;

`ifdef FORMAL
`include "properties/level_room.fv.vh"
`endif

endmodule

`default_nettype wire
