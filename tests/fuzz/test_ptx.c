/* PTX: reading, lowering at two limits of registers, placing; every message. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/module.h"
#include "sim/ptx/source_map.h"
#include "tests/fuzz/fuzz.h"

#define LARGEST (1u << 20) /* bytes of variables that are placed */

static uint64_t allocate(void *user, uint64_t bytes, uint64_t align)
{
    uint64_t *end = user, at = (*end + align - 1) / align * align;
    if (at < *end || at + bytes < at)
        return 0;
    *end = at + bytes;
    return at;
}

/* What a message quotes is the text's, made printable. */
static void check_message(const char *text)
{
    for (; *text; text++)
        fuzz_expect((unsigned char)*text >= ' ' && (unsigned char)*text < 127,
                    "a message is printable");
}

static void one_at(const char *text, size_t size, uint32_t max_regs)
{
    struct error err = {0}, full = {0};
    struct module *m = module_parse_within("fuzz.ptx", text, size, max_regs, &err);
    fuzz_check(m != NULL, &err);
    check_message(err.text);
    uint64_t end = 0x10000, bytes = 0;
    for (uint32_t i = 0; m && i < module_variable_count(m); i++)
        bytes += module_variable_at(m, i)->size;
    for (uint32_t i = 0; m && i < module_kernel_count(m); i++) {
        const struct kernel *k = module_kernel_at(m, i);
        check_message(k->defect ? k->defect : "");
        fuzz_expect(k->defect || k->n_inst, "a kernel has instructions or a defect");
        fuzz_expect(k->defect || k->regs <= max_regs, "a kernel keeps the limit of registers");
    }
    if (m && bytes < LARGEST)
        module_place(m, allocate, &end, &full);
    module_free(m);
}

static void one(const uint8_t *data, size_t size)
{
    one_at((const char *)data, size, MAX_REGS);
    one_at((const char *)data, size, MIN_REGS);
}

static void seeds(void)
{
    fuzz_seed_file("sw/services/ipv4/ipv4_forward.ptx");
    fuzz_seed_file("sw/apps/matrixMul/matmul.ptx");
}

const struct fuzz_target fuzz_target = {.name = "ptx", .one = one, .seeds = seeds, .mutants = 400};
