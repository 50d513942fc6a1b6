// Properties of level_room, included at its end under FORMAL (docs/design/proofs.md).

    // A table of any contents, and what becomes of it when the event goes in. A table "keeps" if it has
    // a free entry for every level in use that has no event there.
    reg [3:0]        f_free, f_owed, f_owed_after;
    integer          f_l;
    always @* begin
        f_free = Size - {1'b0, occupancy_i};
        f_owed       = 4'd0;
        f_owed_after = 4'd0;
        for (f_l = 0; f_l < Levels; f_l = f_l + 1) begin
            f_owed = f_owed + {3'd0, levels_i[f_l] & ~held_i[f_l]};
            f_owed_after = f_owed_after + {3'd0, levels_i[f_l] & ~held_i[f_l] & (level_i != f_l[`EVG_PRIORITY_BITS-1:0])};
        end
    end
    wire f_legal = {1'b0, occupancy_i} <= Size; // a table is never more than full

    always @*
        if (f_legal) begin
            assert (room_o == (f_free > f_owed_after));
            if (room_o)
                assert ({1'b0, occupancy_i} != Size);
            // It keeps after the event; a level in use without an event there has room; and so has every
            // level of which nobody is owed anything, in a table that is not full.
            if (f_free >= f_owed && room_o)
                assert (f_free - 4'd1 >= f_owed_after);
            if (f_free >= f_owed && levels_i[level_i] && !held_i[level_i])
                assert (room_o);
            if (f_owed_after == 4'd0 && {1'b0, occupancy_i} != Size)
                assert (room_o);
        end

`ifdef FORMAL_TOP_level_room
    always @* begin
        cover (f_legal && !room_o && occupancy_i == Entries - 1 && held_i[level_i]);
        cover (f_legal && room_o && occupancy_i == Entries - 1 && f_owed == 4'd1);
        cover (f_legal && room_o && occupancy_i == 3'd0 && f_owed == Levels);
    end
`endif
