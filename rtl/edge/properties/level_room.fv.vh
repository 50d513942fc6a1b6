// SPDX-License-Identifier: Apache-2.0
// Properties of level_room, included at its end under FORMAL (docs/design/proofs.md).

    localparam [3:0] Size = Entries;

    // A table of any contents, by the events of each level, and what becomes of it when the event goes in.
    wire [3:0]          f_free = Size - {1'b0, occupancy_i};
    wire [Levels-1:0]   f_self = {{Levels - 1{1'b0}}, 1'b1} << level_i;
    wire [Levels-1:0]   f_absent = ~held_i & ~f_self;           // others without an event there
    wire [Levels-1:0]   f_wait   = waiting_i & f_absent;
    wire [Levels-1:0]   f_idle   = levels_i & ~waiting_i & f_absent;
    wire [Levels-1:0]   f_above  = f_wait & ~((f_self << 1) - {{Levels - 1{1'b0}}, 1'b1});
    wire [3:0]          f_waits  = {3'd0, f_wait[0]} + {3'd0, f_wait[1]} + {3'd0, f_wait[2]} + {3'd0, f_wait[3]};
    wire                f_first  = !held_i[level_i];            // the level has none there
    wire                f_legal  = {1'b0, occupancy_i} <= Size; // a table is never more than full

    always @*
        if (f_legal) begin
            if (room_o)
                assert ({1'b0, occupancy_i} != Size);
            // Who has one there leaves an entry to each that waits, and one to the others with rows.
            if (room_o && !f_first)
                assert (f_free - 4'd1 >= f_waits + {3'd0, |f_idle});
            // So the last one goes to a first event, or all with rows have one: nobody fills a table alone.
            if (room_o && f_free == 4'd1 && !f_first)
                assert (f_wait == {Levels{1'b0}} && f_idle == {Levels{1'b0}});
            // The highest of those that wait without one there takes what is free, at once.
            if (f_first && f_free != 4'd0 && f_above == {Levels{1'b0}})
                assert (room_o);
            // ... and leaves nothing to a lower one before it has it, if there is one entry.
            if (f_free == 4'd1 && f_above != {Levels{1'b0}})
                assert (!room_o);
            // What is left is nobody else's: no entry stays free that an event waits for alone.
            if (f_waits == 4'd0 && f_free > {3'd0, |f_idle && !f_first})
                assert (room_o);
        end

`ifdef FORMAL_TOP_level_room
    always @* begin
        cover (f_legal && !room_o && occupancy_i == Entries - 1 && held_i[level_i]);
        cover (f_legal && room_o && occupancy_i == Entries - 1 && f_first && |f_idle && |f_wait);
        cover (f_legal && room_o && !f_first && |f_idle && f_waits == 4'd1);
    end
`endif
