# Test programs and the commands that test.

# --- tests: tests/LAYER/test_*.c links with the other files there, LAYER and the layers below it ---
below_base := base
below_ptx := base ptx
below_tb := base tb
below_mem := base tb mem
below_cpu := base tb mem cpu
below_simt := base ptx tb mem simt
below_host := base host
below_sw := base ptx sw
below_system := $(LAYERS)
below_guest := $(below_system)
below_experiment := base system experiment
below_microbench := $(below_system)
below_fuzz := $(below_system)
# The tests themselves are quickly compiled: what they call is what runs.
$(BUILD)/obj/tests/%.o: OPT := $(patsubst -O3,-O1,$(OPT))
# There are many, and gold links in half the time of the default linker. Sanitizers keep that.
QUICK_LINK := $(if $(filter-out $(PLAIN),$(BUILD)),,$(if $(shell command -v ld.gold),-fuse-ld=gold))
TEST_LAYERS := base ptx tb mem cpu simt host sw system guest experiment microbench fuzz
define test_rule
tests_$(1) := $$(patsubst tests/$(1)/%.c,$(BUILD)/tests/$(1)/%,$$(wildcard tests/$(1)/test_*.c))
$(BUILD)/tests/$(1)/%: $(BUILD)/obj/tests/$(1)/%.o $(call objects,$(filter-out tests/$(1)/test_%,$(wildcard tests/$(1)/*.c tests/$(1)/bench/*.c))) $(foreach l,$(below_$(1)),$(BUILD)/lib$(l).a) $(if $(filter tb mem cpu simt system guest microbench fuzz,$(1)),$(VLIBS)) | $(VERSION_OBJECT) $$(kernels_$(1))
	@mkdir -p $$(@D)
	$$(LINK) $(QUICK_LINK) -lcmocka
endef
$(foreach l,$(TEST_LAYERS),$(eval $(call test_rule,$(l))))
$(foreach b,$(BLOCKS),$(eval $(BUILD)/tests/tb/test_$(b): $(VDIR)/lib$(b).a))
$(BUILD)/tests/tb/test_serial_tiles: | $(BUILD)/evgpu-board-memory
$(BUILD)/tests/tb/test_ethernet: | $(BUILD)/evgpu-board-ethernet
TEST_PROGRAMS = $(foreach l,$(TEST_LAYERS),$(tests_$(l)))

# The tests of `make test`: all, or those of the layers in LAYER.
LAYER ?=
$(if $(filter-out $(TEST_LAYERS),$(LAYER)),$(error LAYER=$(LAYER): must be among $(TEST_LAYERS)))
TESTS = $(if $(LAYER),$(foreach l,$(LAYER),$(tests_$(l))),$(TEST_PROGRAMS) $(wildcard tests/e2e/*/*.sh))

# For tests/check.sh: a line "LAYER FOLDER" for each folder of sources and tests; the programs of TOUCHED layers.
layers:
	@printf '%s %s\n' tb rtl/ $(foreach l,$(LAYERS),$(foreach d,$(sort $(dir $(src_$(l)))),$(l) $(d))) $(foreach l,$(TEST_LAYERS),$(l) tests/$(l)/)
touched-programs:
	@echo $(foreach l,$(TOUCHED),$(tests_$(l)))

# --- microbenchmarks: tests/microbench, each figure of a machine beside its closed form --------------
MICRO_C := $(filter-out tests/microbench/test_%,$(wildcard tests/microbench/*.c))
$(BUILD)/microbench: $(call objects,$(MICRO_C) tests/microbench/table/main.c) $(foreach l,$(below_system),$(BUILD)/lib$(l).a) $(VLIBS) | $(VERSION_OBJECT) $(kernels_microbench)
	$(LINK)
