/* A program may abort events of its own rows and unregister these, and no other guest's. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "evgpu_defs.h"
#include "sw/edge/edge_cuda.h"

__global__ void serve(unsigned long long *word)
{
    *word = 1;
}

static int failed(const char *what, const struct edge_error *err)
{
    fprintf(stderr, "%s: %s\n", what, err->set ? err->text : "no error");
    return 1;
}

int main()
{
    struct edge_error err = {};
    CUfunction function;
    cudaFree(nullptr);
    if (cudaGetFuncBySymbol(&function, (const void *)serve) != cudaSuccess)
        return 1;
    const struct edge_driver *driver = edge_cuda_driver(&err);
    const enum edge_type types[] = {EDGE_I64};
    struct edge_request request = {};
    request.kernel = edge_cuda_kernel(function, &err);
    request.types = types;
    request.n_types = 1;
    for (int i = 0; i < 3; i++)
        request.grid[i] = request.block[i] = 1;
    request.max_in_flight = 2;
    request.requester = 0x900;
    struct edge_event *event = edge_register_event(driver, &request, &err);
    if (!event)
        return failed("registration", &err);
    bool ended = true;
    if (!edge_abort_event(event, 1, &ended, &err) || ended)
        return failed("abort of nothing", &err);
    const int others[] = {FRONTEND_CMD_ABORT, FRONTEND_CMD_UNREGISTER};
    for (int op : others) {
        struct edge_command command = {};
        uint32_t code, row;
        command.op = (uint8_t)op;
        command.row = edge_row(event) ? 0 : 1; /* the service's */
        if (driver->command(driver->user, &command, &code, &row, &err) ||
            !strstr(err.text, "belongs to another guest"))
            return failed("a command for another's row", &err);
        err = {};
    }
    return edge_unregister_event(event, &err) ? 0 : failed("unregistration", &err);
}
