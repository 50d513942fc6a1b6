/* For the programs of this directory: the client library from C, with kernels as PTX text that is
 * registered as a compiler's output would be. Each program checks itself; exit status 0: all right.
 */
#ifndef EVGPU_TESTS_CUDA_API_H
#define EVGPU_TESTS_CUDA_API_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/include/cuda.h"
#include "sw/cuda/include/cuda_runtime_api.h"

#define STATUS_NAME(status) cudaGetErrorName((cudaError_t)(status))
#include "tests/cuda/api/check.h"

/* fill: p[i] = value + i for i < n. add: c[i] = a[i] + b[i]. wait: `turns` loads one after the
 * other, then *p += 1. sum: *out = sum of the constant array `table`. store: *p = value, wherever
 * it is. */
static const char api_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".const .align 4 .b8 table[16];\n"
    ".global .align 4 .u32 counter = 5;\n"
    ".visible .entry fill(.param .u64 p, .param .u32 value, .param .u32 n)\n{\n"
    ".reg .b64 %rd<4>;\n.reg .b32 %r<8>;\n.reg .pred %p;\n"
    "ld.param.u64 %rd0, [p];\nld.param.u32 %r0, [value];\nld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.u32 %r5, %r2, %r3, %r4;\nsetp.ge.u32 %p, %r5, %r1;\n@%p bra DONE;\n"
    "add.u32 %r6, %r0, %r5;\nmul.wide.u32 %rd1, %r5, 4;\nadd.u64 %rd2, %rd0, %rd1;\n"
    "st.global.u32 [%rd2], %r6;\nDONE:\nret;\n}\n"
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n{\n"
    ".reg .b64 %rd<8>;\n.reg .b32 %r<10>;\n.reg .pred %p;\n"
    "ld.param.u64 %rd0, [a];\nld.param.u64 %rd1, [b];\nld.param.u64 %rd2, [c];\n"
    "ld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.u32 %r5, %r2, %r3, %r4;\nsetp.ge.u32 %p, %r5, %r1;\n@%p bra DONE;\n"
    "mul.wide.u32 %rd3, %r5, 4;\nadd.u64 %rd0, %rd0, %rd3;\nadd.u64 %rd1, %rd1, %rd3;\n"
    "add.u64 %rd2, %rd2, %rd3;\nld.global.u32 %r6, [%rd0];\nld.global.u32 %r7, [%rd1];\n"
    "add.u32 %r8, %r6, %r7;\nst.global.u32 [%rd2], %r8;\nDONE:\nret;\n}\n"
    ".visible .entry wait(.param .u64 p, .param .u32 turns)\n{\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<6>;\n.reg .pred %p;\n"
    "ld.param.u64 %rd0, [p];\nld.param.u32 %r0, [turns];\nmov.u32 %r1, 0;\nLOOP:\n"
    "setp.ge.u32 %p, %r1, %r0;\n@%p bra DONE;\nld.volatile.global.u32 %r2, [%rd0];\n"
    "and.b32 %r3, %r2, 0;\nadd.u32 %r1, %r1, 1;\nadd.u32 %r1, %r1, %r3;\nbra LOOP;\nDONE:\n"
    "ld.global.u32 %r4, [%rd0];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%rd0], %r4;\nret;\n}\n"
    ".visible .entry sum(.param .u64 out)\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<6>;\n"
    "ld.param.u64 %rd0, [out];\nmov.u64 %rd1, table;\nld.const.u32 %r0, [%rd1];\n"
    "ld.const.u32 %r1, [%rd1+4];\nld.const.u32 %r2, [%rd1+8];\nld.const.u32 %r3, [%rd1+12];\n"
    "add.u32 %r0, %r0, %r1;\nadd.u32 %r0, %r0, %r2;\nadd.u32 %r0, %r0, %r3;\n"
    "mov.u64 %rd2, counter;\nld.global.u32 %r4, [%rd2];\nadd.u32 %r0, %r0, %r4;\n"
    "st.global.u32 [%rd0], %r0;\nret;\n}\n"
    ".visible .entry store(.param .u64 p, .param .u32 value)\n{\n.reg .b64 %rd<2>;\n"
    ".reg .b32 %r<2>;\nld.param.u64 %rd0, [p];\nld.param.u32 %r0, [value];\n"
    "st.global.u32 [%rd0], %r0;\nret;\n}\n"
    ".visible .entry give_up()\n{\ntrap;\nret;\n}\n";

/* Host-side shadows: what a compiler makes of kernels and variables. */
static char host_fill, host_add, host_wait, host_sum, host_store, host_give_up, host_missing;
static char host_table[16], host_counter[4];

static inline void api_register(void)
{
    static struct {
        int magic, version;
        const void *data;
        void *unused;
    } wrapper = {0x466243b1, 1, api_ptx, NULL};
    static const struct {
        char *host;
        const char *name;
    } kernels[] = {{&host_fill, "fill"},      {&host_add, "add"},     {&host_wait, "wait"},
                   {&host_sum, "sum"},        {&host_store, "store"}, {&host_give_up, "give_up"},
                   {&host_missing, "missing"}};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        __cudaRegisterFunction(handle, kernels[i].host, NULL, kernels[i].name, -1, NULL, NULL, NULL,
                               NULL, NULL);
    __cudaRegisterVar(handle, host_table, NULL, "table", 0, sizeof host_table, 1, 0);
    __cudaRegisterVar(handle, host_counter, NULL, "counter", 0, sizeof host_counter, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
}

static inline dim3 api_dim(unsigned int x, unsigned int y, unsigned int z)
{
    dim3 d = {x, y, z};
    return d;
}

static inline cudaError_t launch_fill(void *p, uint32_t value, uint32_t n, cudaStream_t stream)
{
    void *args[] = {&p, &value, &n};
    return cudaLaunchKernel(&host_fill, api_dim((n + 255) / 256, 1, 1), api_dim(256, 1, 1), args, 0,
                            stream);
}

static inline cudaError_t launch_wait(void *p, uint32_t turns, cudaStream_t stream)
{
    void *args[] = {&p, &turns};
    return cudaLaunchKernel(&host_wait, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 0, stream);
}

#endif
