/* Errors of the runtime API, and its context. */
#include "sw/cuda/driver/context.h"
#include "sw/cuda/runtime/state.h"

static _Thread_local cudaError_t last;

cudaError_t rt_end(CUresult status, const char *call, const char *needs, bool context)
{
    cudaError_t error = (cudaError_t)status;
    if (context && !status)
        cu_runtime_uses();
    if (error == cudaErrorNotReady)
        return error; /* an answer, not an error */
    if (error != cudaSuccess) {
        last = error;
        evc_explain_failure(status, call, needs, true);
    }
    if (!strncmp(call, "cu", 2)) /* no helper's */
        evc_told();
    return error;
}

/* A failed kernel has ruined the context; everything else is forgotten once it was told. */
static bool sticky(cudaError_t error)
{
    return error == cudaErrorIllegalAddress || error == cudaErrorLaunchTimeout ||
           (error >= cudaErrorAssert && error <= cudaErrorLaunchFailure &&
            error != cudaErrorTooManyPeers && error != cudaErrorHostMemoryAlreadyRegistered &&
            error != cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last;
    if (!sticky(error))
        last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

const char *cudaGetErrorName(cudaError_t error)
{
    const char *name = evc_error_name(error, true);
    return name ? name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    const char *text = evc_error_name(error, true) ? evc_error_text(error) : NULL;
    return text ? text : "unrecognized error code";
}
