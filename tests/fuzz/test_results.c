/* A result file, as `evgpu compare` and `evgpu stats` read it. */
#include "sim/cli/results/about.h"
#include "sim/cli/results/compare.h"
#include "tests/fuzz/fuzz.h"

static void one(const uint8_t *data, size_t size)
{
    static const struct leaf_filter all = {.host = true};
    const char *path = fuzz_file("results.json", data, size);
    struct field_list fields;
    struct result_file file;
    struct comparison c;
    struct error err = {0};
    char text[64];
    field_list_create(&fields);
    bool ok = result_file_read(&file, path, &fields, &err);
    fuzz_check(ok, &err);
    for (uint32_t i = 0; ok && i < file.count; i++) {
        leaf_text(file.leaves[i].value, text, sizeof text);
        fuzz_expect(leaf_unit(&file.leaves[i]) != NULL, "a figure has a unit or is not listed");
    }
    compare(&c, &file, &file, &all, 0);
    fuzz_expect(!c.count && c.compared == file.count, "a file equals itself");
    comparison_free(&c);
    result_file_free(&file);
    field_list_free(&fields);
}

const struct fuzz_target fuzz_target = {.name = "results", .one = one, .mutants = 2000};
