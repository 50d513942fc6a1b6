/* Names and texts of errors. Both APIs share the numbers; the driver API has names of its own. */
#include <stddef.h>

#include "sw/cuda/client/core.h"

struct error_entry {
    uint32_t number;
    const char *runtime, *driver; /* NULL: the API does not have it */
    const char *text;
};

#define BOTH(number, runtime, driver, text)                                                        \
    {                                                                                              \
        number, "cudaError" runtime, "CUDA_ERROR_" driver, text                                    \
    }
#define RUNTIME(number, runtime, text)                                                             \
    {                                                                                              \
        number, "cudaError" runtime, NULL, text                                                    \
    }
#define DRIVER(number, driver, text)                                                               \
    {                                                                                              \
        number, NULL, "CUDA_ERROR_" driver, text                                                   \
    }

static const struct error_entry entries[] = {
    {0, "cudaSuccess", "CUDA_SUCCESS", "no error"},
    BOTH(1, "InvalidValue", "INVALID_VALUE", "invalid argument"),
    BOTH(2, "MemoryAllocation", "OUT_OF_MEMORY", "out of memory"),
    BOTH(3, "InitializationError", "NOT_INITIALIZED", "initialization error"),
    BOTH(4, "CudartUnloading", "DEINITIALIZED", "driver shutting down"),
    BOTH(5, "ProfilerDisabled", "PROFILER_DISABLED",
         "profiler disabled while using external profiling tool"),
    BOTH(6, "ProfilerNotInitialized", "PROFILER_NOT_INITIALIZED",
         "profiler not initialized: call cudaProfilerInitialize()"),
    BOTH(7, "ProfilerAlreadyStarted", "PROFILER_ALREADY_STARTED", "profiler already started"),
    BOTH(8, "ProfilerAlreadyStopped", "PROFILER_ALREADY_STOPPED", "profiler already stopped"),
    RUNTIME(9, "InvalidConfiguration", "invalid configuration argument"),
    RUNTIME(12, "InvalidPitchValue", "invalid pitch argument"),
    RUNTIME(13, "InvalidSymbol", "invalid device symbol"),
    RUNTIME(16, "InvalidHostPointer", "invalid host pointer"),
    RUNTIME(17, "InvalidDevicePointer", "invalid device pointer"),
    RUNTIME(18, "InvalidTexture", "invalid texture reference"),
    RUNTIME(19, "InvalidTextureBinding", "texture is not bound to a pointer"),
    RUNTIME(20, "InvalidChannelDescriptor", "invalid channel descriptor"),
    RUNTIME(21, "InvalidMemcpyDirection", "invalid copy direction for memcpy"),
    RUNTIME(22, "AddressOfConstant", "cannot take the address of a constant"),
    RUNTIME(23, "TextureFetchFailed", "fetch from texture failed"),
    RUNTIME(24, "TextureNotBound", "cannot fetch from a texture that is not bound"),
    RUNTIME(25, "SynchronizationError", "incorrect use of __syncthreads()"),
    RUNTIME(26, "InvalidFilterSetting", "linear filtering not supported for non-float type"),
    RUNTIME(27, "InvalidNormSetting",
            "read as normalized float not supported for 32-bit non float type"),
    RUNTIME(28, "MixedDeviceExecution",
            "device emulation mode and device execution mode cannot be "
            "mixed"),
    RUNTIME(31, "NotYetImplemented", "feature not yet implemented"),
    RUNTIME(32, "MemoryValueTooLarge", "memory size or pointer value too large to fit in 32 bit"),
    BOTH(34, "StubLibrary", "STUB_LIBRARY", "CUDA driver is a stub library"),
    RUNTIME(35, "InsufficientDriver",
            "CUDA driver version is insufficient for CUDA runtime version"),
    RUNTIME(36, "CallRequiresNewerDriver",
            "API call is not supported in the installed CUDA driver"),
    RUNTIME(37, "InvalidSurface", "invalid surface reference"),
    RUNTIME(43, "DuplicateVariableName", "duplicate global variable looked up by string name"),
    RUNTIME(44, "DuplicateTextureName", "duplicate texture looked up by string name"),
    RUNTIME(45, "DuplicateSurfaceName", "duplicate surface looked up by string name"),
    BOTH(46, "DevicesUnavailable", "DEVICE_UNAVAILABLE",
         "CUDA-capable device(s) is/are busy or unavailable"),
    RUNTIME(49, "IncompatibleDriverContext", "incompatible driver context"),
    RUNTIME(52, "MissingConfiguration", "__global__ function call is not configured"),
    RUNTIME(53, "PriorLaunchFailure", "unspecified launch failure in prior launch"),
    RUNTIME(65, "LaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"),
    RUNTIME(66, "LaunchFileScopedTex",
            "launch failed because kernel uses unsupported, file-scoped textures (texture objects "
            "are supported)"),
    RUNTIME(67, "LaunchFileScopedSurf",
            "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects "
            "are supported)"),
    RUNTIME(68, "SyncDepthExceeded",
            "cudaDeviceSynchronize failed because caller's grid depth exceeds "
            "cudaLimitDevRuntimeSyncDepth"),
    RUNTIME(69, "LaunchPendingCountExceeded",
            "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"),
    RUNTIME(98, "InvalidDeviceFunction", "invalid device function"),
    BOTH(100, "NoDevice", "NO_DEVICE", "no CUDA-capable device is detected"),
    BOTH(101, "InvalidDevice", "INVALID_DEVICE", "invalid device ordinal"),
    BOTH(102, "DeviceNotLicensed", "DEVICE_NOT_LICENSED", "device doesn't have valid Grid license"),
    RUNTIME(103, "SoftwareValidityNotEstablished", "integrity checks failed"),
    RUNTIME(127, "StartupFailure", "startup failure in cuda runtime"),
    BOTH(200, "InvalidKernelImage", "INVALID_IMAGE", "device kernel image is invalid"),
    BOTH(201, "DeviceUninitialized", "INVALID_CONTEXT", "invalid device context"),
    DRIVER(202, "CONTEXT_ALREADY_CURRENT", "context already current"),
    BOTH(205, "MapBufferObjectFailed", "MAP_FAILED", "mapping of buffer object failed"),
    BOTH(206, "UnmapBufferObjectFailed", "UNMAP_FAILED", "unmapping of buffer object failed"),
    BOTH(207, "ArrayIsMapped", "ARRAY_IS_MAPPED", "array is mapped"),
    BOTH(208, "AlreadyMapped", "ALREADY_MAPPED", "resource already mapped"),
    BOTH(209, "NoKernelImageForDevice", "NO_BINARY_FOR_GPU",
         "no kernel image is available for execution on the device"),
    BOTH(210, "AlreadyAcquired", "ALREADY_ACQUIRED", "resource already acquired"),
    BOTH(211, "NotMapped", "NOT_MAPPED", "resource not mapped"),
    BOTH(212, "NotMappedAsArray", "NOT_MAPPED_AS_ARRAY", "resource not mapped as array"),
    BOTH(213, "NotMappedAsPointer", "NOT_MAPPED_AS_POINTER", "resource not mapped as pointer"),
    BOTH(214, "ECCUncorrectable", "ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"),
    BOTH(215, "UnsupportedLimit", "UNSUPPORTED_LIMIT",
         "limit is not supported on this architecture"),
    BOTH(216, "DeviceAlreadyInUse", "CONTEXT_ALREADY_IN_USE",
         "exclusive-thread device already in use by a different thread"),
    BOTH(217, "PeerAccessUnsupported", "PEER_ACCESS_UNSUPPORTED",
         "peer access is not supported between these two devices"),
    BOTH(218, "InvalidPtx", "INVALID_PTX", "a PTX JIT compilation failed"),
    BOTH(219, "InvalidGraphicsContext", "INVALID_GRAPHICS_CONTEXT",
         "invalid OpenGL or DirectX context"),
    BOTH(220, "NvlinkUncorrectable", "NVLINK_UNCORRECTABLE",
         "uncorrectable NVLink error detected during the execution"),
    BOTH(221, "JitCompilerNotFound", "JIT_COMPILER_NOT_FOUND",
         "PTX JIT compiler library not found"),
    BOTH(222, "UnsupportedPtxVersion", "UNSUPPORTED_PTX_VERSION",
         "the provided PTX was compiled with an unsupported toolchain."),
    BOTH(223, "JitCompilationDisabled", "JIT_COMPILATION_DISABLED",
         "PTX JIT compilation was disabled"),
    BOTH(224, "UnsupportedExecAffinity", "UNSUPPORTED_EXEC_AFFINITY",
         "the provided execution affinity is not supported"),
    BOTH(225, "UnsupportedDevSideSync", "UNSUPPORTED_DEVSIDE_SYNC",
         "device-side synchronization is not supported"),
    BOTH(226, "Contained", "CONTAINED", "an error of the memory was contained"),
    BOTH(300, "InvalidSource", "INVALID_SOURCE", "device kernel image is invalid"),
    BOTH(301, "FileNotFound", "FILE_NOT_FOUND", "file not found"),
    BOTH(302, "SharedObjectSymbolNotFound", "SHARED_OBJECT_SYMBOL_NOT_FOUND",
         "shared object symbol not found"),
    BOTH(303, "SharedObjectInitFailed", "SHARED_OBJECT_INIT_FAILED",
         "shared object initialization failed"),
    BOTH(304, "OperatingSystem", "OPERATING_SYSTEM",
         "OS call failed or operation not supported on this OS"),
    BOTH(400, "InvalidResourceHandle", "INVALID_HANDLE", "invalid resource handle"),
    BOTH(401, "IllegalState", "ILLEGAL_STATE",
         "the operation cannot be performed in the present state"),
    BOTH(402, "LossyQuery", "LOSSY_QUERY", "the query would lose information"),
    BOTH(500, "SymbolNotFound", "NOT_FOUND", "named symbol not found"),
    BOTH(600, "NotReady", "NOT_READY", "device not ready"),
    BOTH(700, "IllegalAddress", "ILLEGAL_ADDRESS", "an illegal memory access was encountered"),
    BOTH(701, "LaunchOutOfResources", "LAUNCH_OUT_OF_RESOURCES",
         "too many resources requested for launch"),
    BOTH(702, "LaunchTimeout", "LAUNCH_TIMEOUT", "the launch timed out and was terminated"),
    BOTH(703, "LaunchIncompatibleTexturing", "LAUNCH_INCOMPATIBLE_TEXTURING",
         "launch with incompatible texturing mode"),
    BOTH(704, "PeerAccessAlreadyEnabled", "PEER_ACCESS_ALREADY_ENABLED",
         "peer access is already enabled"),
    BOTH(705, "PeerAccessNotEnabled", "PEER_ACCESS_NOT_ENABLED",
         "peer access has not been enabled"),
    BOTH(708, "SetOnActiveProcess", "PRIMARY_CONTEXT_ACTIVE",
         "cannot set while device is active in this process"),
    BOTH(709, "ContextIsDestroyed", "CONTEXT_IS_DESTROYED", "context is destroyed"),
    BOTH(710, "Assert", "ASSERT", "device-side assert triggered"),
    BOTH(711, "TooManyPeers", "TOO_MANY_PEERS", "peer mapping resources exhausted"),
    BOTH(712, "HostMemoryAlreadyRegistered", "HOST_MEMORY_ALREADY_REGISTERED",
         "part or all of the requested memory range is already mapped"),
    BOTH(713, "HostMemoryNotRegistered", "HOST_MEMORY_NOT_REGISTERED",
         "pointer does not correspond to a registered memory region"),
    BOTH(714, "HardwareStackError", "HARDWARE_STACK_ERROR", "hardware stack error"),
    BOTH(715, "IllegalInstruction", "ILLEGAL_INSTRUCTION",
         "an illegal instruction was encountered"),
    BOTH(716, "MisalignedAddress", "MISALIGNED_ADDRESS", "misaligned address"),
    BOTH(717, "InvalidAddressSpace", "INVALID_ADDRESS_SPACE",
         "operation not supported on global/shared address space"),
    BOTH(718, "InvalidPc", "INVALID_PC", "invalid program counter"),
    BOTH(719, "LaunchFailure", "LAUNCH_FAILED", "unspecified launch failure"),
    BOTH(720, "CooperativeLaunchTooLarge", "COOPERATIVE_LAUNCH_TOO_LARGE",
         "too many blocks in cooperative launch"),
    BOTH(721, "TensorMemoryLeak", "TENSOR_MEMORY_LEAK",
         "tensor memory is still allocated at the end of a block"),
    BOTH(800, "NotPermitted", "NOT_PERMITTED", "operation not permitted"),
    BOTH(801, "NotSupported", "NOT_SUPPORTED", "operation not supported"),
    BOTH(802, "SystemNotReady", "SYSTEM_NOT_READY", "system not yet initialized"),
    BOTH(803, "SystemDriverMismatch", "SYSTEM_DRIVER_MISMATCH",
         "system has unsupported display driver / cuda driver combination"),
    BOTH(804, "CompatNotSupportedOnDevice", "COMPAT_NOT_SUPPORTED_ON_DEVICE",
         "forward compatibility was attempted on non supported HW"),
    BOTH(805, "MpsConnectionFailed", "MPS_CONNECTION_FAILED", "no connection to the MPS server"),
    BOTH(806, "MpsRpcFailure", "MPS_RPC_FAILURE", "a call to the MPS server failed"),
    BOTH(807, "MpsServerNotReady", "MPS_SERVER_NOT_READY", "the MPS server takes no clients yet"),
    BOTH(808, "MpsMaxClientsReached", "MPS_MAX_CLIENTS_REACHED", "too many clients of MPS"),
    BOTH(809, "MpsMaxConnectionsReached", "MPS_MAX_CONNECTIONS_REACHED",
         "too many connections of MPS"),
    BOTH(810, "MpsClientTerminated", "MPS_CLIENT_TERMINATED", "the MPS server ended this client"),
    BOTH(811, "CdpNotSupported", "CDP_NOT_SUPPORTED", "launches in kernels are not supported"),
    BOTH(812, "CdpVersionMismatch", "CDP_VERSION_MISMATCH",
         "launches in kernels of different versions"),
    BOTH(900, "StreamCaptureUnsupported", "STREAM_CAPTURE_UNSUPPORTED",
         "operation not permitted when stream is capturing"),
    BOTH(901, "StreamCaptureInvalidated", "STREAM_CAPTURE_INVALIDATED",
         "operation failed due to a previous error during capture"),
    BOTH(902, "StreamCaptureMerge", "STREAM_CAPTURE_MERGE",
         "operation would result in a merge of separate capture sequences"),
    BOTH(903, "StreamCaptureUnmatched", "STREAM_CAPTURE_UNMATCHED",
         "capture was not ended in the same stream as it began"),
    BOTH(904, "StreamCaptureUnjoined", "STREAM_CAPTURE_UNJOINED",
         "capturing stream has unjoined work"),
    BOTH(905, "StreamCaptureIsolation", "STREAM_CAPTURE_ISOLATION",
         "dependency created on uncaptured work in another stream"),
    BOTH(906, "StreamCaptureImplicit", "STREAM_CAPTURE_IMPLICIT",
         "operation would make the legacy stream depend on a capturing blocking stream"),
    BOTH(907, "CapturedEvent", "CAPTURED_EVENT",
         "operation not permitted on an event last recorded in a capturing stream"),
    BOTH(908, "StreamCaptureWrongThread", "STREAM_CAPTURE_WRONG_THREAD",
         "attempt to terminate a thread-local capture sequence from another thread"),
    BOTH(909, "Timeout", "TIMEOUT", "wait operation timed out"),
    BOTH(910, "GraphExecUpdateFailure", "GRAPH_EXEC_UPDATE_FAILURE",
         "the graph update was not performed because it included changes which violated "
         "constraints specific to instantiated graph update"),
    BOTH(911, "ExternalDevice", "EXTERNAL_DEVICE", "an error of an external device"),
    BOTH(912, "InvalidClusterSize", "INVALID_CLUSTER_SIZE", "invalid size of a cluster"),
    BOTH(913, "FunctionNotLoaded", "FUNCTION_NOT_LOADED", "the function is not loaded"),
    BOTH(914, "InvalidResourceType", "INVALID_RESOURCE_TYPE", "invalid type of a resource"),
    BOTH(915, "InvalidResourceConfiguration", "INVALID_RESOURCE_CONFIGURATION",
         "invalid configuration of resources"),
    DRIVER(916, "KEY_ROTATION", "the rotation of keys failed"),
    BOTH(999, "Unknown", "UNKNOWN", "unknown error"),
    RUNTIME(10000, "ApiFailureBase", "api failure base"),
};

static const struct error_entry *find(uint32_t error)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (entries[i].number == error)
            return &entries[i];
    }
    return NULL;
}

const char *evc_error_name(uint32_t error, bool runtime)
{
    const struct error_entry *e = find(error);
    return !e ? NULL : runtime ? e->runtime : e->driver;
}

const char *evc_error_text(uint32_t error)
{
    const struct error_entry *e = find(error);
    return e ? e->text : NULL;
}
