/* nvidia-smi, as build scripts and benchmarks ask it: a summary, the list of devices (-L), and
 * properties as comma-separated values (--query-gpu). It asks the machine that a program started
 * now would get. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/cuda/include/nvml.h"

/* A property: what it is called, also by another name, and its unit. */
struct field {
    const char *name, *other, *unit;
    void (*print)(nvmlDevice_t device);
};

static void print_count(nvmlDevice_t device)
{
    unsigned int count = 0;
    (void)device;
    nvmlDeviceGetCount(&count);
    printf("%u", count);
}

static void print_index(nvmlDevice_t device)
{
    unsigned int index = 0;
    nvmlDeviceGetIndex(device, &index);
    printf("%u", index);
}

static void print_name(nvmlDevice_t device)
{
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE] = "";
    nvmlDeviceGetName(device, name, sizeof name);
    printf("%s", name);
}

static void print_uuid(nvmlDevice_t device)
{
    char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE] = "";
    nvmlDeviceGetUUID(device, uuid, sizeof uuid);
    printf("%s", uuid);
}

static void print_address(nvmlDevice_t device)
{
    nvmlPciInfo_t pci = {0};
    nvmlDeviceGetPciInfo(device, &pci);
    printf("%s", pci.busId);
}

static void print_driver(nvmlDevice_t device)
{
    char version[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE] = "";
    (void)device;
    nvmlSystemGetDriverVersion(version, sizeof version);
    printf("%s", version);
}

static void print_capability(nvmlDevice_t device)
{
    int major = 0, minor = 0;
    nvmlDeviceGetCudaComputeCapability(device, &major, &minor);
    printf("%d.%d", major, minor);
}

static nvmlMemory_t memory_of(nvmlDevice_t device)
{
    nvmlMemory_t memory = {0};
    nvmlDeviceGetMemoryInfo(device, &memory);
    return memory;
}

static void print_total(nvmlDevice_t device)
{
    printf("%llu", memory_of(device).total >> 20);
}

static void print_used(nvmlDevice_t device)
{
    printf("%llu", memory_of(device).used >> 20);
}

static void print_free(nvmlDevice_t device)
{
    printf("%llu", memory_of(device).free >> 20);
}

static void print_clock(nvmlDevice_t device, nvmlClockType_t type)
{
    unsigned int clock = 0;
    nvmlDeviceGetClockInfo(device, type, &clock);
    printf("%u", clock);
}

static void print_core_clock(nvmlDevice_t device)
{
    print_clock(device, NVML_CLOCK_SM);
}

static void print_memory_clock(nvmlDevice_t device)
{
    print_clock(device, NVML_CLOCK_MEM);
}

/* What NVML has no number for. */
static void print_nothing(nvmlDevice_t device)
{
    (void)device;
    printf("[N/A]");
}

static const struct field fields[] = {
    {"count", NULL, NULL, print_count},
    {"index", NULL, NULL, print_index},
    {"name", "gpu_name", NULL, print_name},
    {"uuid", "gpu_uuid", NULL, print_uuid},
    {"pci.bus_id", "gpu_bus_id", NULL, print_address},
    {"driver_version", NULL, NULL, print_driver},
    {"compute_cap", NULL, NULL, print_capability},
    {"memory.total", NULL, "MiB", print_total},
    {"memory.used", NULL, "MiB", print_used},
    {"memory.free", NULL, "MiB", print_free},
    {"clocks.current.sm", "clocks.sm", "MHz", print_core_clock},
    {"clocks.max.sm", NULL, "MHz", print_core_clock},
    {"clocks.current.graphics", "clocks.gr", "MHz", print_core_clock},
    {"clocks.max.graphics", "clocks.max.gr", "MHz", print_core_clock},
    {"clocks.current.memory", "clocks.mem", "MHz", print_memory_clock},
    {"clocks.max.memory", "clocks.max.mem", "MHz", print_memory_clock},
    {"temperature.gpu", NULL, NULL, print_nothing},
    {"utilization.gpu", NULL, "%", print_nothing},
    {"utilization.memory", NULL, "%", print_nothing},
    {"power.draw", NULL, "W", print_nothing},
    {"power.limit", NULL, "W", print_nothing},
    {"persistence_mode", NULL, NULL, print_nothing},
    {"pcie.link.gen.current", NULL, NULL, print_nothing},
    {"pcie.link.width.current", NULL, NULL, print_nothing},
};
#define FIELDS      (sizeof fields / sizeof *fields)
#define MOST_FIELDS 64

static const struct field *find(const char *name, size_t length)
{
    for (size_t i = 0; i < FIELDS; i++) {
        const char *names[2] = {fields[i].name, fields[i].other};
        for (int k = 0; k < 2; k++) {
            if (names[k] && strlen(names[k]) == length && !strncmp(names[k], name, length))
                return &fields[i];
        }
    }
    return NULL;
}

/* What the command line asks for. */
struct request {
    const char *query, *format, *device; /* NULL: not asked for */
    const char *sections, *seconds;      /* of the page; between two answers */
    bool list, version, page;
};

/* The properties of a list; their number, or 0 after a message. */
static size_t parse(const char *list, const struct field *wanted[MOST_FIELDS])
{
    size_t n = 0;
    for (const char *at = list; n < MOST_FIELDS;) {
        at += strspn(at, " ");
        size_t length = strcspn(at, ", ");
        wanted[n] = find(at, length);
        if (!wanted[n]) {
            fprintf(stderr, "Field \"%.*s\" is not a valid field to query.\n", (int)length, at);
            return 0;
        }
        n++;
        at += length + strspn(at + length, " ");
        if (!*at)
            return n;
        at++;
    }
    fprintf(stderr, "There are at most %d fields.\n", MOST_FIELDS);
    return 0;
}

static int query(const struct request *r, nvmlDevice_t device)
{
    const struct field *wanted[MOST_FIELDS];
    size_t n = parse(r->query, wanted);
    if (!n)
        return 2;
    if (!r->format || strncmp(r->format, "csv", 3)) {
        fprintf(stderr,
                "\"--format=\" needs \"csv\", with \",noheader\" and \",nounits\" if wanted.\n");
        return 2;
    }
    bool header = !strstr(r->format, "noheader"), units = !strstr(r->format, "nounits");
    for (size_t i = 0; i < n && header; i++) {
        printf("%s%s", i ? ", " : "", wanted[i]->name);
        if (wanted[i]->unit)
            printf(" [%s]", wanted[i]->unit);
    }
    if (header)
        printf("\n");
    for (size_t i = 0; i < n; i++) {
        printf("%s", i ? ", " : "");
        wanted[i]->print(device);
        if (units && wanted[i]->unit && wanted[i]->print != print_nothing)
            printf(" %s", wanted[i]->unit);
    }
    printf("\n");
    return 0;
}

static int list(nvmlDevice_t device)
{
    printf("GPU 0: ");
    print_name(device);
    printf(" (UUID: ");
    print_uuid(device);
    printf(")\n");
    return 0;
}

static int summary(nvmlDevice_t device)
{
    int version = 0;
    nvmlSystemGetCudaDriverVersion(&version);
    printf("NVIDIA-SMI of evgpu, a simulated GPU       Driver Version: ");
    print_driver(device);
    printf("       CUDA Version: %d.%d\n", version / 1000, version % 1000 / 10);
    printf("GPU 0: ");
    print_name(device);
    printf(", compute capability ");
    print_capability(device);
    nvmlMemory_t memory = memory_of(device);
    printf(", %lluMiB / %lluMiB in use\n", memory.used >> 20, memory.total >> 20);
    return 0;
}

/* --- the page of -q --------------------------------------------------------------------------- */

static void print_mebibytes(const char *name, unsigned long long bytes)
{
    printf("        %-34s: %llu MiB\n", name, bytes >> 20);
}

static void print_memory_section(nvmlDevice_t device)
{
    nvmlMemory_t memory = memory_of(device);
    printf("    FB Memory Usage\n");
    print_mebibytes("Total", memory.total);
    print_mebibytes("Used", memory.used);
    print_mebibytes("Free", memory.free);
}

/* There is no sensor. */
static void print_temperature_section(nvmlDevice_t device)
{
    (void)device;
    printf("    Temperature\n        %-34s: N/A\n", "GPU Current Temp");
}

static void print_clock_section(nvmlDevice_t device)
{
    printf("    Clocks\n        %-34s: ", "SM");
    print_core_clock(device);
    printf(" MHz\n        %-34s: ", "Memory");
    print_memory_clock(device);
    printf(" MHz\n");
}

static int page(const struct request *r, nvmlDevice_t device)
{
    static const struct {
        const char *name;
        void (*print)(nvmlDevice_t device);
    } sections[] = {{"MEMORY", print_memory_section},
                    {"TEMPERATURE", print_temperature_section},
                    {"CLOCK", print_clock_section}};
    printf("\n==============NVSMI LOG==============\n\n%-42s: ", "Driver Version");
    print_driver(device);
    printf("\n%-42s: 1\nGPU ", "Attached GPUs");
    print_address(device);
    printf("\n");
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (!r->sections || strstr(r->sections, sections[i].name))
            sections[i].print(device);
    }
    printf("\n");
    return 0;
}

/* The value of --name=VALUE, --name VALUE or -x VALUE; moves *i on. */
static const char *value_of(const char *name, int argc, char **argv, int *i)
{
    size_t length = strlen(name);
    if (strncmp(argv[*i], name, length))
        return NULL;
    if (argv[*i][length] == '=')
        return argv[*i] + length + 1;
    return !argv[*i][length] && *i + 1 < argc ? argv[++*i] : NULL;
}

static bool read_option(int argc, char **argv, int *i, struct request *r)
{
    static const struct {
        const char *name;
        size_t place;
    } options[] = {{"--query-gpu", offsetof(struct request, query)},
                   {"--format", offsetof(struct request, format)},
                   {"--id", offsetof(struct request, device)},
                   {"-i", offsetof(struct request, device)},
                   {"--display", offsetof(struct request, sections)},
                   {"-d", offsetof(struct request, sections)},
                   {"--loop", offsetof(struct request, seconds)},
                   {"-l", offsetof(struct request, seconds)}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const char *value = value_of(options[k].name, argc, argv, i);
        if (value) {
            memcpy((char *)r + options[k].place, &value, sizeof value);
            return true;
        }
    }
    if (!strcmp(argv[*i], "-L") || !strcmp(argv[*i], "--list-gpus"))
        return r->list = true;
    if (!strcmp(argv[*i], "-q") || !strcmp(argv[*i], "--query"))
        return r->page = true;
    if (!strcmp(argv[*i], "--version"))
        return r->version = true;
    return false;
}

static int once(const struct request *r, nvmlDevice_t device)
{
    if (r->query)
        return query(r, device);
    return r->list ? list(device) : r->page ? page(r, device) : summary(device);
}

static bool read_seconds(const char *text, unsigned int *seconds)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || !number || number > UINT_MAX) {
        fprintf(stderr, "evgpu's nvidia-smi: -l %s: must be a whole number of seconds, from 1 on\n",
                text);
        return false;
    }
    *seconds = (unsigned int)number;
    return true;
}

/* With -l for ever: whoever reads it ends it. */
static int answer(const struct request *r)
{
    unsigned int seconds = 0;
    nvmlDevice_t device = NULL;
    if (r->seconds && !read_seconds(r->seconds, &seconds))
        return 2;
    nvmlReturn_t status = nvmlInit();
    if (!status)
        status = nvmlDeviceGetHandleByIndex(0, &device);
    if (status) {
        fprintf(stderr, "%s\n", nvmlErrorString(status)); /* the library has said why */
        return 9;
    }
    if (r->device && strcmp(r->device, "0")) {
        char uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE] = "";
        nvmlDeviceGetUUID(device, uuid, sizeof uuid);
        if (strcmp(r->device, uuid)) {
            fprintf(stderr, "No devices were found: the one device is 0\n");
            return 6;
        }
    }
    int result = once(r, device);
    while (seconds && !result && fflush(stdout) == 0) {
        sleep(seconds);
        result = once(r, device);
    }
    return result;
}

int main(int argc, char **argv)
{
    struct request r = {0};
    for (int i = 1; i < argc; i++) {
        if (!read_option(argc, argv, &i, &r)) {
            fprintf(
                stderr,
                "evgpu's nvidia-smi does not know %s: it has -L, -q, -d LIST, -l SECONDS, -i ID, "
                "--version, --query-gpu=FIELDS --format=csv[,noheader][,nounits]\n",
                argv[i]);
            return 2;
        }
    }
    if (r.version) {
        printf("NVIDIA-SMI version  : evgpu\n");
        return 0;
    }
    int status = answer(&r);
    nvmlShutdown();
    return status;
}
