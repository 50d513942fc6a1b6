/* Guests on one machine: what a guest owns, several services at once, a program's event kernel on a
 * service's device. */
#include "base/alloc.h"
#include "sim/cli/run/run_plan.h"
#include "sim/guest/service/event_driver.h"
#include "tests/unit.h"

#define ENTRIES 8u

/* A load that brings the forwarding kernel to a service's device, as a CUDA program would. */
struct binder {
    struct machine *machine;
    struct guest *guest;
    const char *service;
    struct event_driver driver;
    struct edge_event *event;
    struct edge_port_entry entry[ENTRIES];
    struct error refused; /* of the bind */
    bool done;
};

static void on_finished(void *user, uint64_t cycle)
{
    (void)cycle;
    ((struct binder *)user)->done = true;
}

static bool binder_start(void *self, uint64_t cycle, struct error *err)
{
    struct binder *b = self;
    struct device_binding binding = {.row = edge_row(b->event),
                                     .entries = ENTRIES,
                                     .entry = b->entry,
                                     .finished = on_finished,
                                     .user = b};
    (void)cycle;
    (void)err;
    b->done = !guest_bind(b->guest, b->service, &binding, &b->refused);
    return true;
}

static bool binder_tick(void *self, uint64_t cycle, struct error *err)
{
    (void)self, (void)cycle, (void)err;
    return true;
}

static uint64_t binder_next(const void *self)
{
    (void)self;
    return CYCLE_NEVER;
}

static bool never(const void *self)
{
    (void)self;
    return false;
}

static bool binder_finished(const void *self)
{
    return ((const struct binder *)self)->done;
}

static bool binder_verdict(void *self, char *text, size_t room)
{
    (void)self;
    snprintf(text, room, "a kernel of its own");
    return true;
}

static void binder_describe(const void *self, void (*line)(void *user, const char *text),
                            void *user)
{
    (void)self;
    line(user, "binder");
}

static void binder_destroy(void *self)
{
    struct binder *b = self;
    if (b->event)
        edge_abandon_event(b->event);
    event_driver_free(&b->driver);
    free(b);
}

static const struct guest_ops binder_ops = {.kind = "program",
                                            .role = GUEST_LOAD,
                                            .start = binder_start,
                                            .tick = binder_tick,
                                            .next_event = binder_next,
                                            .under_way = never,
                                            .finished = binder_finished,
                                            .verdict = binder_verdict,
                                            .describe = binder_describe,
                                            .destroy = binder_destroy};

static uint64_t resource(const struct edge_port_info *info, const char *name)
{
    for (uint32_t i = 0; i < info->n_resources; i++) {
        if (!strcmp(info->resources[i].name, name))
            return info->resources[i].address;
    }
    fail_msg("no resource %s", name);
    return 0;
}

static void fill_entry(struct binder *b, uint32_t k, const struct edge_port_info *info)
{
    struct edge_error why = {.set = false};
    struct error err = {0};
    uint64_t input = guest_alloc(b->guest, (uint64_t)info->batch * info->slot_bytes, 256, &err);
    uint64_t results = guest_alloc(b->guest, (uint64_t)info->batch * info->result_bytes, 256, &err);
    assert_true(edge_set_completion(b->event, k, info->completion + 4 * (uint64_t)k, &why) &&
                edge_set_u64(b->event, k, 0, input, &why) &&
                edge_set_u32(b->event, k, 1, info->slot_bytes, &why) &&
                edge_set_u64(b->event, k, 3, resource(info, "level1"), &why) &&
                edge_set_u64(b->event, k, 4, resource(info, "level2"), &why) &&
                edge_set_u64(b->event, k, 5, resource(info, "hops"), &why) &&
                edge_set_u64(b->event, k, 6, results, &why));
    b->entry[k] =
        (struct edge_port_entry){input, input, results, edge_argument_address(b->event, k, 2)};
}

static struct binder *add_binder(struct machine *m, const char *service, uint16_t other)
{
    struct binder *b = ALLOC(struct binder);
    struct error err = {0};
    struct edge_error why = {.set = false};
    struct edge_port_info info;
    b->machine = m;
    b->service = service;
    b->guest = machine_add_guest(m, &binder_ops, "binder", b);
    struct module *module = module_load("sw/services/ipv4/ipv4_forward.ptx", &err);
    assert_non_null(module);
    assert_true(guest_load(b->guest, module, &err));
    event_driver_init(&b->driver, b->guest, module_kernel(module, "ipv4_forward"));
    assert_true(guest_port_info(b->guest, "ipv4", &info, &err));
    struct edge_request request = {
        EDGE_TYPES(EDGE_I64, EDGE_I32, EDGE_I32, EDGE_I64, EDGE_I64, EDGE_I64, EDGE_I64),
        .kernel = &b->driver.kernel,
        .grid = {1, 1, 1},
        .block = {info.batch, 1, 1},
        .max_in_flight = ENTRIES,
        .requester = info.requester ^ other,
        .completion = info.completion};
    b->event = edge_register_event(&b->driver.edge, &request, &why);
    if (!b->event)
        fail_msg("%s", why.text);
    for (uint32_t k = 0; k < ENTRIES; k++)
        fill_entry(b, k, &info);
    return b;
}

struct composition {
    struct run_plan plan;
    char text[4][64]; /* of the services; the plan points into it */
    struct machine *machine;
};

static struct composition *compose(const char *const *services, uint32_t rows)
{
    struct composition *c = ALLOC(struct composition);
    static const struct setting few = {"route-count", "500"};
    struct error err = {0};
    assert_true(config_load(&c->plan.config, "config/edge.ini", &err));
    c->plan.machine.backend = TILE_MODEL;
    c->plan.seed = 1;
    c->plan.background = rows;
    c->plan.products = 100;
    c->plan.attached = -1;
    for (uint32_t i = 0; services[i]; i++) {
        snprintf(c->text[i], sizeof c->text[i], "%s", services[i]);
        assert_true(plan_service(&c->plan, c->text[i], &err));
    }
    if (!plan_prepare(&c->plan, &few, 1, &err) ||
        !(c->machine = plan_machine(&c->plan, true, &err)))
        fail_msg("%s", err.text);
    return c;
}

static void take_down(struct composition *c)
{
    machine_destroy(c->machine);
    plan_release(&c->plan);
    free(c);
}

/* Runs to a verified end; the verdict's text. */
static void run(struct composition *c, char *text, size_t room)
{
    struct run_control control = {.max_cycles = 100000000};
    struct error err = {0};
    if (machine_run(c->machine, &control, &err) != RUN_DONE)
        fail_msg("%s", err.text);
    if (!machine_verdict(c->machine, false, text, room))
        fail_msg("%s", text);
}

static json_int_t figure(struct composition *c, uint32_t guest, const char *key)
{
    struct guest *g = machine_guest_at(c->machine, guest);
    json_t *j = guest_ops(g)->json(guest_self(g));
    json_int_t value = json_integer_value(json_object_get(j, key));
    json_decref(j);
    return value;
}

static void a_program_brings_the_kernel(void **state)
{
    (void)state;
    static const char *const services[] = {"ipv4,packets=700,kernel=program", NULL};
    struct composition *c = compose(services, 0);
    struct binder *b = add_binder(c->machine, "ipv4", 0);
    struct error err = {0};
    char text[256];
    run(c, text, sizeof text);
    assert_non_null(strstr(text, " packets equal their host references; a kernel of its own"));
    assert_true(figure(c, 0, "events") > 20);
    assert_true(guest_allocated(b->guest) > 0);
    struct device_binding again = {.row = edge_row(b->event), .entries = 1, .entry = b->entry};
    assert_false(guest_bind(b->guest, "ipv4", &again, &err)); /* the row is the service's now */
    assert_non_null(strstr(err.text, "binder has not registered it"));
    take_down(c);
}

static void bindings_are_refused(void **state)
{
    (void)state;
    static const char *const services[] = {"ipv4,packets=64", NULL};
    struct composition *c = compose(services, 0);
    struct binder *b = add_binder(c->machine, "ipv4", 0);
    struct error err = {0};
    char text[256];
    run(c, text, sizeof text);
    assert_non_null(strstr(b->refused.text, "ipv4 runs its own kernel"));
    struct device_binding none = {.row = edge_row(b->event), .entries = 1, .entry = b->entry};
    assert_false(guest_bind(b->guest, "ipv6", &none, &err));
    assert_non_null(strstr(err.text, "no service ipv6"));
    assert_non_null(strstr(err.text, "ipv4"));
    take_down(c);
}

/* Doorbells of the service's device would be dropped, and nothing ever come. */
static void a_row_for_another_requester_is_refused(void **state)
{
    (void)state;
    static const char *const services[] = {"ipv4,packets=64,kernel=program", NULL};
    struct composition *c = compose(services, 0);
    struct binder *b = add_binder(c->machine, "ipv4", 4);
    struct device_binding binding = {
        .row = edge_row(b->event), .entries = ENTRIES, .entry = b->entry};
    struct error err = {0};
    assert_false(guest_bind(b->guest, "ipv4", &binding, &err));
    assert_non_null(strstr(err.text, "takes doorbells of requester 0x"));
    take_down(c);
}

static void several_services_and_a_load(void **state)
{
    (void)state;
    static const char *const services[] = {"ipv4,packets=300", "ipv4,packets=200,launch=cpu",
                                           "ipv4,packets=500,blocks,seed=7", NULL};
    struct composition *c = compose(services, 32);
    char text[512];
    run(c, text, sizeof text);
    assert_int_equal(machine_guest_count(c->machine), 4);
    assert_string_equal(guest_name(machine_guest_at(c->machine, 2)), "ipv4-3");
    json_int_t packets = 0;
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(figure(c, i, "events") > 0);
        packets += figure(c, i, "packets_checked");
    }
    assert_true(packets > 980 && packets <= 1000);
    assert_non_null(strstr(text, "; matrixMul ended with status 0"));
    take_down(c);
}

/* What progress says: the share grows from 0 to 1; the whole of it is known without a program that
 * sets its own end. */
struct shares {
    double last;
    uint32_t looks;
    bool always_whole;
};

static void on_progress(void *user, const struct run_target *target)
{
    struct shares *seen = user;
    bool whole = false;
    double share = target->share(target->self, &whole);
    assert_true(share >= seen->last && share <= 1);
    assert_true(seen->looks || share == 0);
    seen->last = share;
    seen->looks++;
    seen->always_whole = seen->always_whole && whole;
}

static void shares_of_what_is_done(void **state)
{
    (void)state;
    static const char *const services[] = {"ipv4,packets=2000", "ipv4,packets=4000", NULL};
    for (uint32_t rows = 0; rows <= 32; rows += 32) {
        struct composition *c = compose(services, rows);
        struct shares seen = {.always_whole = true};
        struct run_control control = {.progress = on_progress, .user = &seen};
        struct error err = {0};
        assert_int_equal(machine_run(c->machine, &control, &err), RUN_DONE);
        assert_true(seen.looks > 4 && seen.last > 0.5);
        assert_int_equal(seen.always_whole, rows == 0);
        take_down(c);
    }
}

/* What one guest owns is not another's, and not to be released twice. */
static void memory_has_an_owner(void **state)
{
    (void)state;
    static const char *const services[] = {"ipv4,packets=1,kernel=program", NULL};
    struct composition *c = compose(services, 0);
    struct binder *b = add_binder(c->machine, "ipv4", 0);
    struct guest *other = machine_guest_at(c->machine, 0);
    struct error err = {0};
    uint64_t before = guest_allocated(b->guest), base = 0, bytes = 0;
    uint64_t one = guest_alloc(b->guest, 100, 256, &err), two = guest_alloc(b->guest, 8, 8, &err);
    assert_true(one && two && guest_allocated(b->guest) == before + 108);
    assert_true(guest_allocation(b->guest, one + 99, &base, &bytes));
    assert_true(base == one && bytes == 100);
    assert_false(guest_allocation(b->guest, one + 100, &base, &bytes));
    assert_false(guest_allocation(other, one, &base, &bytes));
    assert_false(guest_release(other, one, &err));
    assert_non_null(strstr(err.text, "is not an allocation of ipv4"));
    assert_false(guest_release(b->guest, one + 4, NULL));
    assert_true(guest_release(b->guest, one, NULL));
    assert_false(guest_release(b->guest, one, NULL));
    assert_true(guest_release(b->guest, two, NULL));
    assert_true(guest_allocated(b->guest) == before);
    memset(&err, 0, sizeof err);
    assert_true(guest_alloc(b->guest, (uint64_t)1 << 50, 256, &err) == 0);
    assert_non_null(strstr(err.text, "gpu.memory_mib"));
    take_down(c);
}

/* Equal machines in one process give equal results: nothing is kept outside them. */
static void two_machines_are_equal(void **state)
{
    (void)state;
    static const char *const services[] = {"ipv4,packets=300", "ipv4,packets=200,seed=3", NULL};
    struct composition *a = compose(services, 32), *b = compose(services, 32);
    char text[256];
    run(a, text, sizeof text);
    run(b, text, sizeof text);
    assert_true(machine_cycle(a->machine) == machine_cycle(b->machine));
    for (uint32_t i = 0; i < 3; i++) {
        struct guest *x = machine_guest_at(a->machine, i), *y = machine_guest_at(b->machine, i);
        json_t *jx = guest_ops(x)->json(guest_self(x)), *jy = guest_ops(y)->json(guest_self(y));
        assert_true(json_equal(jx, jy));
        json_decref(jx);
        json_decref(jy);
    }
    take_down(a);
    take_down(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_brings_the_kernel),
        cmocka_unit_test(bindings_are_refused),
        cmocka_unit_test(a_row_for_another_requester_is_refused),
        cmocka_unit_test(several_services_and_a_load),
        cmocka_unit_test(memory_has_an_owner),
        cmocka_unit_test(two_machines_are_equal),
        cmocka_unit_test(shares_of_what_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
