/* LLVM's text of device code, in which nvcc gives the padding of what functions return a value. */
#include <sys/resource.h>

#include "tests/leaks.h"
#include "tests/sw/scratch.h"
#include "tests/unit.h"

#include "sw/cuda/nvcc/list.c"
#include "sw/cuda/nvcc/padding.c"

#define LINES   600000
#define SECONDS 100 /* of the processor, a thousand times what it takes */

/* command.c's, which is in no archive. */
void leave_clean(void)
{
}

static char *mended(void **state, const char *bytes, size_t size)
{
    struct scratch_path path = scratch_path(state, "x.ll");
    scratch_write(path.text, bytes, size);
    KEEP_BEGIN();
    padding_mend(path.text);
    KEEP_END();
    return scratch_read(path.text, &size);
}

static void the_last_member_is_frozen(void **state)
{
    static const char text[] = "%struct.P = type <{ i32, i8, [3 x i8] }>\n"
                               "define %struct.P @f() {\n"
                               "  %1 = alloca %struct.P, align 4\n"
                               "  %2 = load %struct.P, %struct.P* %1, align 4\n"
                               "  ret %struct.P %2\n"
                               "}\n";
    char *got = mended(state, text, strlen(text));
    assert_non_null(strstr(got, "  %evgpu.new.2 = freeze i8 %evgpu.old.2\n"));
    assert_null(strstr(got, "evgpu.new.3"));
    assert_true(strstr(got, "freeze") < strstr(got, "  %2 = load"));
    assert_string_equal(strstr(got, "  %2 = load"), strstr(text, "  %2 = load"));
    free(got);
}

/* Each line is looked at once: what is in others takes no time. */
static void a_long_text_takes_time_by_its_length(void **state)
{
    static const char line[] = "  %3 = add nsw i32 %1, %2\n";
    const struct rlimit limit = {SECONDS, SECONDS};
    char *text = malloc(LINES * strlen(line) + 1), *end = text;
    assert_non_null(text);
    for (int i = 0; i < LINES; i++)
        end = stpcpy(end, line);
    assert_int_equal(setrlimit(RLIMIT_CPU, &limit), 0);
    char *got = mended(state, text, (size_t)(end - text));
    assert_string_equal(got, text);
    free(got);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_member_is_frozen),
        cmocka_unit_test(a_long_text_takes_time_by_its_length),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
