#include "sw/cuda/nvcc/arch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* sm_20 and sm_21 have neither shuffles nor the address spaces that our headers ask for. */
static const int known[] = {30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86};
#define KNOWN (sizeof known / sizeof known[0])

/* Above it stand the instructions of matrix units and asynchronous copies. */
#define PREFERRED 70
#define DEFAULT   52

int arch_number(const char *name, const char *option)
{
    const char *digits = name;
    if (starts_with(name, "sm_") || starts_with(name, "lto_"))
        digits = strchr(name, '_') + 1;
    else if (starts_with(name, "compute_"))
        digits = name + strlen("compute_");
    char *end;
    long number = strtol(digits, &end, 10);
    if (end == digits || number < 10 || number > 999 || (*end && strcmp(end, "a")))
        fatal("Value '%s' is not defined for option '%s'", name, option);
    return (int)number;
}

void arch_add(struct options *options, const char *value, const char *option)
{
    static const char *const several[] = {"all", "all-major", "native"};
    for (size_t i = 0; i < sizeof several / sizeof several[0]; i++) {
        if (!strcmp(value, several[i])) {
            list_add(&options->archs, text("%d", PREFERRED));
            return;
        }
    }
    struct list names = {0};
    list_add_split(&names, value, true);
    if (!names.count)
        arch_number(value, option); /* ends */
    for (size_t i = 0; i < names.count; i++)
        list_add(&options->archs, text("%d", arch_number(names.at[i], option)));
}

void arch_add_gencode(struct options *options, const char *value)
{
    const char *arch = strstr(value, "arch=");
    if (arch != value && !(arch && (arch[-1] == ',' || arch[-1] == '"')))
        fatal("-gencode needs arch=compute_NN,code=sm_NN, not '%s'", value);
    arch += strlen("arch=");
    arch_add(options, text_part(arch, strcspn(arch, ",\"' ")), "generate-code");
    const char *code = strstr(value, "code=");
    if (!code)
        return;
    for (code += strlen("code="); *code;) {
        size_t length = strcspn(code, ",[]\"'\\ ");
        if (length)
            arch_number(text_part(code, length), "generate-code");
        code += length + (code[length] != 0);
    }
}

static int nearest(const struct options *options, int number)
{
    int best = known[0];
    for (size_t i = 0; i < KNOWN; i++) {
        if (known[i] <= number)
            best = known[i];
    }
    if (best != number && !options->no_arch_warning && !options->quiet)
        warning("sm_%d is compiled as sm_%d", number, best);
    return best;
}

void arch_choose(struct options *options)
{
    int best = 0, lowest = 0;
    for (size_t i = 0; i < options->archs.count; i++) {
        int number = atoi(options->archs.at[i]);
        if (number <= PREFERRED && number > best)
            best = number;
        if (!lowest || number < lowest)
            lowest = number;
    }
    options->target = lowest ? nearest(options, best ? best : lowest) : DEFAULT;
}

void arch_print(const char *prefix)
{
    for (size_t i = 0; i < KNOWN; i++)
        printf("%s_%d\n", prefix, known[i]);
}

void arch_help(void)
{
    static const char *const kinds[] = {"compute", "sm"};
    for (int kind = 0; kind < 2; kind++) {
        fputs("        ", stdout);
        for (size_t i = 0; i < KNOWN; i++)
            printf("%s%s_%d", i ? "," : "", kinds[kind], known[i]);
        fputc('\n', stdout);
    }
}
