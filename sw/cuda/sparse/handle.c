/* Handles, their modes, and the names of statuses. */
#include <stdlib.h>

#include "sw/cuda/sparse/sparse.h"

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    SPARSE_VALID(handle);
    /* A device there must be. */
    SPARSE_CHECK(cudaFree(NULL) == cudaSuccess, CUSPARSE_STATUS_NOT_INITIALIZED);
    struct cusparseContext *made = calloc(1, sizeof *made);
    if (!made || !library_keep(made)) {
        free(made);
        return CUSPARSE_STATUS_ALLOC_FAILED;
    }
    *handle = made;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    SPARSE_HANDLE(handle);
    library_forget(handle);
    cudaDeviceSynchronize(); /* the handle's kernels end before their module does */
    library_close(&handle->library);
    free(handle);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(version);
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value)
{
    static const int properties[] = {[MAJOR_VERSION] = CUSPARSE_VER_MAJOR,
                                     [MINOR_VERSION] = CUSPARSE_VER_MINOR,
                                     [PATCH_LEVEL] = CUSPARSE_VER_PATCH};
    SPARSE_VALID(value && (unsigned int)type < sizeof properties / sizeof properties[0]);
    *value = properties[type];
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    SPARSE_HANDLE(handle);
    handle->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(stream);
    *stream = handle->stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE);
    handle->pointers = mode;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
    SPARSE_HANDLE(handle);
    SPARSE_VALID(mode);
    *mode = handle->pointers;
    return CUSPARSE_STATUS_SUCCESS;
}

static const struct {
    const char *name, *text;
} statuses[] = {
    [CUSPARSE_STATUS_SUCCESS] = {"CUSPARSE_STATUS_SUCCESS", "success"},
    [CUSPARSE_STATUS_NOT_INITIALIZED] = {"CUSPARSE_STATUS_NOT_INITIALIZED",
                                         "no handle, or no device"},
    [CUSPARSE_STATUS_ALLOC_FAILED] = {"CUSPARSE_STATUS_ALLOC_FAILED", "no memory is left"},
    [CUSPARSE_STATUS_INVALID_VALUE] = {"CUSPARSE_STATUS_INVALID_VALUE",
                                       "an argument is out of range"},
    [CUSPARSE_STATUS_ARCH_MISMATCH] = {"CUSPARSE_STATUS_ARCH_MISMATCH",
                                       "the device lacks a feature"},
    [CUSPARSE_STATUS_MAPPING_ERROR] = {"CUSPARSE_STATUS_MAPPING_ERROR", "a copy failed"},
    [CUSPARSE_STATUS_EXECUTION_FAILED] = {"CUSPARSE_STATUS_EXECUTION_FAILED", "a kernel failed"},
    [CUSPARSE_STATUS_INTERNAL_ERROR] = {"CUSPARSE_STATUS_INTERNAL_ERROR",
                                        "an error inside the library"},
    [CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED] = {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                                   "the call takes no matrix of this type"},
    [CUSPARSE_STATUS_ZERO_PIVOT] = {"CUSPARSE_STATUS_ZERO_PIVOT", "a pivot is missing or 0"},
    [CUSPARSE_STATUS_NOT_SUPPORTED] = {"CUSPARSE_STATUS_NOT_SUPPORTED", "not supported"},
    [CUSPARSE_STATUS_INSUFFICIENT_RESOURCES] = {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES",
                                                "too little memory or threads"},
};

static bool known(cusparseStatus_t status)
{
    return (size_t)status < sizeof statuses / sizeof statuses[0];
}

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return known(status) ? statuses[status].name : "unknown status";
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return known(status) ? statuses[status].text : "unknown status";
}

cusparseStatus_t sparse_keep(void *made)
{
    bool kept = made && library_keep(made);
    if (!kept)
        free(made);
    return kept ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
