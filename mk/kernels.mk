# Kernels: CUDA C to PTX by clang, below BUILD by their paths here (base/data_file.h).

# `make run` needs these and no clang: their PTX is committed, without source lines. `make kernels` makes it
# again; tests/e2e/cuda/kernels.sh compares it with what clang makes.
KERNELS_COMMITTED := sw/apps/matrixMul/matmul.ptx sw/services/ipv4/ipv4_forward.ptx
KERNELS := $(patsubst %.cu,$(BUILD)/%.ptx,$(wildcard sw/apps/*/*.cu sw/services/*/*.cu))

# Kernels of tests, by their layer.
kernels_ptx := $(patsubst %,$(BUILD)/tests/ptx/data/work_%.ptx,O0 O1 O3)
kernels_sw := $(KERNELS)
kernels_system := $(kernels_ptx) $(BUILD)/tests/system/data/mix.ptx
kernels_guest := $(KERNELS)
kernels_fuzz := $(KERNELS)
kernels_microbench := $(BUILD)/tests/microbench/kernels.ptx

$(KERNELS_COMMITTED:%=$(BUILD)/%): $(BUILD)/%: %
	@mkdir -p $(@D)
	cp $< $@
KERNEL_FLAGS = -Wall -Wextra -Werror -MD -MP -MT $@ -MF $(@:.ptx=.d)
$(BUILD)/%.ptx: %.cu sw/cu2ptx.sh | clang
	@mkdir -p $(@D)
	sw/cu2ptx.sh $< $@ $(KERNEL_FLAGS)
$(kernels_ptx): $(BUILD)/tests/ptx/data/work_%.ptx: tests/ptx/data/work.cu sw/cu2ptx.sh | clang
	@mkdir -p $(@D)
	sw/cu2ptx.sh $< $@ $(KERNEL_FLAGS) -$*

# Installs the compiler of kernels, unless CLANG names another one.
clang:
	@command -v $${CLANG:-clang++-14} >/dev/null || $(REMAKE) deps DEPS_FOR=apps

kernels: | clang
	for k in $(KERNELS_COMMITTED:.ptx=); do sw/cu2ptx.sh $$k.cu $$k.ptx -g0 -Wall -Wextra -Werror || exit 1; done
	@$(REMAKE) -s -j$(JOBS) $(KERNELS)

-include $(wildcard $(KERNELS:.ptx=.d) $(foreach l,ptx system microbench,$(kernels_$(l):.ptx=.d)))
