/* nvJitLink over the driver's linker. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/driver/context.h"
#include "sw/cuda/include/nvJitLink.h"
#include "sw/cuda/library/handles.h"

#define LOG_ROOM 16384

struct nvJitLink {
    CUlinkState state;
    void *image; /* of a complete link; the state's */
    size_t size;
    char log[LOG_ROOM];
};

#define CHECK(condition, error)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return (error);                                                                        \
    } while (0)
#define VALID(condition) CHECK(condition, NVJITLINK_ERROR_INVALID_INPUT)

/* Names of options; one that ends with '=' has a value. */
static bool is_option(const char *option)
{
    static const char *const known[] = {"-lto",
                                        "-ptx",
                                        "-g",
                                        "-lineinfo",
                                        "-time",
                                        "-verbose",
                                        "-O0",
                                        "-O1",
                                        "-O2",
                                        "-O3",
                                        "-maxrregcount=",
                                        "-ftz=",
                                        "-prec-div=",
                                        "-prec-sqrt=",
                                        "-fma=",
                                        "-kernels-used=",
                                        "-variables-used=",
                                        "-optimize-unused-variables",
                                        "-Xptxas=",
                                        "-Xnvvm=",
                                        "-split-compile=",
                                        "-split-compile-extended=",
                                        "-no-cache",
                                        "-jump-table-density="};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t length = strlen(known[i]);
        bool valued = known[i][length - 1] == '=';
        if (valued ? !strncmp(option, known[i], length) : !strcmp(option, known[i]))
            return true;
    }
    return false;
}

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions, const char **options)
{
    bool arch = false;
    VALID(handle && (!numOptions || options));
    for (uint32_t i = 0; i < numOptions; i++) {
        VALID(options[i]);
        bool names_arch = !strncmp(options[i], "-arch=", strlen("-arch="));
        arch = arch || names_arch;
        CHECK(names_arch || is_option(options[i]), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
    }
    CHECK(arch, NVJITLINK_ERROR_MISSING_ARCH);
    nvJitLinkHandle made = calloc(1, sizeof *made);
    CUlinkState state = NULL;
    if (!made || cu_link_create(made->log, sizeof made->log, &state) || !library_keep(made)) {
        if (state)
            cuLinkDestroy(state);
        free(made);
        return NVJITLINK_ERROR_INTERNAL;
    }
    made->state = state;
    *handle = made;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle)
{
    VALID(handle && library_knows(*handle));
    library_forget(*handle);
    cuLinkDestroy((*handle)->state);
    free(*handle);
    *handle = NULL;
    return NVJITLINK_SUCCESS;
}

static bool driver_type(nvJitLinkInputType type, CUjitInputType *driver)
{
    switch (type) {
    case NVJITLINK_INPUT_PTX:
        *driver = CU_JIT_INPUT_PTX;
        return true;
    case NVJITLINK_INPUT_FATBIN:
    case NVJITLINK_INPUT_ANY:
        *driver = CU_JIT_INPUT_FATBINARY;
        return true;
    case NVJITLINK_INPUT_OBJECT:
        *driver = CU_JIT_INPUT_OBJECT;
        return true;
    case NVJITLINK_INPUT_LIBRARY:
        *driver = CU_JIT_INPUT_LIBRARY;
        return true;
    default:
        return false;
    }
}

static nvJitLinkResult result_of(CUresult status)
{
    switch (status) {
    case CUDA_SUCCESS:
        return NVJITLINK_SUCCESS;
    case CUDA_ERROR_INVALID_PTX:
        return NVJITLINK_ERROR_PTX_COMPILE;
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
        return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return NVJITLINK_ERROR_INTERNAL;
    default:
        return NVJITLINK_ERROR_INVALID_INPUT;
    }
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType inputType,
                                 const void *data, size_t size, const char *name)
{
    CUjitInputType type;
    VALID(library_knows(handle) && data && size);
    CHECK(driver_type(inputType, &type), NVJITLINK_ERROR_UNRECOGNIZED_INPUT);
    return result_of(cu_link_add_data(handle->state, type, data, size, name, __func__));
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType inputType,
                                 const char *fileName)
{
    CUjitInputType type;
    VALID(library_knows(handle) && fileName);
    CHECK(driver_type(inputType, &type), NVJITLINK_ERROR_UNRECOGNIZED_INPUT);
    return result_of(cu_link_add_file(handle->state, type, fileName, __func__));
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)
{
    VALID(library_knows(handle));
    CUresult status = cu_link_complete(handle->state, &handle->image, &handle->size, __func__);
    /* The units are there, and something in them does not fit. */
    return status == CUDA_ERROR_INVALID_PTX ? NVJITLINK_ERROR_FINALIZE : result_of(status);
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size)
{
    VALID(library_knows(handle) && size && handle->image);
    *size = handle->size;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin)
{
    VALID(library_knows(handle) && cubin && handle->image);
    memcpy(cubin, handle->image, handle->size);
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size)
{
    return nvJitLinkGetLinkedCubinSize(handle, size);
}

nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx)
{
    return nvJitLinkGetLinkedCubin(handle, ptx);
}

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size)
{
    VALID(library_knows(handle) && size);
    *size = strlen(handle->log) + 1;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log)
{
    VALID(library_knows(handle) && log);
    strcpy(log, handle->log);
    return NVJITLINK_SUCCESS;
}

/* The linker has nothing to say of what it can do. */
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size)
{
    VALID(library_knows(handle) && size);
    *size = 1;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log)
{
    VALID(library_knows(handle) && log);
    *log = '\0';
    return NVJITLINK_SUCCESS;
}
