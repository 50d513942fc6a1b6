# vivado -mode batch -source fpga/arty-a7-100t.tcl -tclargs GEN OUT: bitstream in OUT/arty-a7-100t.bit.
# GEN holds the files generated from rtl/evgpu.def (build/gen).
lassign $argv gen out
file mkdir $out
read_verilog [glob rtl/*/*.v fpga/*.v]
read_verilog $gen/packed_tile.v
read_xdc constraints/arty-a7-100t.xdc
synth_design -top top_arty_a7_100t -part xc7a100tcsg324-1 -include_dirs $gen
opt_design
place_design
route_design
report_utilization -file $out/arty-a7-100t.utilization
report_timing_summary -file $out/arty-a7-100t.timing
write_bitstream -force $out/arty-a7-100t.bit
