# Digilent Arty A7-100T: 100 MHz clock, USB serial, LED 4
set_property -dict {PACKAGE_PIN E3  IOSTANDARD LVCMOS33} [get_ports clk_i]
set_property -dict {PACKAGE_PIN A9  IOSTANDARD LVCMOS33} [get_ports rx_i]
set_property -dict {PACKAGE_PIN D10 IOSTANDARD LVCMOS33} [get_ports tx_o]
set_property -dict {PACKAGE_PIN H5  IOSTANDARD LVCMOS33} [get_ports led_o]
set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
create_clock -name clk -period 10.000 [get_ports clk_i]
# Each tile's clock is a flip-flop of the link, high for 2 of at least 8 cycles; what it samples stands
# still from 2 cycles before to 2 cycles after (fpga/link_engine.v).
foreach pin [get_pins -hierarchical -filter {NAME =~ *g_slot.edge_q_reg/Q}] {
    create_generated_clock -name [string map {/ _} $pin] -source [get_ports clk_i] -divide_by 8 $pin
}
set_false_path -from [get_clocks clk] -to [get_clocks -filter {NAME != clk}]
set_false_path -from [get_clocks -filter {NAME != clk}] -to [get_clocks clk]
set_false_path -from [get_ports rx_i]
set_false_path -to [get_ports {tx_o led_o}]
