// SPDX-License-Identifier: Apache-2.0
module still_check (input SAME, input IDLE);
    \$assert still (.A(SAME || !IDLE), .EN(1'b1));
endmodule
