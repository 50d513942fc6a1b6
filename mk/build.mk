# C: layers, archives, the command.

# --- sources, by layer; a layer links only with those to its left in LAYERS ---------------------
LAYERS := base sw ptx tb mem cpu simt gpu host system guest experiment cli
# A layer's files, in its folder, the rooms of it, and theirs.
rooms = $(wildcard $(1)/*.c $(1)/*/*.c $(1)/*/*/*.c)
src_base := $(filter-out base/version.c,$(call rooms,base))
src_tb := $(wildcard tb/*.c) $(call rooms,tb/model)
src_sw := $(filter-out sw/apps/%/program.c sw/edge/edge_cuda.c,$(wildcard sw/cuda/*.c sw/edge/*.c sw/services/*/*.c sw/apps/*/*.c))
$(foreach l,ptx mem cpu simt gpu host system guest experiment,$(eval src_$(l) := $(call rooms,sim/$(l))))
src_cli := $(filter-out sim/cli/main.c,$(call rooms,sim/cli))
# A text that goes through the preprocessor only, see NATIVE_PRELUDE.
src_simt := $(filter-out sim/simt/functional/native_prelude.c,$(src_simt))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# --- C ---------------------------------------------------------------------------------------------
# Which generated headers an object needs is in its .d file.
$(BUILD)/obj/%.o: %.c | $(GEN_STAMP) check-tools
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<
# Nobody looks at the flags of floating-point exceptions, so that lanes may be computed that are not wanted.
$(BUILD)/obj/sim/ptx/execute/%.o: CFLAGS += -fno-trapping-math
# Products of tiles are exact before they are added.
$(BUILD)/obj/sim/ptx/execute/mma_%.o: CFLAGS += -ffp-contract=fast
# Functions compiled for several processors (base/clones.h) lose by a profile and by link-time optimisation.
ifneq ($(FAST),)
CLONED := $(call objects,$(wildcard sim/ptx/execute/*.c) $(shell grep -rl --include=*.c base/clones.h sim))
$(CLONED): OPT := -O3 -g
endif
define layer_rule
$(BUILD)/lib$(1).a: $$(call objects,$$(src_$(1)))
	@rm -f $$@
	@ar rcs $$@ $$^
endef
$(foreach l,$(LAYERS),$(eval $(call layer_rule,$(l))))

# What the tree is, looked up whenever make runs. Every program holds it; a change of it alone links evgpu
# and no test again.
VERSION_OBJECT := $(BUILD)/obj/base/version.o
$(VERSION_OBJECT): CFLAGS += -I$(BUILD)/version
$(VERSION_OBJECT): $(BUILD)/version/version_text.h
$(BUILD)/version/version_text.h: look
	@mkdir -p $(@D)
	@sh mk/version.sh $@
.PHONY: look

# --- programs ----------------------------------------------------------------------------------------
ARCHIVES := $(LAYERS:%=$(BUILD)/lib%.a)
# No build id, which would change with the version.
LINK = $(CXX) $(OPT) -Wl,--build-id=none -o $@ $(filter %.o,$^ $|) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LDLIBS)

# With the program that `evgpu run` has beside its services, and the kernels of both.
$(BUILD)/evgpu: $(BUILD)/obj/sim/cli/main.o $(VERSION_OBJECT) $(ARCHIVES) $(VLIBS) | $(BUILD)/apps/matrixMul $(KERNELS_COMMITTED:%=$(BUILD)/%) $(BUILD)/native/prelude.i
	$(LINK)

# The first half of the texts that become machine code for kernels without time (sim/ptx/native).
NATIVE_PRELUDE := $(BUILD)/native/prelude.i
$(NATIVE_PRELUDE): sim/simt/functional/native_prelude.c | $(GEN_STAMP) check-tools
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MT $@ -E -P -o $@ $<
$(BUILD)/tests/simt/test_functional: | $(NATIVE_PRELUDE)
-include $(NATIVE_PRELUDE:.i=.d)
