# What CUDA programs see: the toolkit, the client library, our own applications.

# --- the CUDA toolkit: a folder that takes the place of NVIDIA's -----------------------------------
CUDA := $(BUILD)/cuda
CUDA_MATH := cublas cublasLt cufft curand cusolver cusparse
# Libraries that programs name and that hold nothing here.
CUDA_EMPTY := cudadevrt nvToolsExt culibos cusolverMg
CUDA_LIBRARIES := cudart cuda nvrtc nvidia-ml nvJitLink nvptxcompiler $(CUDA_MATH)
toolkit: clang $(CUDA)/bin/nvcc $(CUDA)/bin/__nvcc_device_query $(CUDA)/bin/nvidia-smi $(CUDA)/bin/bin2c $(CUDA)/lib64/evgpu_openmp.o $(CUDA)/.headers $(CUDA)/lib64/libcufilt.a $(CUDA)/lib64/libcufft_callbacks.a $(CUDA_LIBRARIES:%=$(CUDA)/lib64/lib%.so) $(CUDA)/lib64/stubs/.names
$(CUDA)/bin/nvcc: $(call objects,$(wildcard sw/cuda/nvcc/*.c))
	@mkdir -p $(@D)
	$(CC) $(OPT) -o $@ $^
$(CUDA)/bin/__nvcc_device_query: $(call objects,sw/cuda/tools/device_query.c) $(CUDA)/lib64/libcuda.so
	@mkdir -p $(@D)
	$(CC) $(OPT) -o $@ $^ '-Wl,-rpath,$$ORIGIN/../lib64'
$(CUDA)/bin/nvidia-smi: $(call objects,sw/cuda/tools/smi.c) $(CUDA)/lib64/libnvidia-ml.so
	@mkdir -p $(@D)
	$(CC) $(OPT) -o $@ $^ '-Wl,-rpath,$$ORIGIN/../lib64'
$(CUDA)/bin/bin2c: $(call objects,sw/cuda/tools/bin2c.c)
	@mkdir -p $(@D)
	$(CC) $(OPT) -o $@ $^
EDGE_HEADERS := sw/edge/edge.h sw/edge/edge_promise.h sw/edge/edge_port.h sw/edge/edge_cuda.h
CUDA_FORWARDS := sw/cuda/include/forwards.txt
CUDA_HEADERS := $(EDGE_HEADERS) $(shell find sw/cuda/include sw/include -type f)
$(CUDA)/.headers: $(CUDA_HEADERS)
	@mkdir -p $(CUDA)/lib64 $(CUDA)/nvvm/libdevice
	@rm -f $(CUDA_EMPTY:%=$(CUDA)/lib64/lib%.a)
	@for name in $(CUDA_EMPTY); do ar rcs $(CUDA)/lib64/lib$$name.a || exit 1; done
	@rm -rf $(CUDA)/include $(CUDA)/lib
	@cp -r sw/cuda/include $(CUDA)/include
	@cp -r sw/include/. $(CUDA)/include
	@cp $(EDGE_HEADERS) $(CUDA)/include
	@rm $(CUDA)/include/$(notdir $(CUDA_FORWARDS))
	@grep -v '^#' $(CUDA_FORWARDS) | while read -r name; do echo '#include "cuda_runtime.h"' >$(CUDA)/include/$$name || exit 1; done
	@mkdir -p $(CUDA)/targets/x86_64-linux
	@ln -s lib64 $(CUDA)/lib
	@ln -sfn ../../include $(CUDA)/targets/x86_64-linux/include
	@ln -sfn ../../lib64 $(CUDA)/targets/x86_64-linux/lib
	@sed -n 's/^#define NVCC_[A-Z]* //p' sw/cuda/nvcc/version.h | paste -sd . | sed 's/^/CUDA Version /' >$(CUDA)/version.txt
	@sed 's/^CUDA Version \(.*\)/{ "cuda": { "name": "evgpu toolkit", "version": "\1" } }/' $(CUDA)/version.txt >$(CUDA)/version.json
	@touch $@

# --- the client library: CUDA programs link with it and speak to the simulator ----------------------
# It comes without sanitizers: programs of others, which know nothing of them, run against the sanitized simulator.
pic = $(patsubst %.c,$(BUILD)/pic/%.o,$(1))
CLIENT_FLAGS = -std=c11 -D_GNU_SOURCE $(OPT) $(WARN) -I. -I$(GEN) -Isw/cuda/include -MMD -MP -fPIC
# `evgpu run` puts this folder into the search path: the second names are for programs that another
# linker than nvcc has linked with the toolkit.
CUDA_LIBS := $(BUILD)/lib/libcuda.so $(BUILD)/lib/libcudart.so
# cuLink... is nvcc's linker; its names are not for programs.
LINKER := $(addprefix sw/cuda/nvcc/,ptx_link.c ptx_module.c object.c list.c)
$(call pic,$(LINKER) $(filter-out %/program.c,$(wildcard sw/cuda/nvrtc/*.c))): CLIENT_FLAGS += -fvisibility=hidden
# What clang's OpenMP calls, for nvcc to join with objects.
OPENMP := $(call pic,$(wildcard sw/cuda/openmp/*.c))
$(OPENMP): private OPT := $(VOPT)
$(CUDA)/lib64/evgpu_openmp.o: $(OPENMP)
	@mkdir -p $(@D)
	$(CC) -r -nostdlib -o $@ $^
LIBCUDA := $(call pic,$(wildcard sw/cuda/*.c sw/cuda/client/*.c sw/cuda/driver/*.c sw/edge/*.c) $(LINKER))
LIBCUDART := $(call pic,$(wildcard sw/cuda/runtime/*.c) sw/cuda/client/clock.c)
$(LIBCUDA) $(LIBCUDART) $(CUDA_LIBS) $(CUDA)/lib64/libcuda.so $(CUDA)/lib64/libcudart.so: private OPT := $(VOPT) -g
$(BUILD)/pic/%.o: %.c | $(GEN_STAMP)
	@mkdir -p $(@D)
	$(CC) $(CLIENT_FLAGS) -c -o $@ $<
$(BUILD)/lib/libcuda.so: $(LIBCUDA)
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,libcuda.so -o $@ $^ -lpthread -ldl
	@ln -sf libcuda.so $(@D)/libcuda.so.1
# The clocks are in both: the C library comes before the libraries of a library.
$(BUILD)/lib/libcudart.so: $(LIBCUDART) $(BUILD)/lib/libcuda.so
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,libcudart.so '-Wl,-rpath,$$ORIGIN' -o $@ $(filter %.o,$^) -L$(BUILD)/lib -lcuda -lpthread -ldl
	@ln -sf libcudart.so $(@D)/libcudart.so.11.0

# The toolkit's libraries have NVIDIA's names and no place, so that a copy of the folder uses itself.
$(CUDA)/lib64/libcuda.so: $(LIBCUDA)
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,libcuda.so.1 -o $@ $^ -lpthread -ldl
	@ln -sf libcuda.so $(@D)/libcuda.so.1
$(CUDA)/lib64/libcudart.so: $(LIBCUDART) $(CUDA)/lib64/libcuda.so
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,libcudart.so.11.0 '-Wl,-rpath,$$ORIGIN' -o $@ $^ -lpthread -ldl
	@ln -sf libcudart.so $(@D)/libcudart.so.11.0
# NVIDIA's libraries are in the linker's cache of their computer, so that programs need no search path. Ours are not: for
# linkers other than nvcc, lib64/stubs names a filter (DT_FILTER) for each library, NAME_place. It has no soname, so that
# the linker writes its full path into the program, and for each of its functions the dynamic linker takes the library's
# own. A filter has no clocks, because those of libcudart.so and libcuda.so call the next library's, which should be the
# C library's. The static runtime, which CMake links by default, is such a filter in lib64, too, and so are the static
# libraries with kernels.
static_with_cufft := libcufft_callbacks.a
%_place.so: mk/toolkit.mk
	soname=$$(readelf -d $(word 2,$^) | sed -n 's/.*soname: \[\(.*\)\]/\1/p') && \
		nm -D --defined-only $(word 2,$^) | awk '$$2 == "T" && $$3 ~ /^_*(cu|nv|evgpu|edge)/ { print "void " $$3 "(void) { __builtin_trap(); }" }' | \
		$(CC) -shared -nostdlib -fPIC -fno-builtin -Wl,--filter=$$soname '-Wl,-rpath,$$ORIGIN:$$ORIGIN/..' -o $@ -xc -
$(CUDA)/lib64/libcudart_place.so: $(CUDA)/lib64/libcudart.so
$(foreach l,$(CUDA_LIBRARIES),$(eval $(CUDA)/lib64/stubs/lib$(l)_place.so: $(CUDA)/lib64/lib$(l).so | $(CUDA)/lib64/stubs))
$(CUDA)/lib64/stubs:
	@mkdir -p $@
$(CUDA)/lib64/stubs/.names: $(CUDA)/.headers $(CUDA)/lib64/libcufilt.a $(CUDA)/lib64/libcufft_callbacks.a $(CUDA)/lib64/libcudart_place.so $(CUDA_LIBRARIES:%=$(CUDA)/lib64/stubs/lib%_place.so)
	@echo 'INPUT(libcudart_place.so)' >$(CUDA)/lib64/libcudart_static.a
	@ln -sf $(CUDA_MATH:%=stubs/lib%_place.so) $(CUDA)/lib64/
	@$(foreach l,$(CUDA_MATH),echo 'INPUT($(strip $(static_with_$(l)) lib$(l)_place.so))' >$(CUDA)/lib64/lib$(l)_static.a &&) true
	@for each in $(CUDA)/lib64/*.a; do ln -sf ../$${each##*/} $(@D)/ || exit 1; done
	@rm -f $(CUDA_LIBRARIES:%=$(@D)/lib%.so)
	@for each in $(CUDA_LIBRARIES); do echo "INPUT(lib$${each}_place.so)" >$(@D)/lib$$each.so || exit 1; done
	@touch $@

# Names of kernels as in the source.
LIBCUFILT := $(call pic,$(wildcard sw/cuda/cufilt/*.c))
$(LIBCUFILT): private OPT := $(VOPT) -g
$(CUDA)/lib64/libcufilt.a: $(LIBCUFILT)
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

# NVRTC runs the toolkit's nvcc. `evgpu run` finds it where the other libraries are.
LIBNVRTC := $(call pic,$(wildcard sw/cuda/nvrtc/*.c))
$(LIBNVRTC) $(CUDA)/lib64/libnvrtc.so: private OPT := $(VOPT) -g
$(CUDA)/lib64/libnvrtc.so: $(LIBNVRTC)
	@mkdir -p $(@D) $(BUILD)/lib
	$(CC) $(OPT) -shared -Wl,-soname,libnvrtc.so.11.2 -o $@ $^ -ldl
	@ln -sf libnvrtc.so $(@D)/libnvrtc.so.11.2
	@echo 'INPUT(libnvrtc.so)' >$(@D)/libnvrtc_static.a
	@ar rcs $(@D)/libnvrtc-builtins_static.a
	@ln -sf ../cuda/lib64/libnvrtc.so $(BUILD)/lib/libnvrtc.so.11.2

# NVML, which asks the driver's library. Programs also open it by its name: `evgpu run` finds it where the others are.
LIBNVML := $(call pic,$(wildcard sw/cuda/nvml/*.c))
$(LIBNVML) $(CUDA)/lib64/libnvidia-ml.so: private OPT := $(VOPT) -g
$(CUDA)/lib64/libnvidia-ml.so: $(LIBNVML) $(CUDA)/lib64/libcuda.so
	@mkdir -p $(@D) $(BUILD)/lib
	$(CC) $(OPT) -shared -Wl,-soname,libnvidia-ml.so.1 '-Wl,-rpath,$$ORIGIN' -o $@ $(LIBNVML) -L$(@D) -lcuda -lpthread
	@ln -sf libnvidia-ml.so $(@D)/libnvidia-ml.so.1
	@ln -sf ../cuda/lib64/libnvidia-ml.so $(BUILD)/lib/libnvidia-ml.so.1

# nvJitLink is the driver's linker, without a device.
LIBNVJITLINK := $(call pic,$(wildcard sw/cuda/nvjitlink/*.c) sw/cuda/library/handles.c)
$(LIBNVJITLINK) $(CUDA)/lib64/libnvJitLink.so: private OPT := $(VOPT) -g
$(CUDA)/lib64/libnvJitLink.so: $(LIBNVJITLINK) $(CUDA)/lib64/libcuda.so
	@mkdir -p $(@D) $(BUILD)/lib
	$(CC) $(OPT) -shared -Wl,-soname,libnvJitLink.so.12 '-Wl,-rpath,$$ORIGIN' -o $@ $(LIBNVJITLINK) -L$(@D) -lcuda
	@ln -sf libnvJitLink.so $(@D)/libnvJitLink.so.12
	@echo 'INPUT(libnvJitLink.so)' >$(@D)/libnvJitLink_static.a
	@ln -sf ../cuda/lib64/libnvJitLink.so $(BUILD)/lib/libnvJitLink.so.12

# So is the PTX compiler, which is a static library of NVIDIA's.
LIBNVPTXCOMPILER := $(call pic,$(wildcard sw/cuda/nvptxcompiler/*.c) sw/cuda/library/handles.c)
$(LIBNVPTXCOMPILER) $(CUDA)/lib64/libnvptxcompiler.so: private OPT := $(VOPT) -g
$(CUDA)/lib64/libnvptxcompiler.so: $(LIBNVPTXCOMPILER) $(CUDA)/lib64/libcuda.so
	@mkdir -p $(@D) $(BUILD)/lib
	$(CC) $(OPT) -shared -Wl,-soname,libnvptxcompiler.so '-Wl,-rpath,$$ORIGIN' -o $@ $(LIBNVPTXCOMPILER) -L$(@D) -lcuda
	@echo 'INPUT(libnvptxcompiler.so)' >$(@D)/libnvptxcompiler_static.a
	@ln -sf ../cuda/lib64/libnvptxcompiler.so $(BUILD)/lib/libnvptxcompiler.so

# Libraries with kernels of their own, sw/cuda/FOLDER: the host side in C, and their PTX inside.
# $(call math_library,NAME,FOLDER,VERSION OF ITS INTERFACE); library_more_FOLDER: what it takes from elsewhere;
# library_uses_FOLDER: libraries that it calls.
library_more_blaslt := sw/cuda/blas/call.c sw/cuda/blas/choice.c
library_more_solver := sw/cuda/blas/call.c
library_uses_solver := cublas cusparse
LIBRARY_C := $(filter-out %/embed.c,$(wildcard sw/cuda/library/*.c))
define math_library
$(BUILD)/sw/cuda/$(2)/kernels.ptx: KERNEL_FLAGS += -g0 -I.
$(BUILD)/pic/sw/cuda/$(2)/embed.o: sw/cuda/library/embed.c $(BUILD)/sw/cuda/$(2)/kernels.ptx
	@mkdir -p $$(@D)
	$$(CC) $$(CLIENT_FLAGS) -DLIBRARY_PTX='"$(BUILD)/sw/cuda/$(2)/kernels.ptx"' -c -o $$@ $$<
$(CUDA)/lib64/lib$(1).so $(call pic,$(wildcard sw/cuda/$(2)/*.c) $(library_more_$(2)) sw/cuda/$(2)/embed.c): private OPT := $(VOPT) -g
$(CUDA)/lib64/lib$(1).so: $(call pic,$(wildcard sw/cuda/$(2)/*.c) $(library_more_$(2)) $(LIBRARY_C)) $(BUILD)/pic/sw/cuda/$(2)/embed.o $(CUDA)/lib64/libcudart.so $(library_uses_$(2):%=$(CUDA)/lib64/lib%.so)
	@mkdir -p $$(@D) $(BUILD)/lib
	$$(CC) $$(OPT) -shared -Wl,-soname,lib$(1).so.$(3) '-Wl,-rpath,$$$$ORIGIN' -o $$@ $$(filter %.o,$$^) -L$(CUDA)/lib64 $(library_uses_$(2):%=-l%) -lcudart -lcuda -lm
	@ln -sf lib$(1).so $$(@D)/lib$(1).so.$(3)
	@ln -sf ../cuda/lib64/lib$(1).so $(BUILD)/lib/lib$(1).so.$(3)
-include $(BUILD)/sw/cuda/$(2)/kernels.d
endef
$(call pic,$(LIBRARY_C)): private OPT := $(VOPT) -g
$(eval $(call math_library,cublas,blas,11))
# The calls that end in _64 follow from the declarations.
$(BUILD)/sw/cuda/blas/sizes.inc: sw/cuda/blas/sizes.awk $(wildcard sw/cuda/include/cublas_*.h)
	@mkdir -p $(@D)
	$(CC) -E -P -Isw/cuda/include sw/cuda/include/cublas_api.h | awk -f $< >$@
$(BUILD)/pic/sw/cuda/blas/sizes.o: $(BUILD)/sw/cuda/blas/sizes.inc
$(BUILD)/pic/sw/cuda/blas/sizes.o: CLIENT_FLAGS += -I$(BUILD)/sw/cuda/blas
$(eval $(call math_library,cublasLt,blaslt,11))
$(eval $(call math_library,cufft,fft,10))
# What nvcc's device linker joins with programs that have callbacks.
$(CUDA)/lib64/libcufft_callbacks.a: sw/cuda/fft/callbacks.cu sw/cuda/fft/callback.h sw/cuda/fft/shape.h $(CUDA)/bin/nvcc $(CUDA)/.headers $(CUDA)/lib64/libcufft.so
	@mkdir -p $(BUILD)/obj/sw/cuda/fft
	$(CUDA)/bin/nvcc -O2 -arch=sm_30 -w -I. -Xcompiler -fPIC -dc -o $(BUILD)/obj/sw/cuda/fft/callbacks.o $<
	@rm -f $@
	@ar rcs $@ $(BUILD)/obj/sw/cuda/fft/callbacks.o
$(eval $(call math_library,curand,rand,10))
$(eval $(call math_library,cusolver,solver,11))
$(eval $(call math_library,cusparse,sparse,11))

# Our own programs: the host side in C on the driver API, kernels as PTX.
APPS := $(patsubst sw/apps/%/program.c,%,$(wildcard sw/apps/*/program.c))
# What an application takes from elsewhere, and libraries.
app_more_fibLookup := $(addprefix sw/services/,ipv4/dir24.c ipv4/trie.c common/routes.c common/routes_generate.c common/text_input.c) base/compressed_input.c base/output.c base/unfinished.c
app_libs_fibLookup := -lz -llzma
define app_rule
$(BUILD)/apps/$(1): $(patsubst %.c,$(BUILD)/pic/%.o,$(wildcard sw/apps/$(1)/*.c sw/apps/common/*.c) $(app_more_$(1)) base/rng.c base/alloc.c base/error.c base/data_file.c) | $(CUDA_LIBS)
	@mkdir -p $$(@D)
	$(CC) $(OPT) -o $$@ $$^ -L$(BUILD)/lib '-Wl,-rpath,$$$$ORIGIN/../lib' -lcudart -lcuda $(app_libs_$(1)) -lm
endef
$(foreach a,$(APPS),$(eval $(call app_rule,$(a))))
apps: $(APPS:%=$(BUILD)/apps/%) $(KERNELS)
