/* Marks and ranges for a profiler's timeline. There is no timeline: they are empty, and a range's
 * level is what it would be. Ranges of domains have no level, and domains, strings and ranges no
 * handle, as in NVIDIA's library without a profiler. */
#ifndef EVGPU_CUDA_NV_TOOLS_EXT_H
#define EVGPU_CUDA_NV_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION                  2
#define NVTX_NO_PUSH_POP_TRACKING     (-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

static __inline__ int *evgpuNvtxLevel(void)
{
    static __thread int level;
    return &level;
}
static __inline__ int nvtxRangePop(void)
{
    return --*evgpuNvtxLevel();
}
#define EVGPU_NVTX(R, result, name, A)                                                             \
    static __inline__ R name(A a)                                                                  \
    {                                                                                              \
        (void)a;                                                                                   \
        return result;                                                                             \
    }
#define EVGPU_NVTX_2(R, result, name, A, B)                                                        \
    static __inline__ R name(A a, B b)                                                             \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        return result;                                                                             \
    }
#define EVGPU_NVTX_3(name, A, B, C)                                                                \
    static __inline__ void name(A a, B b, C c)                                                     \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
    }
#define EVGPU_NVTX_TEXTS(suffix, Text)                                                             \
    EVGPU_NVTX(void, , nvtxMark##suffix, Text)                                                     \
    EVGPU_NVTX(int, (*evgpuNvtxLevel())++, nvtxRangePush##suffix, Text)                            \
    EVGPU_NVTX(nvtxRangeId_t, 0, nvtxRangeStart##suffix, Text)
#define EVGPU_NVTX_NAMES(suffix, Text)                                                             \
    EVGPU_NVTX_2(void, , nvtxNameOsThread##suffix, uint32_t, Text)                                 \
    EVGPU_NVTX_2(void, , nvtxNameCategory##suffix, uint32_t, Text)                                 \
    EVGPU_NVTX_3(nvtxDomainNameCategory##suffix, nvtxDomainHandle_t, uint32_t, Text)               \
    EVGPU_NVTX(nvtxDomainHandle_t, NULL, nvtxDomainCreate##suffix, Text)                           \
    EVGPU_NVTX_2(nvtxStringHandle_t, NULL, nvtxDomainRegisterString##suffix, nvtxDomainHandle_t,   \
                 Text)
EVGPU_NVTX_TEXTS(A, const char *)
EVGPU_NVTX_TEXTS(W, const wchar_t *)
EVGPU_NVTX_TEXTS(Ex, const nvtxEventAttributes_t *)
EVGPU_NVTX_NAMES(A, const char *)
EVGPU_NVTX_NAMES(W, const wchar_t *)
EVGPU_NVTX(void, , nvtxInitialize, const void *)
EVGPU_NVTX(void, , nvtxRangeEnd, nvtxRangeId_t)
EVGPU_NVTX(void, , nvtxDomainDestroy, nvtxDomainHandle_t)
EVGPU_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop, nvtxDomainHandle_t)
EVGPU_NVTX_2(void, , nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t)
EVGPU_NVTX_2(void, , nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
EVGPU_NVTX_2(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx, nvtxDomainHandle_t,
             const nvtxEventAttributes_t *)
EVGPU_NVTX_2(nvtxRangeId_t, 0, nvtxDomainRangeStartEx, nvtxDomainHandle_t,
             const nvtxEventAttributes_t *)
#undef EVGPU_NVTX
#undef EVGPU_NVTX_2
#undef EVGPU_NVTX_3
#undef EVGPU_NVTX_TEXTS
#undef EVGPU_NVTX_NAMES

/* A name for an object of an API: nvToolsExtCuda.h, nvToolsExtCudaRt.h. */
#define EVGPU_NVTX_OBJECT(name, T)                                                                 \
    static __inline__ void name##A(T what, const char *text)                                       \
    {                                                                                              \
        (void)what, (void)text;                                                                    \
    }                                                                                              \
    static __inline__ void name##W(T what, const wchar_t *text)                                    \
    {                                                                                              \
        (void)what, (void)text;                                                                    \
    }

#define nvtxMark                 nvtxMarkA
#define nvtxRangePush            nvtxRangePushA
#define nvtxRangeStart           nvtxRangeStartA
#define nvtxNameOsThread         nvtxNameOsThreadA
#define nvtxNameCategory         nvtxNameCategoryA
#define nvtxDomainCreate         nvtxDomainCreateA
#define nvtxDomainNameCategory   nvtxDomainNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
