// SPDX-License-Identifier: Apache-2.0
// Random keys from a small range, so that ties are common, against a search from lane 0 upwards.
`default_nettype none

module min_select_bench;
    reg         enable;
    reg  [7:0]  valid;
    reg  [31:0] keys;
    wire        any;
    wire [2:0]  index;
    wire [3:0]  key;
    integer     round, lane, best, errors = 0, seed = 1;

    min_select #(.Lanes(8), .KeyWidth(4), .IndexWidth(3)) dut (
        .enable_i(enable), .valid_i(valid), .keys_i(keys), .any_o(any), .index_o(index),
        .key_o(key));

    initial begin
        for (round = 0; round < 20000; round = round + 1) begin
            enable = round % 16 != 0;
            valid  = $random(seed);
            if (round % 5 == 0)
                valid = 8'd1 << (round % 8);
            if (round % 77 == 0)
                valid = 8'd0;
            keys = $random(seed);
            if (round % 2 == 0)
                keys = keys & 32'h1111_1111;
            best = -1;
            for (lane = 0; lane < 8; lane = lane + 1)
                if (enable && valid[lane] &&
                    (best < 0 || keys[4*lane+:4] < keys[4*(best < 0 ? 0 : best)+:4]))
                    best = lane;
            #1;
            if (any !== (best >= 0) || (!enable && index !== 0) ||
                (any && (index !== best || key !== keys[4*index+:4]))) begin
                $display("round %0d: any %b index %0d instead of %0d", round, any, index, best);
                errors = errors + 1;
            end
        end
        if (errors == 0)
            $display("passed");
    end
endmodule
