# Crossings of every cm_monitor_link (rtl/cm): the cores' clock core_clk and the memory's mem_clk are not
# related. The synchronisers' first flip-flops may see a change late; the counters cross while they stand
# still, two edges after the change that announces them: one period of the receiving clock is early enough.
set core_period [get_property PERIOD [get_clocks core_clk]]
set mem_period  [get_property PERIOD [get_clocks mem_clk]]
set link */u_link

set_max_delay -ignore_clock_latency $mem_period \
    -from [get_cells -hierarchical $link/ask_q*] -to [get_cells -hierarchical $link/ask_sync_q*]
set_max_delay -ignore_clock_latency $core_period \
    -from [get_cells -hierarchical $link/done_q*] -to [get_cells -hierarchical $link/done_sync_q*]
set_max_delay -ignore_clock_latency $core_period \
    -from [get_cells -hierarchical [list $link/mc_q* $link/net_q*]] \
    -to   [get_cells -hierarchical [list $link/core_mc_q* $link/core_net_q*]]
set_false_path -hold -from [get_clocks core_clk] -to [get_clocks mem_clk]
set_false_path -hold -from [get_clocks mem_clk] -to [get_clocks core_clk]
