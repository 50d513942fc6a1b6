#include "sim/guest/program/device/edge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"
#include "sim/guest/service/event_driver.h"

static void port(struct host_thread *t, uint64_t cycle)
{
    struct edge_port_info info;
    struct error err = {0};
    const char *name = t->payload ? (const char *)t->payload : "";
    if (guest_port_info(t->program->guest, name, &info, &err))
        call_answer(t, cycle, &info, sizeof info);
    else
        call_fail(t, CUDA_ERROR_NOT_FOUND, cycle, "%s", err.text);
}

static void function(struct host_thread *t, uint64_t cycle)
{
    const struct program_function *f = module_function(t->program, t->request.a[0]);
    if (!f) {
        call_done(t, CUDA_ERROR_INVALID_HANDLE, cycle);
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
    call_answer(t, cycle, wire, sizeof *wire);
    free(wire);
    free(parameters);
}

static void on_answer(void *user, uint32_t code, uint32_t row)
{
    struct host_thread *t = user;
    context_let(t->program);
    if (failure_status(t->program)) /* the call has been answered */
        return;
    t->reply.v[0] = code;
    t->reply.v[1] = row;
    call_done(t, CUDA_SUCCESS, machine_cycle(t->program->machine));
}

static void command(struct host_thread *t, uint64_t cycle)
{
    struct edge_command wanted;
    if (t->request.payload != sizeof wanted) {
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
        return;
    }
    memcpy(&wanted, t->payload, sizeof wanted);
    struct frontend_command wire = event_command(&wanted);
    struct error err = {0};
    if (!event_admit(t->program->guest, &wanted, &wire, &err)) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "%s", err.text);
        return;
    }
    context_hold(t->program);
    guest_command(t->program->guest, &wire, on_answer, t);
}

static void on_finished(void *user, uint64_t cycle)
{
    struct program *p = user;
    p->ports.finished++;
    call_check_waits(p, cycle);
}

static void bind(struct host_thread *t, uint64_t cycle)
{
    struct program *p = t->program;
    const uint64_t *a = t->request.a;
    struct error err = {0};
    uint64_t bytes = a[1] * sizeof(struct edge_port_entry);
    if (!a[1] || a[1] > UINT16_MAX || a[2] % 8 || !a[2] || a[2] > t->request.payload ||
        t->request.payload - a[2] != bytes || memchr(t->payload, 0, a[2]) == NULL) {
        call_done(t, CUDA_ERROR_INVALID_VALUE, cycle);
        return;
    }
    struct device_binding binding = {
        .row = (uint32_t)a[0],
        .entries = (uint32_t)a[1],
        .entry = (const struct edge_port_entry *)(const void *)(t->payload + a[2]),
        .finished = on_finished,
        .user = p};
    if (!guest_bind(p->guest, (const char *)t->payload, &binding, &err)) {
        call_fail(t, CUDA_ERROR_INVALID_VALUE, cycle, "%s", err.text);
        return;
    }
    p->ports.bound++;
    call_done(t, CUDA_SUCCESS, cycle);
}

static bool ports_finished(const struct host_thread *t)
{
    return t->program->ports.finished == t->program->ports.bound;
}

void edge_clear(struct program *p)
{
    p->ports = (struct program_ports){.bound = 0};
}

static void waited(struct host_thread *t, uint64_t cycle)
{
    call_done(t, CUDA_SUCCESS, cycle);
}

void edge_call(struct host_thread *t, uint64_t cycle)
{
    struct edge_limits limits;
    switch (t->request.op) {
    case WIRE_EDGE_LIMITS:
        limits = event_limits(t->program->machine);
        call_answer(t, cycle, &limits, sizeof limits);
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
        call_wait(t, cycle, ports_finished, waited);
        break;
    default: /* WIRE_SERVICES */
        t->reply.v[0] = machine_services_at_work(t->program->machine);
        call_done(t, CUDA_SUCCESS, cycle);
    }
}
