/* A program with an event kernel for the device of ipv4, which it would send elsewhere: binder KIND.
 *   rows    raw registrations of what is not the program's, or does not fit; none may be taken
 *   buffer  a buffer in the table `level1` of the service ipv4-2; then serves with its own
 *   freed   buffers that are freed while the device uses them
 *   watch   no device: takes memory, which must be zero and stay so
 * Ends with 0 when all is as it should be. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "evgpu_defs.h"
#include "sw/edge/edge_cuda.h"

#define ENTRIES 8u

__global__ void drop(unsigned char *slots, unsigned slot_bytes, unsigned count, unsigned *results)
{
    unsigned i = threadIdx.x;
    if (i < count)
        results[i] = slot_bytes && slots ? 2 : 0;
}

__global__ void large(unsigned *out)
{
    volatile unsigned own[4096];
    for (int i = 0; i < 4096; i++)
        own[i] = i * *out;
    *out = own[*out & 4095];
}

__global__ void wait(int clocks)
{
    long long begin = clock64();
    while (clock64() - begin < clocks)
        ;
}

static int failed(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

static bool is_refused(const struct edge_command *command, const char *text)
{
    struct edge_error err = {};
    uint32_t code, row;
    const struct edge_driver *driver = edge_cuda_driver(&err);
    if (driver && !driver->command(driver->user, command, &code, &row, &err) &&
        strstr(err.text, text))
        return true;
    failed(text, err.set ? err.text : "taken");
    return false;
}

static const struct edge_kernel *kernel_of(const void *symbol)
{
    struct edge_error err = {};
    CUfunction function;
    cudaFree(nullptr);
    return cudaGetFuncBySymbol(&function, symbol) ? nullptr : edge_cuda_kernel(function, &err);
}

static uint64_t with_registers(uint64_t code, uint64_t registers)
{
    return code | registers / EVG_REG_UNIT << 56;
}

static int rows()
{
    const struct edge_kernel *kernel = kernel_of((const void *)drop);
    const struct edge_kernel *other = kernel_of((const void *)large);
    struct edge_error err = {};
    struct edge_port_info info;
    char *queue;
    cudaMalloc(&queue, 4096);
    if (!kernel || !other || !edge_cuda_port("ipv4", &info, &err))
        return failed("rows", err.text);
    struct edge_command good = {};
    good.op = FRONTEND_CMD_REGISTER;
    good.requester = 0x900;
    good.kernel = with_registers(kernel->code, kernel->registers);
    good.base = (uint64_t)queue;
    good.size = 64;
    good.last = good.base + 3 * 64;
    for (uint32_t &dim : good.dims)
        dim = 1;
    struct edge_command bad = good;
    bool ok = true;
    for (uint64_t code = kernel->code % 4096; code < 0x10000; code += 4096)
        bad.kernel = with_registers(kernel->code - code - 128, kernel->registers),
        ok = is_refused(&bad, "no kernel of it begins at") && ok;
    bad.kernel = with_registers(kernel->code, kernel->registers - EVG_REG_UNIT);
    ok = is_refused(&bad, "registers per thread, not") && ok;
    bad.kernel = with_registers(other->code, other->registers);
    ok = is_refused(&bad, "bytes of local memory per thread; an event may use") && ok;
    const char *queues = "is too small or lies in no allocation of it";
    bad = good;
    bad.base = edge_port_resource(&info, "level1");
    bad.last = bad.base + 3 * 64;
    ok = is_refused(&bad, queues) && ok;
    bad = good;
    bad.last = good.base + 64 * 64; /* one entry behind the end */
    ok = is_refused(&bad, queues) && ok;
    bad = good;
    bad.last = good.base - 64;
    ok = is_refused(&bad, queues) && ok;
    bad = good;
    bad.size = 32; /* the arguments do not fit */
    bad.last = good.base + 3 * 32;
    ok = is_refused(&bad, queues) && ok;
    bad = good;
    bad.last = good.base + 3 * 64 + 8;
    ok = is_refused(&bad, queues) && ok;
    bad = good;
    bad.size = UINT64_MAX - 63;
    bad.last = good.base;
    ok = is_refused(&bad, queues) && ok;
    uint32_t code = 99, row;
    const struct edge_driver *driver = edge_cuda_driver(&err);
    good.last = good.base + 63 * 64; /* the last entry that fits */
    if (!driver->command(driver->user, &good, &code, &row, &err) || code)
        return failed("what is right", err.text);
    good.op = FRONTEND_CMD_UNREGISTER;
    good.row = (uint8_t)row;
    return driver->command(driver->user, &good, &code, &row, &err) && ok ? 0 : 1;
}

static int serve(bool foreign, bool freed)
{
    static const enum edge_type types[] = {EDGE_I64, EDGE_I32, EDGE_I32, EDGE_I64};
    struct edge_error err = {};
    struct edge_port_info port, other;
    struct edge_request request = {};
    struct edge_port_entry entry[ENTRIES];
    request.kernel = kernel_of((const void *)drop);
    if (!request.kernel || !edge_cuda_port("ipv4", &port, &err) ||
        (foreign && !edge_cuda_port("ipv4-2", &other, &err)))
        return failed("port", err.text);
    request.types = types;
    request.n_types = 4;
    for (int i = 0; i < 3; i++)
        request.grid[i] = request.block[i] = 1;
    request.block[0] = port.batch;
    request.max_in_flight = ENTRIES;
    request.requester = port.requester;
    request.completion = port.completion;
    struct edge_event *event = edge_register_event(edge_cuda_driver(&err), &request, &err);
    for (unsigned k = 0; event && k < ENTRIES; k++) {
        unsigned char *slots;
        unsigned *results;
        cudaMalloc(&slots, (size_t)port.batch * port.slot_bytes);
        cudaMalloc(&results, (size_t)port.batch * port.result_bytes);
        entry[k].input = entry[k].output = (uint64_t)slots;
        entry[k].results = (uint64_t)results;
        entry[k].count = edge_argument_address(event, k, 2);
        edge_set_completion(event, k, port.completion + 4 * k, &err);
        edge_set_u64(event, k, 0, (uint64_t)slots, &err);
        edge_set_u32(event, k, 1, port.slot_bytes, &err);
        edge_set_u64(event, k, 3, (uint64_t)results, &err);
    }
    if (!event || err.set)
        return failed("registration", err.text);
    if (foreign) {
        uint64_t table = edge_port_resource(&other, "level1");
        uint64_t *const fields[] = {&entry[1].input, &entry[1].output, &entry[1].results,
                                    &entry[1].count};
        for (uint64_t *field : fields) {
            uint64_t right = *field;
            *field = table;
            err = {};
            if (edge_cuda_bind("ipv4", event, entry, &err) ||
                !strstr(err.text, "a buffer of entry 1 lies in no allocation of"))
                return failed("a foreign buffer", err.text);
            *field = right;
            err = {};
        }
    }
    if (!edge_cuda_bind("ipv4", event, entry, &err))
        return failed("binding", err.text);
    for (unsigned k = 0; freed && k < ENTRIES; k++)
        cudaFree((void *)entry[k].input);
    if (edge_cuda_wait(&err) == freed)
        return failed("wait", freed ? "nobody has noticed" : err.text);
    return freed || edge_unregister_event(event, &err) ? 0 : failed("unregistration", err.text);
}

static int watch()
{
    static unsigned char host[65536];
    const int n = 48;
    unsigned char *some[n];
    unsigned any = 0;
    for (int i = 0; i < 2 * n; i++) {
        if (i < n)
            cudaMalloc(&some[i], sizeof host);
        wait<<<1, 32>>>(2000);
        cudaMemcpy(host, some[i % n], sizeof host, cudaMemcpyDeviceToHost);
        for (unsigned char byte : host)
            any |= byte;
    }
    if (any)
        return failed("watch", "somebody has written into the memory");
    return cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    if (!strcmp(kind, "watch"))
        return watch();
    if (!strcmp(kind, "rows"))
        return rows();
    return serve(!strcmp(kind, "buffer"), !strcmp(kind, "freed"));
}
