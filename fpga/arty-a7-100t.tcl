# vivado -mode batch -source fpga/arty-a7-100t.tcl -tclargs GEN OUT: bitstream in OUT/arty-a7-100t.bit.
# GEN holds the files generated from rtl/evgpu.def (build/gen).
lassign $argv gen out
file mkdir $out
read_verilog [glob rtl/*/*.v fpga/*.v]
read_verilog $gen/packed_tile.v
# Unmanaged: it has a loop over the tiles
read_xdc -unmanaged constraints/arty-a7-100t.xdc
# A clock buffer for each of the 12 tiles and the board's clock; Vivado inserts 12 unless told
synth_design -top top_arty_a7_100t -part xc7a100tcsg324-1 -include_dirs $gen -bufg 16
opt_design
place_design
route_design
report_utilization -file $out/arty-a7-100t.utilization
report_timing_summary -file $out/arty-a7-100t.timing
write_bitstream -force $out/arty-a7-100t.bit
