/* Marks and ranges for a profiler's timeline. There is no timeline: they are empty, and a range's
 * level is what it would be. */
#ifndef EVGPU_CUDA_NV_TOOLS_EXT_H
#define EVGPU_CUDA_NV_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION                  2
#define NVTX_COLOR_UNKNOWN            0
#define NVTX_COLOR_ARGB               1
#define NVTX_MESSAGE_UNKNOWN          0
#define NVTX_MESSAGE_TYPE_ASCII       1
#define NVTX_PAYLOAD_UNKNOWN          0
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
} nvtxMessageValue_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

static __inline__ void nvtxMarkA(const char *message)
{
    (void)message;
}
static __inline__ void nvtxMarkEx(const nvtxEventAttributes_t *attributes)
{
    (void)attributes;
}
static __inline__ int *evgpuNvtxLevel(void)
{
    static __thread int level;
    return &level;
}
static __inline__ int nvtxRangePushA(const char *message)
{
    (void)message;
    return (*evgpuNvtxLevel())++;
}
static __inline__ int nvtxRangePushEx(const nvtxEventAttributes_t *attributes)
{
    (void)attributes;
    return (*evgpuNvtxLevel())++;
}
static __inline__ int nvtxRangePop(void)
{
    return --*evgpuNvtxLevel();
}
static __inline__ nvtxRangeId_t nvtxRangeStartA(const char *message)
{
    (void)message;
    return 0;
}
static __inline__ nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes)
{
    (void)attributes;
    return 0;
}
static __inline__ void nvtxRangeEnd(nvtxRangeId_t id)
{
    (void)id;
}
static __inline__ void nvtxNameOsThreadA(uint32_t thread, const char *name)
{
    (void)thread, (void)name;
}
#define nvtxMark         nvtxMarkA
#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA

#endif
