/* Instructions that a file's .version and .target do not have: each rule on both sides of its edge,
 * as NVIDIA's assembler draws it. */
#include "tests/ptx/machine.h"

struct edge {
    const char *text;
    const char *holds, *fails; /* "version target" */
    const char *message;
};

static char *remark_of(const char *text, const char *header)
{
    char file[600], version[8], target[8], *line = NULL;
    struct error err = {0};
    assert_int_equal(sscanf(header, "%7s %7s", version, target), 2);
    snprintf(file, sizeof file,
             ".version %s\n.target %s\n.address_size 64\n.entry k()\n{ .reg .b32 %%r<4>; .reg .b64 "
             "%%rd<4>; .reg .pred %%p<4>; .reg .f32 %%f<4>; .reg .b16 %%h<4>; .reg .f64 %%fd<4>;\n"
             "%s\nret; }\n",
             version, target, text);
    struct module *m = module_parse("file.ptx", file, strlen(file), &err);
    if (!m)
        fail_msg("%s", err.text);
    if (module_remark(m))
        line = alloc_string(module_remark(m));
    module_free(m);
    return line;
}

static void test_edges(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        {"bar.warp.sync 0xffffffff;", "6.0 sm_30", "5.0 sm_60", "is of PTX ISA 6.0"},
        {"vote.sync.any.pred %p1, %p2, -1;", "6.0 sm_30", "4.3 sm_52", "is of PTX ISA 6.0"},
        {"shfl.sync.up.b32 %r1, %r2, 1, 0, -1;", "6.4 sm_70", "5.0 sm_60", "is of PTX ISA 6.0"},
        {"shfl.up.b32 %r1, %r2, 1, 0;", "6.3 sm_70", "6.4 sm_70", "ends with PTX ISA 6.3"},
        {"vote.any.pred %p1, %p2;", "8.4 sm_62", "7.2 sm_75", "ends with PTX ISA 6.3"},
        {"activemask.b32 %r1;", "6.2 sm_30", "6.1 sm_70", "is of PTX ISA 6.2"},
        {"match.any.sync.b32 %r1, %r2, -1;", "6.0 sm_70", "6.0 sm_62", "is of sm_70"},
        {"nanosleep.u32 20;", "6.3 sm_70", "7.2 sm_52", "is of sm_70"},
        {"fence.sc.gpu;", "6.0 sm_70", "6.0 sm_62", "is of sm_70"},
        {"lop3.b32 %r1, %r2, %r3, %r1, 3;", "4.3 sm_50", "4.2 sm_50", "is of PTX ISA 4.3"},
        {"lop3.or.b32 %r1|%p1, %r2, %r3, %r1, 3, %p1;", "8.2 sm_70", "8.1 sm_70",
         "is of PTX ISA 8.2"},
        {"fence.proxy.async;", "8.0 sm_90", "8.0 sm_86", "is of sm_90"},
        {"elect.sync _|%p1, -1;", "8.0 sm_90", "7.8 sm_90", "is of PTX ISA 8.0"},
        {"griddepcontrol.wait;", "7.8 sm_90", "7.8 sm_80", "is of sm_90"},
        {"dp4a.u32.u32 %r1, %r2, %r3, %r1;", "5.0 sm_61", "5.0 sm_60", "is of sm_61"},
        {"redux.sync.add.s32 %r1, %r2, -1;", "7.0 sm_80", "7.0 sm_75", "is of sm_80"},
        {"ld.relaxed.gpu.global.u32 %r1, [%rd1];", "6.0 sm_70", "6.0 sm_60", "is of sm_70"},
        {"ld.global.nc.u32 %r1, [%rd1];", "3.1 sm_32", "3.1 sm_30", "is of sm_32"},
        {"atom.global.add.f64 %fd1, [%rd1], %fd2;", "5.0 sm_60", "5.0 sm_52", "is of sm_60"},
        {"atom.global.add.f32 %f1, [%rd1], %f2;", "2.0 sm_20", NULL, NULL},
        {"atom.global.cta.add.u32 %r1, [%rd1], 1;", "5.0 sm_60", "4.3 sm_60", "PTX ISA 5.0"},
        {"atom.global.max.s64 %rd2, [%rd1], %rd3;", "3.1 sm_32", "3.1 sm_30", "is of sm_32"},
        {"fma.rn.f16x2 %r1, %r2, %r3, %r1;", "4.2 sm_53", "4.2 sm_52", "is of sm_53"},
        {"min.f16 %h1, %h2, %h3;", "7.0 sm_80", "7.0 sm_75", "is of sm_80"},
        {"addc.cc.u64 %rd1, %rd2, %rd3;", "4.3 sm_30", "4.2 sm_30", "is of PTX ISA 4.3"},
        {"addc.cc.u32 %r1, %r2, %r3;", "2.0 sm_20", NULL, NULL},
        {"mov.u32 %r1, %clock_hi;", "5.0 sm_20", "4.3 sm_20", "is of PTX ISA 5.0"},
        {"mov.u64 %rd1, %globaltimer;", "3.1 sm_30", "3.0 sm_30", "is of PTX ISA 3.1"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1, %r2}, [%rd1];", "6.3 sm_72", "6.3 sm_70",
         "is of sm_72"},
        {"wmma.load.a.sync.aligned.row.m8n8k32.u4 {%r1}, [%rd1];", "6.3 sm_75", "6.3 sm_72",
         "is of sm_75"},
        {"wmma.load.a.sync.aligned.row.m8n8k4.f64 {%fd1}, [%rd1];", "7.0 sm_80", "6.5 sm_80",
         "is of PTX ISA 7.0"},
        {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r3}, {%r1, %r2};",
         "6.5 sm_75", "6.5 sm_72", "is of sm_75"},
        {"mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16 {%r1, %r2, %r1, %r2}, {%r1, %r2}, "
         "{%r1, %r2}, {%r1, %r2, %r1, %r2};",
         "6.4 sm_70", "6.3 sm_70", "is of PTX ISA 6.4"},
        {"cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r1;", "6.5 sm_72", "6.5 sm_70", "is of sm_72"},
        {"cvt.pack.sat.s4.s32.b32 %r1, %r2, %r3, %r1;", "6.5 sm_75", "6.5 sm_72", "is of sm_75"},
        {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f1, %f2}, {%r1, %r2}, "
         "{%r3}, {%f1, %f2, %f1, %f2};",
         "7.0 sm_80", "7.0 sm_75", "is of sm_80"},
        {"mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f1, %f2}, {%r1, %r2}, "
         "{%r1, %r2}, {%f1, %f2, %f1, %f2}, %r3, 3;",
         "7.1 sm_80", "7.0 sm_80", "is of PTX ISA 7.1"},
        {"mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f1, "
         "%f2}, {%r1, %r2}, {%r1, %r2}, {%f1, %f2, %f1, %f2}, %r3, 0;",
         "8.5 sm_80", "8.4 sm_80", "is of PTX ISA 8.5"},
        {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%r1, %r2}, {%r3}, {%r3}, "
         "{%r1, %r2};",
         "7.1 sm_80", "7.0 sm_80", "is of PTX ISA 7.1"},
        {"fma.rn.bf16x2 %r1, %r1, %r1, %r1;", "7.0 sm_80", "7.0 sm_75", "is of sm_80"},
        {"add.bf16x2 %r1, %r1, %r1;", "7.8 sm_90", "7.8 sm_80", "is of sm_90"},
        {"cvt.rn.bf16x2.f32 %r1, %f1, %f2;", "7.0 sm_80", "7.0 sm_75", "is of sm_80"},
        {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], %r2;", "8.0 sm_90", "8.0 sm_86",
         "is of sm_90"},
        {"mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2, 100;", "7.8 sm_90", "7.8 sm_80",
         "is of sm_90"},
        {"ld.shared::cluster.u32 %r1, [%r2];", "7.8 sm_90", "7.8 sm_80", "is of sm_90"},
        {"@%p1 lop3.b32 %r1, %r2, %r3, %r1, 3;", "8.8 sm_90a", "4.2 sm_50",
         "file.ptx:6: lop3.b32 is of PTX ISA 4.3 and .version 4.2"},
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        char *line = remark_of(edges[i].text, edges[i].holds);
        if (line)
            fail_msg("%s: %s", edges[i].holds, line);
        if (!edges[i].fails)
            continue;
        line = remark_of(edges[i].text, edges[i].fails);
        if (!line || !strstr(line, edges[i].message))
            fail_msg("%s, %s: %s", edges[i].text, edges[i].fails, line ? line : "no remark");
        free(line);
    }
}

/* The first of several places is the one named. */
static void test_first(void **state)
{
    (void)state;
    char *line =
        remark_of("add.u32 %r1, %r2, %r3;\nactivemask.b32 %r1;\nfence.sc.gpu;", "5.0 sm_60");
    assert_string_equal(line, "file.ptx:7: activemask.b32 is of PTX ISA 6.2 and .version 5.0: "
                              "other assemblers refuse it");
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
