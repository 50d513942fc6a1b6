# Verilog: generated constants and ports, tiles, waveform probes, verilated boards.

VERILATOR ?= verilator
VERILATOR_MIN := 5.006
VERILATOR_ROOT_DIR := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
TILES := gpu_frontend sm_event_unit mem_frontend concurrency_unit sm_concurrency_unit sm_room_unit

# What has ports for a bench in C, but no golden model (rtl/evgpu.def): only the tests of it link with it.
BLOCKS := $(shell awk '$$1 == "block" { print $$2 }' rtl/evgpu.def)

# Tiles once more with other parameters, for simulation (rtl/evgpu.def): VARIANT:TILE
VARIANTS := $(shell awk '$$1 == "variant" { print $$2 ":" $$3 }' rtl/evgpu.def)

# --- constants and ports, from one definition file ------------------------------------------------
# The generator leaves a file alone whose text stays the same. The stamp says that it has run; the files
# keep their own times, so that only what depends on a changed one is built again.
GEN_STAMP := $(GEN)/.stamp
VGEN := $(PLAIN)/gen
define gen_rule
$(1)/defgen: $(wildcard tb/gen/*.c tb/gen/*.h) base/error.c base/alloc.c base/error.h base/alloc.h
	@mkdir -p $$(@D)
	$$(CC) $$(filter-out -MMD -MP,$$(CFLAGS)) -o $$@ $$(filter %.c,$$^)
$(1)/gen/.stamp: rtl/evgpu.def tb/wave/views.def $(1)/defgen
	@mkdir -p $(1)/gen
	$(1)/defgen rtl/evgpu.def $(1)/gen tb/wave/views.def
	@touch $$@
$(1)/gen/%: $(1)/gen/.stamp ;
endef
$(foreach b,$(sort $(BUILD) $(PLAIN)),$(eval $(call gen_rule,$(b))))
$(PLAIN)/defgen: OPT := $(VOPT)

# --- Verilog: each tile verilated once, into one archive with its shim ----------------------------
# Other Verilog in a tile's place, with a BUILD of its own: TILE_RTL holds TILE.v (a tile that is not
# there comes from rtl), TILE_VFLAGS is what Verilator needs for it.
TILE_RTL ?= rtl/tiles
DEVICES := fpga/free
TILE_VFLAGS ?= -Wall
tile_file = $(firstword $(wildcard $(TILE_RTL)/$(1).v rtl/*/$(1).v) $(DEVICES)/$(1).v)
VDIR := $(PLAIN)/verilated
RTL := $(wildcard rtl/*/*.v)
# The modules' assertions run in every simulation, except where coverage would count them.
ASSERTIONS := $(if $(filter 1,$(COV)),--noassert,--assert -DFORMAL -Wno-UNUSEDSIGNAL)
VFLAGS := $(TILE_VFLAGS) --cc --MP --x-assign fast --x-initial unique -O3 $(ASSERTIONS) \
          --build-jobs 2 -Irtl/common -Irtl/edge -Irtl/fe -Irtl/cm -Irtl/tiles -Irtl/axi -Irtl/example -I$(VGEN)
# Waveforms, but of what no run writes into them: the code for them is a quarter of a tile's compilation. VTRACE= (empty)
# has none at all.
VTRACE ?= --trace-fst --trace-max-array 64
waveforms = $(if $(filter free_run $(BLOCKS),$(1)),,$(VTRACE))
ifeq ($(COV),1)
VFLAGS += --coverage-line --coverage-toggle
endif
VCXXFLAGS = -std=c++17 $(VOPT) -Wall -Wextra -I. -I$(VGEN) $(if $(filter 1,$(COV)),-DVM_COVERAGE=1) -MMD -MP
# A tile in which nothing waits for another edge than clk_i's rising one need not see the falling one:
# that takes a name inside the verilated model, which other versions of Verilator may not have.
# Coverage counts both edges.
one_edge = $$$$(grep -q 'VlTriggerVec<1> __VactTriggered;' $(1) && grep -q ' __Vtrigrprev__TOP__clk_i;' $(1) && [ $(COV) != 1 ] && echo -DTILE_ONE_EDGE=1)
# A netlist in a tile's place may have cycles of combinational logic, from bit to bit of its vectors (tb/gen/emit_tile.c).
cycles = $$$$(grep -q ' __VactDidInit;' $(1) && echo -DTILE_CYCLES=1)
traced = $$$$(grep -q VerilatedFstC $(1) && echo -DTILE_TRACE=1)
shim = $(CXX) $(2) -Wno-unused-parameter -isystem $(VERILATOR_ROOT_DIR)/include -isystem $(VERILATOR_ROOT_DIR)/include/vltstd $(call one_edge,$(VDIR)/$(1)/V$(1)___024root.h) $(call cycles,$(VDIR)/$(1)/V$(1)___024root.h) $(call traced,$(VDIR)/$(1)/V$(1).h) -isystem $(VDIR)/$(1) -c $(VGEN)/$(1)_shim.cpp
# What few runs use is quickly compiled, in one piece, not quickly run. Verilator's "slow" files run once.
VOPT_SELDOM = $(patsubst -O3,-Og,$(VOPT))
# compile FOLDER, NAME, OPTIMISATION: Verilator's makefile, in which DEPS is a variable of its own
compile = +$(MAKE) -s -C $(1) -f $(2).mk $(2)__ALL.a OPT_FAST="$(3)" OPT_SLOW="-O0" OPT_GLOBAL="-O2" \
	$(if $(filter -Og,$(3)),VM_PARALLEL_BUILDS=0 VERILATOR_INCLUDER="sh $(CURDIR)/mk/include.sh") CXX="$(CXX)" 'DEPS=$$$$(wildcard *.d)'
# The compiler's time grows faster than a function's length. The two that have the most to do are faster in one piece.
SHORT_FUNCTIONS := --output-split-cfuncs 1000
short_functions = $(if $(filter gpu_frontend free_run,$(1)),,$(SHORT_FUNCTIONS))
# tile_rule NAME, TILE, FLAGS, OPTIMISATION: NAME is the tile, or a variant of it with its flags.
# In its waveforms are small memories, nothing that is there for proofs, and what the harness reads.
define tile_rule
$(VDIR)/$(1)/V$(1).h: $(call tile_file,$(2)) tb/wave/proofs.awk tb/wave/harness.vlt $(VGEN)/evgpu_defs.vh $(filter %.flags,$(3)) | check-tools
	@mkdir -p $$(@D)
	@awk -f tb/wave/proofs.awk $(RTL) >$$(@D)/proofs.vlt
	$(VERILATOR) $(VFLAGS) $(call waveforms,$(1)) $(call short_functions,$(1)) $(3) --top-module $(2) --prefix V$(1) --Mdir $$(@D) tb/wave/harness.vlt $$(@D)/proofs.vlt $(call tile_file,$(2))
$(VDIR)/lib$(1).a: $(VDIR)/$(1)/V$(1).h $(VGEN)/$(1)_shim.cpp
	$(call compile,$(VDIR)/$(1),V$(1),$(4))
	$(call shim,$(1),$(VCXXFLAGS)) -o $(VDIR)/$(1)/shim.o
	@rm -f $$@
	@cp $(VDIR)/$(1)/V$(1)__ALL.a $$@
	@ar rs $$@ $(VDIR)/$(1)/shim.o 2>/dev/null
$(BUILD)/shims/$(1).o: $(VDIR)/lib$(1).a | $(GEN_STAMP)
	@mkdir -p $$(@D)
	$(call shim,$(1),$(CXXFLAGS)) -o $$@
-include $(VDIR)/$(1)/V$(1)__ver.d
endef
# -O1 takes half as long. What it makes of the front end, which is straight code, is as fast, and runs have variants of
# mem_frontend, not itself.
VOPT_SHORT = $(patsubst -O3,-O1,$(VOPT))
$(foreach t,$(TILES),$(eval $(call tile_rule,$(t),$(t),,$(if $(filter gpu_frontend mem_frontend,$(t)),$(VOPT_SHORT),$(VOPT)))))
$(foreach b,$(BLOCKS),$(eval $(call tile_rule,$(b),$(b),,$(VOPT_SELDOM))))
variant_name = $(firstword $(subst :, ,$(1)))
# Those for comparisons go without the assertions, which would take most of the compilation.
lean = $(if $(filter %_sim %_next %_counters,$(1)),,--no-assert -UFORMAL)
alone = $(if $(filter %_counters,$(1)),-DEVG_COUNTERS_ALONE -Wno-UNUSEDPARAM)
$(foreach v,$(VARIANTS),$(eval $(call tile_rule,$(call variant_name,$(v)),$(lastword $(subst :, ,$(v))),-f $(VGEN)/$(call variant_name,$(v)).flags $(call lean,$(call variant_name,$(v))) $(call alone,$(call variant_name,$(v))),$(if $(call lean,$(call variant_name,$(v))),$(VOPT_SELDOM),$(VOPT)))))

# The FST writer is a part of tb/trace_shim.cpp.
VRT_SRC := verilated verilated_threads $(if $(filter 1,$(COV)),verilated_cov)
$(VDIR)/rt/%.o: | check-tools
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(VOPT) -DVM_TRACE=1 -DVM_TRACE_FST=1 -I$(VERILATOR_ROOT_DIR)/include -I$(VERILATOR_ROOT_DIR)/include/vltstd -c -o $@ $(VERILATOR_ROOT_DIR)/include/$*.cpp
$(VDIR)/rt/%_shim.o: tb/%_shim.cpp
	@mkdir -p $(@D)
	$(CXX) $(VCXXFLAGS) -DVM_TRACE=1 -DVM_TRACE_FST=1 -isystem $(VERILATOR_ROOT_DIR)/include -isystem $(VERILATOR_ROOT_DIR)/include/vltstd -c -o $@ $<
$(VDIR)/libvrt.a: $(VRT_SRC:%=$(VDIR)/rt/%.o) $(VDIR)/rt/trace_shim.o $(VDIR)/rt/random_shim.o $(VDIR)/rt/coverage_shim.o
	@rm -f $@
	@ar rcs $@ $^

# Names for what the harness says in waveforms: tb/probe.h
WAVES := wave_run wave_core wave_partition
define wave_rule
$(VDIR)/$(1)/V$(1).h: tb/wave/$(1).v $(VGEN)/evgpu_defs.vh | check-tools
	@mkdir -p $$(@D)
	$(VERILATOR) -Wall -Wno-UNUSED --cc --trace-fst --no-trace-params -O3 -I$(VGEN) --top-module $(1) --prefix V$(1) --Mdir $$(@D) $$<
$(VDIR)/lib$(1).a: $(VDIR)/$(1)/V$(1).h
	$(call compile,$(VDIR)/$(1),V$(1),$(VOPT_SELDOM))
	@cp $(VDIR)/$(1)/V$(1)__ALL.a $$@
endef
$(foreach w,$(WAVES),$(eval $(call wave_rule,$(w))))
$(VDIR)/libprobe.a: tb/probe_shim.cpp tb/probe.h $(foreach w,$(WAVES),$(VDIR)/$(w)/V$(w).h)
	@mkdir -p $(VDIR)/rt
	$(CXX) $(VCXXFLAGS) -isystem $(VERILATOR_ROOT_DIR)/include -isystem $(VERILATOR_ROOT_DIR)/include/vltstd $(WAVES:%=-isystem $(VDIR)/%) -c -o $(VDIR)/rt/probe_shim.o $<
	@rm -f $@
	@ar rcs $@ $(VDIR)/rt/probe_shim.o
# The shims are ours: where the archives have them without sanitizers, others come first.
SHIMS := $(BUILD)/libshims.a
$(SHIMS): $(TILES:%=$(BUILD)/shims/%.o) $(foreach v,$(VARIANTS),$(BUILD)/shims/$(call variant_name,$(v)).o)
	@rm -f $@
	@ar rcs $@ $^
VLIBS := $(if $(filter-out $(PLAIN),$(BUILD)),$(SHIMS)) $(TILES:%=$(VDIR)/lib%.a) $(foreach v,$(VARIANTS),$(VDIR)/lib$(call variant_name,$(v)).a) $(VDIR)/libprobe.a $(WAVES:%=$(VDIR)/lib%.a) $(VDIR)/libvrt.a

# --- boards: fpga/, docs/design/fpga.md -----------------------------------------------------------
# Verilated boards with their serial line on a pseudo-terminal: evgpu-board has a front end
# and 4 event units, evgpu-board-small a reduced front end alone, evgpu-board-memory one of each tile of
# the memory side and of concurrency management, evgpu-board-free runs by itself,
# evgpu-board-replay replays recorded ports, evgpu-board-ethernet is evgpu-board with Ethernet for the line.
FPGA_V := $(wildcard fpga/*.v fpga/*/*.v)
BOARD_BIT := 4
board_evgpu-board := -GEventUnits=4
board_evgpu-board-small := -GEventUnits=0 -GSmall=1
board_evgpu-board-memory := -GFrontEnds=0 -GEventUnits=0 -GMemFrontEnds=1 -GConcurrencyUnits=1 -GCoreConcurrency=1
board_evgpu-board-free := -GFrontEnds=0 -GEventUnits=0 -GFreeRuns=1 -I$(DEVICES) -Wno-PINCONNECTEMPTY
shim_evgpu-board-free := -DBOARD_FREE=1
board_evgpu-board-ethernet := -GEventUnits=4
board_evgpu-board-replay := -GReplay=1 -GConcurrencyUnits=1 -GCoreConcurrency=1 -GMemFrontEnds=1
BOARDS := evgpu-board evgpu-board-small evgpu-board-memory evgpu-board-free evgpu-board-replay evgpu-board-ethernet
# One is reached by Ethernet frames.
board_top = $(if $(filter %-ethernet,$(1)),board_ethernet,board_link)
board_file = $(if $(filter %-ethernet,$(1)),fpga/ethernet/board_ethernet.v,fpga/board_link.v)
board_main = $(if $(filter %-ethernet,$(1)),fpga/ethernet/board_main,fpga/board_sim)
board_clock = $(if $(filter %-ethernet,$(1)),,-GClocksPerBit=$(BOARD_BIT))
shim_evgpu-board-ethernet := -DBOARD_ETHERNET=1
define board_rule
$(VDIR)/$(1)/Vboard_link.h: $(FPGA_V) $(RTL) $(VGEN)/evgpu_defs.vh $(VGEN)/evgpu_link.vh | check-tools
	@mkdir -p $$(@D)
	$(VERILATOR) -Wall --cc --x-assign fast --x-initial fast -O3 $(SHORT_FUNCTIONS) --noassert -Ifpga -Ifpga/replay -Ifpga/ethernet -Irtl/common -Irtl/edge -Irtl/fe -Irtl/cm -Irtl/tiles -I$(VGEN) $(call board_clock,$(1)) $(board_$(1)) --top-module $(call board_top,$(1)) --prefix Vboard_link --Mdir $$(@D) $(call board_file,$(1))
$(VDIR)/$(1)/lib.a: $(VDIR)/$(1)/Vboard_link.h
	$(call compile,$(VDIR)/$(1),Vboard_link,$(VOPT_SELDOM))
	@cp $(VDIR)/$(1)/Vboard_link__ALL.a $$@
$(VDIR)/$(1)/shim.o: fpga/board_shim.cpp fpga/board_shim.h $(VDIR)/$(1)/Vboard_link.h
	$(CXX) $(VCXXFLAGS) -isystem $(VERILATOR_ROOT_DIR)/include -isystem $(VERILATOR_ROOT_DIR)/include/vltstd $(shim_$(1)) -I$(VDIR)/$(1) -c -o $$@ $$<
$(BUILD)/$(1): $(BUILD)/obj/$(call board_main,$(1)).o $(VDIR)/$(1)/shim.o $(VDIR)/$(1)/lib.a $(VDIR)/libvrt.a $(if $(filter %-ethernet,$(1)),$(BUILD)/libtb.a $(BUILD)/libbase.a)
	$$(LINK)
endef
$(foreach b,$(BOARDS),$(eval $(call board_rule,$(b))))
$(BUILD)/obj/fpga/board_sim.o: CFLAGS += -DBOARD_CLOCKS_PER_BIT=$(BOARD_BIT)

# --- a board that runs by itself: fpga/free ---------------------------------------------------------
# Without the assertions of its parts (FREE_FLAGS=, empty, has them checked). -O3 would take a third more of
# compilation, and run no faster.
FREE_FLAGS ?= --no-assert -UFORMAL
$(eval $(call tile_rule,free_run,free_run,-I$(DEVICES) -Wno-PINCONNECTEMPTY $(FREE_FLAGS),$(VOPT_SHORT)))
FREE_C := $(wildcard $(DEVICES)/*.c)
$(BUILD)/evgpu-free: $(FREE_C:%.c=$(BUILD)/obj/%.o) $(VDIR)/libfree_run.a $(BUILD)/libbase.a $(BUILD)/libtb.a $(VLIBS) | $(VERSION_OBJECT)
	$(LINK)

# --- boards that replay recorded ports: fpga/replay -------------------------------------------------
$(BUILD)/evgpu-replay: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard fpga/replay/*.c)) $(BUILD)/libbase.a $(BUILD)/libtb.a $(VLIBS) | $(VERSION_OBJECT)
	$(LINK)
