/* Event kernels of a program: the calls of the EDGE API (sw/edge/edge_cuda.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"
#include "sim/guest/service/event_driver.h"

static uint32_t call_ns(const struct host_thread *t)
{
    return machine_config(t->program->machine)->call_ns;
}

/* Returns with a copy of these bytes. */
static void answer(struct host_thread *t, uint64_t cycle, const void *data, size_t bytes)
{
    t->text = alloc_array(bytes, 1);
    memcpy(t->text, data, bytes);
    t->reply.payload = bytes;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(t));
}

static void port(struct host_thread *t, uint64_t cycle)
{
    struct edge_port_info info;
    struct error err = {0};
    const char *name = t->payload ? (const char *)t->payload : "";
    if (guest_port_info(t->program->guest, name, &info, &err))
        answer(t, cycle, &info, sizeof info);
    else
        host_fail(t, CUDA_ERROR_NOT_FOUND, cycle, "%s", err.text);
}

static void function(struct host_thread *t, uint64_t cycle)
{
    const struct program_function *f = function_find(t->program, t->request.a[0]);
    if (!f) {
        host_return(t, CUDA_ERROR_INVALID_HANDLE, cycle, call_ns(t));
        return;
    }
    struct edge_parameter *parameters;
    struct edge_kernel kernel = event_kernel(f->kernel, &parameters);
    struct wire_event_function *wire = ALLOC(struct wire_event_function);
    *wire = (struct wire_event_function){.code = kernel.code,
                                         .registers = kernel.registers,
                                         .shared_bytes = kernel.shared_bytes,
                                         .local_bytes = kernel.local_bytes,
                                         .max_threads = kernel.max_threads,
                                         .param_bytes = kernel.parameter_bytes,
                                         .n_params = kernel.n_parameters};
    if (kernel.defect)
        snprintf(wire->defect, sizeof wire->defect, "%s", kernel.defect);
    if (wire->n_params > WIRE_MAX_PARAMS)
        wire->n_params = WIRE_MAX_PARAMS; /* then the list of types never fits */
    for (uint32_t i = 0; i < wire->n_params; i++) {
        wire->params[i].offset = parameters[i].offset;
        wire->params[i].bytes = parameters[i].bytes;
        wire->params[i].type = parameters[i].type;
        snprintf(wire->params[i].name, sizeof wire->params[i].name, "%s", parameters[i].name);
    }
    answer(t, cycle, wire, sizeof *wire);
    free(wire);
    free(parameters);
}

static void on_answer(void *user, uint32_t code, uint32_t row)
{
    struct host_thread *t = user;
    if (t->program->failure) /* the call has been answered */
        return;
    t->reply.v[0] = code;
    t->reply.v[1] = row;
    host_return(t, CUDA_SUCCESS, machine_cycle(t->program->machine), call_ns(t));
}

static void command(struct host_thread *t, uint64_t cycle)
{
    struct edge_command wanted;
    if (t->request.payload != sizeof wanted) {
        host_return(t, CUDA_ERROR_INVALID_VALUE, cycle, call_ns(t));
        return;
    }
    memcpy(&wanted, t->payload, sizeof wanted);
    struct frontend_command wire = event_command(&wanted);
    struct error err = {0};
    if (!event_admit(t->program->guest, &wanted, &wire, &err)) {
        host_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "%s", err.text);
        return;
    }
    guest_command(t->program->guest, &wire, on_answer, t);
}

static void on_finished(void *user, uint64_t cycle)
{
    struct program *p = user;
    p->ports_finished++;
    host_check_waits(p, cycle);
}

static void bind(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    struct error err = {0};
    uint64_t bytes = a[1] * sizeof(struct edge_port_entry);
    if (!a[1] || a[1] > UINT16_MAX || a[2] % 8 || !a[2] || a[2] > t->request.payload ||
        t->request.payload - a[2] != bytes || memchr(t->payload, 0, a[2]) == NULL) {
        host_return(t, CUDA_ERROR_INVALID_VALUE, cycle, call_ns(t));
        return;
    }
    struct device_binding binding = {
        .row = (uint32_t)a[0],
        .entries = (uint32_t)a[1],
        .entry = (const struct edge_port_entry *)(const void *)(t->payload + a[2]),
        .finished = on_finished,
        .user = p};
    if (!guest_bind(p->guest, (const char *)t->payload, &binding, &err)) {
        host_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "%s", err.text);
        return;
    }
    p->ports_bound++;
    host_return(t, CUDA_SUCCESS, cycle, call_ns(t));
}

static bool ports_finished(const struct host_thread *t)
{
    return t->program->ports_finished == t->program->ports_bound;
}

static void waited(struct host_thread *t, uint64_t cycle)
{
    host_return(t, CUDA_SUCCESS, cycle, call_ns(t));
}

void edge_call(struct host_thread *t, uint64_t cycle)
{
    struct edge_limits limits;
    switch (t->request.op) {
    case WIRE_EDGE_LIMITS:
        limits = event_limits(t->program->machine);
        answer(t, cycle, &limits, sizeof limits);
        break;
    case WIRE_EDGE_PORT:
        port(t, cycle);
        break;
    case WIRE_EDGE_FUNCTION:
        function(t, cycle);
        break;
    case WIRE_EDGE_COMMAND:
        command(t, cycle);
        break;
    case WIRE_EDGE_BIND:
        bind(t, cycle);
        break;
    case WIRE_EDGE_WAIT:
        host_wait(t, cycle, ports_finished, waited);
        break;
    default: /* WIRE_SERVICES */
        t->reply.v[0] = machine_services_at_work(t->program->machine);
        host_return(t, CUDA_SUCCESS, cycle, call_ns(t));
    }
}
