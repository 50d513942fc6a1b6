/* Ethernet frames into every service: its kernel against its host reference, all bytes of the
 * slot's frame and the result. The first byte chooses the service, the rest is the frame. */
#include "tests/unit.h"

#undef fail_msg
#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), abort())
#undef assert_true
#define assert_true(c) ((c) ? (void)0 : abort())
#include "tests/sw/warp_vm.h"

#include "sim/guest/service/service.h"
#include "sim/guest/service/settings.h"
#include "tests/fuzz/fuzz.h"

#define MEMORY     (256u << 20)
#define LONGEST    1600u /* bytes of a frame */
#define SLOT_BYTES 2048u
#define FRAMES     24u /* of a generator */

struct subject {
    const char *service, *settings[4][2]; /* key and value */
    const struct packet_kind *kind;
    const struct event_service *definition;
    void *inputs, *state;
    struct packet_tables tables;
    struct module *module;
    const struct kernel *kernel;
    uint64_t slot_at, result_at;
    uint32_t growth;
    struct module *then_module; /* of a pipeline's second kernel */
    const struct kernel *then;
    uint64_t record_at, count_at;
};

static struct subject subjects[] = {
    {.service = "ipv4", .settings = {{"route-count", "500"}}},
    {.service = "ipv6", .settings = {{"route-count", "500"}}},
    {.service = "memc", .settings = {{"sets", "512"}}},
    {.service = "echo"},
    {.service = "ipsec"},
    {.service = "ipsec", .settings = {{"direction", "out"}}},
    {.service = "gateway", .settings = {{"route-count", "500"}}},
};
#define SUBJECTS (sizeof subjects / sizeof *subjects)

static struct vm vm;

static void *allocate(void *user, uint64_t bytes, uint64_t *address, struct error *err)
{
    (void)user;
    *address = vm_alloc(&vm, bytes ? bytes : 1, 256);
    return *address ? vm.memory + *address : (error_set(err, "the memory is full"), NULL);
}

static void prepare_second(struct subject *s)
{
    const struct packet_stage *then = s->kind->then;
    char path[128];
    snprintf(path, sizeof path, "sw/services/%s/%s.ptx", s->service, then->file);
    s->then_module = vm_load(&vm, path);
    s->then = module_kernel(s->then_module, then->kernel);
    fuzz_expect(s->then != NULL, "the service's second kernel");
    s->record_at = vm_alloc(&vm, then->record_bytes, 256);
    s->count_at = vm_alloc(&vm, 4, 256);
    memcpy(vm.memory + s->count_at, &(uint32_t){1}, 4);
}

static void prepare(struct subject *s)
{
    struct error err = {0};
    char path[128];
    s->definition = service_find(s->service, &err);
    fuzz_expect(s->definition != NULL, err.text);
    uint32_t rows = settings_count(s->definition->settings);
    struct setting_value *values = ALLOC_ARRAY(struct setting_value, rows + 1);
    struct settings table = {s->definition->settings, values};
    settings_default(&table);
    for (uint32_t i = 0; i < 4 && s->settings[i][0]; i++) {
        struct setting setting = {s->settings[i][0], s->settings[i][1]};
        fuzz_expect(settings_take(&table, 1, &setting, &err), err.text);
    }
    struct service_input input = {.values = values, .seed = 1, .captured = true};
    s->inputs = s->definition->prepare(&input, &err);
    fuzz_expect(s->inputs != NULL, err.text);
    s->kind = s->definition->kinds[0];
    if (s->definition->kinds[1])
        s->kind = s->definition->kinds[values[s->definition->kind_setting].number];
    s->tables.allocate = allocate;
    s->state = s->kind->create(s->inputs, &s->tables, &err);
    fuzz_expect(s->state != NULL, err.text);
    snprintf(path, sizeof path, "sw/services/%s/%s.ptx", s->service, s->kind->file);
    s->module = vm_load(&vm, path);
    s->kernel = module_kernel(s->module, s->kind->kernel);
    fuzz_expect(s->kernel != NULL, "the service's kernel");
    s->growth = s->kind->growth ? s->kind->growth(s->inputs) : 0;
    if (s->kind->then)
        prepare_second(s);
    s->slot_at = vm_alloc(&vm, SLOT_BYTES, 256);
    s->result_at = vm_alloc(&vm, 256, 256);
    free(values);
}

static uint64_t argument(const struct subject *s, uint8_t which)
{
    if (which == PACKET_SLOTS)
        return s->slot_at;
    if (which == PACKET_SLOT_BYTES)
        return SLOT_BYTES;
    if (which == PACKET_COUNT)
        return 1;
    if (which == PACKET_RESULTS)
        return s->result_at;
    if (which == PACKET_RECORDS)
        return s->record_at;
    if (which == PACKET_COUNT_PLACE)
        return s->count_at;
    if (which == PACKET_QUEUE || which == PACKET_ENTRY)
        return 0;
    return which >= PACKET_VALUE ? s->tables.value[which - PACKET_VALUE]
                                 : s->tables.table[which - PACKET_TABLE].address;
}

static void run_kernel(const struct subject *s, const struct kernel *kernel,
                       const uint8_t *arguments, uint32_t threads)
{
    struct vm_params params = {.kernel = kernel};
    for (uint32_t i = 0; i < kernel->n_params; i++)
        vm_set(&params, i, argument(s, arguments[i]));
    struct vm_launch launch = {kernel, {1, 1, 1}, {threads, 1, 1}, 0, params.bytes};
    vm_run(&vm, &launch);
}

static void run(const struct subject *s)
{
    run_kernel(s, s->kernel, s->kind->arguments, WARP_SIZE);
    if (s->then)
        run_kernel(s, s->then, s->kind->then->arguments, 1);
}

/* As sim/guest/service/packet_check.c compares a packet. */
static void compare(struct subject *s, const uint8_t *frame, uint32_t length)
{
    uint8_t sent[SLOT_BYTES];
    uint32_t result[2], sent_length = length;
    memcpy(result, vm.memory + s->result_at, sizeof result);
    if (s->kind->sends_length)
        sent_length = result[1];
    struct packet_view view = {.frame = frame,
                               .length = length,
                               .verdict = result[0] & 0xFF,
                               .port = result[0] >> PACKET_PORT_SHIFT};
    bool forwards = s->kind->forward >> view.verdict & 1;
    fuzz_expect(!forwards || sent_length <= length + s->growth, "the frame's growth");
    if (forwards) {
        memcpy(sent, vm.memory + s->slot_at + PACKET_FRAME_OFFSET, sent_length);
        view.sent = sent;
        view.sent_length = sent_length;
    }
    struct packet_want want = {.frame = alloc_array(length + s->growth, 1), .length = length};
    memcpy(want.frame, frame, length);
    s->kind->expect(s->state, &view, &want);
    fuzz_expect(view.verdict == want.verdict, "the verdict is the reference's");
    fuzz_expect(!forwards || (view.port == want.port && view.sent_length == want.length &&
                              !memcmp(view.sent, want.frame, want.length)),
                "the frame that is sent is the reference's");
    free(want.frame);
}

static void prepare_all(void)
{
    if (vm.memory)
        return;
    vm = vm_create(MEMORY);
    for (uint32_t i = 0; i < SUBJECTS; i++)
        prepare(&subjects[i]);
}

static void one(const uint8_t *data, size_t size)
{
    prepare_all();
    if (size < 2 || size - 1 > LONGEST)
        return;
    struct subject *s = &subjects[data[0] % SUBJECTS];
    uint16_t length = (uint16_t)(size - 1);
    uint8_t *slot = vm.memory + s->slot_at;
    memset(slot, 0x5A, SLOT_BYTES);
    memcpy(slot, &length, sizeof length);
    memcpy(slot + PACKET_FRAME_OFFSET, data + 1, length);
    memset(vm.memory + s->result_at, 0, 256);
    run(s);
    compare(s, data + 1, length);
}

/* Some of what the services' own generators make, of every kind. */
static void seed_subject(uint32_t number)
{
    const struct subject *s = &subjects[number];
    struct traffic_options usual;
    const struct traffic_source *source = s->definition->traffic(s->inputs, &usual);
    struct capture capture = {0};
    struct error err = {0};
    char path[128];
    usual.count = FRAMES;
    snprintf(path, sizeof path, "%s/frames.pcap", fuzz_folder());
    fuzz_expect(traffic_write(path, &usual, source, NULL, &err) &&
                    capture_read(path, &s->definition->filter, 0, &capture, &err),
                err.text);
    for (uint32_t i = 0; i < capture.count; i++) {
        const struct captured_packet *p = &capture.packets[i];
        uint8_t input[1 + LONGEST] = {(uint8_t)number};
        if (p->length > LONGEST)
            continue;
        memcpy(input + 1, capture.bytes + p->offset, p->length);
        fuzz_seed(input, 1 + p->length);
    }
    capture_free(&capture);
}

static void seeds(void)
{
    prepare_all();
    for (uint32_t i = 0; i < SUBJECTS; i++)
        seed_subject(i);
}

const struct fuzz_target fuzz_target = {
    .name = "frames", .one = one, .seeds = seeds, .mutants = 3000};
