/* Directives, scopes, constants, and messages for what is wrong. */
#include "tests/ptx/machine.h"

#define HEADER ".version 7.0\n.target sm_70, debug\n.address_size 64\n"
#define KERNEL(text)                                                                               \
    HEADER ".visible .entry k(.param .u64 out)\n{ .reg .b32 %r<4>; .reg .b64 %rd<4>;"              \
           ".reg .pred %p<4>; .reg .f32 %f<4>; .reg .b16 %h<4>; .reg .f64 %fd<4>;\n" text          \
           "\nret; }\n"

static struct module *parse(const char *text, struct error *err)
{
    *err = (struct error){0};
    return module_parse("file.ptx", text, strlen(text), err);
}

static void accept(const char *text)
{
    struct error err;
    struct module *m = parse(text, &err);
    if (!m)
        fail_msg("%s", err.text);
    const struct kernel *k = module_kernel(m, "k");
    if (k && k->defect)
        fail_msg("%s", k->defect);
    module_free(m);
}

static void test_accepted(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEADER,
        ".version 8.3 .target sm_90a .address_size 64 /* one line */ .entry k() { ret; }",
        HEADER ".entry k() .maxntid 128, 2, 1 .minnctapersm 3 { ret; }",
        HEADER ".entry k() .reqntid 64 .maxnreg 32 .pragma \"nounroll\"; { ret; }",
        HEADER ".weak .func f() .noreturn { trap; ret; }\n.entry k() { ret; }",
        HEADER
        ".file 1 \"a.cu\", 123, 456\n.entry k() { .loc 1 2 3\n ret;\n.loc 1 3 0, "
        "function_name $L__x, inlined_at 1 2 3\n }\n.section .debug_str { .b8 1, 2\n.b32 x }",
        HEADER ".visible .global .attribute(.managed) .align 4 .u32 g;",
        HEADER ".extern .global .u32 g;\n.visible .global .u32 g = 4;\n.entry k() { ret; }",
        KERNEL("{ .reg .b32 %r1; mov.u32 %r1, 1; { .reg .b64 %r1; mov.u64 %r1, 1; } }"),
        KERNEL("{ L: bra L2; L2: } { L: bra L2; L2: bra OUT; } OUT:"),
        KERNEL("bra $L__BB0_1; $L__BB0_1: ;"),
        KERNEL(".reg .b32 %x1<5>; mov.u32 %x14, 1; mov.u32 %x10, %x11;"),
        KERNEL(".reg .b32 %a, b, $c, _d; mov.u32 %a, b; mov.u32 $c, _d;"),
        KERNEL("@!%p1 mov.u32 %r1, 0x7fU; @%p2 bra.uni END; END:"),
        KERNEL(
            "nanosleep.u32 20; pmevent 3; bar.sync 0, 64; membar.cta; membar.sys; fence.sc.sys;"),
        KERNEL(
            "ld.global.L1::no_allocate.L2::128B.u32 %r1, [%rd1]; ld.shared::cta.u32 %r1, [%r2];"),
        KERNEL(
            "atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1; red.release.sys.add.u32 [%rd1], 1;"),
        KERNEL("mov.u32 %r1, %ctaid.x; add.u32 %r1, %tid.x, %ntid.y; shl.b32 %r1, 1, %laneid;"),
        KERNEL("mov.b64 %rd1, {%r1, %r2}; mov.b32 {%h1, _}, %r1;"),
        KERNEL("setp.eq.u32 %p1|%p2, %r1, %r2; setp.eq.u32 _|%p1, %r1, %r2;"
               " setp.eq.u32 %p1|_, %r1, %r2;"),
        KERNEL(".reg .v2 .u32 %v, %w; mov.v2.u32 %v, {1, %r1}; mov.v2.u32 %w, %v;"
               "add.u32 %r1, %v.x, %w.g; ld.global.v2.u32 %v, [%rd1];"),
        KERNEL(".local .b32 %l<12>, %m[4]; st.local.u32 [%l11], 1; ld.local.u32 %r1, [%l0+0];"),
        KERNEL("mov.u32%r1,%laneid; @%p1 add.u32%r1,%r2,%r3;"),
        KERNEL("\tmul.wide.s32 \t%rd1,\n\t%r1, // comment\n 4;"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        accept(texts[i]);
}

static void test_limits(void **state)
{
    (void)state;
    struct error err;
    struct module *m = parse(HEADER ".entry a() .maxntid 16, 16, 2 { ret; }\n"
                                    ".entry b() .reqntid 96 { ret; }\n.entry c() { ret; }",
                             &err);
    assert_non_null(m);
    assert_int_equal(module_kernel_count(m), 3);
    assert_int_equal(module_kernel(m, "a")->max_threads, 512);
    assert_int_equal(module_kernel(m, "b")->max_threads, 96);
    assert_int_equal(module_kernel(m, "c")->max_threads, 0);
    assert_string_equal(module_kernel_at(m, 1)->name, "b");
    assert_null(module_kernel(m, "d"));
    assert_int_equal(module_kernel(m, "c")->n_inst, 1);
    assert_int_equal(module_kernel(m, "c")->code[0].class, INST_EXIT);
    module_free(m);
}

struct bad {
    const char *text, *reason;
    uint32_t line;
};

/* Line 6 is where KERNEL puts its text. */
static const struct bad bads[] = {
    {"", "empty", 1},
    {"hello", ".version must come first: hello", 1},
    {".entry k() { ret; }", "not PTX: .version must come first: .entry k() {", 1},
    {".file 1 \"a.cu\"\n.version 3.2", ".version must come first: .file", 1},
    {".target sm_35\n.version 3.2", ".version must come first", 1},
    {".version 0x46\n.target sm_35", "version number expected", 1},
    {".version 4294967295.0\n.target sm_35", "version number expected", 1},
    {HEADER ".entry k() { ret; ", "'}' expected", 4},
    {HEADER ".entry k( { ret; }", "expected", 4},
    {HEADER ".entry k(.param .u64) { ret; }", "name expected", 4},
    {HEADER ".entry k(.param .u63 a) { ret; }", "type expected", 4},
    {HEADER ".entry k() { ret; }\n.entry k() { ret; }", "twice", 5},
    {HEADER ".global .u32 a; .global .u32 a;", "twice", 4},
    {HEADER ".global .u32 a[] ;", "the array has no size", 4},
    {HEADER ".global .u32 a[2] = {1, 2, 3};", "more initial values", 4},
    {HEADER ".global .u32 a = b;", "'b' is not declared", 4},
    {HEADER ".global .align 3 .u32 a;", "power of two", 4},
    {HEADER ".shared .u32 a = 3;", "initial values", 4},
    {HEADER ".global .u32 a[99999999999999];", "the array size is not valid", 4},
    {HEADER "/* never closed", "comment without end", 4},
    {HEADER ".file 1 \"a", "string without end", 4},
    {HEADER "\x01", "not PTX", 4},
    {".version 7.0\n.target sm_35\n.address_size 32\n", "address_size 64", 3},
    {KERNEL("frob.u32 %r1, %r2;"), "'frob' is not known): frob.u32 %r1, %r2;", 6},
    {KERNEL("add.u31 %r1, %r2, 1;"), "'u31' is not known", 6},
    {KERNEL("add.u32 %r1, %r2;"), "3 operands expected, 2 given: add.u32 %r1, %r2;", 6},
    {KERNEL("add.u32 %r1, %r2, %r3, %r1;"), "3 operands", 6},
    {KERNEL("add.u32 %r1, %r2, %r9;"), "'%r9' is not declared", 6},
    {KERNEL("add.u32 %r1, %r2, %rd1;"), "64 bits, but the type needs 32", 6},
    {KERNEL("add.u32 %rd1, %r2, %r1;"), "64 bits, but the type needs 32", 6},
    {KERNEL("add.u32 1, %r2, %r1;"), "destination must be a register", 6},
    {KERNEL("add.u32 %r1, %p1, %r1;"), "must not be a predicate", 6},
    {KERNEL("add.wide.u32 %r1, %r2, %r1;"), "modifier", 6},
    {KERNEL("add.u32.rn %r1, %r2, %r1;"), "modifier", 6},
    {KERNEL("add %r1, %r2, %r1;"), "needs a type", 6},
    {KERNEL("mul.u32 %r1, %r2, %r1;"), ".lo, .hi or .wide", 6},
    {KERNEL("mul.wide.u64 %rd1, %rd2, %rd1;"), "does not have .wide", 6},
    {KERNEL("div.f32 %f1, %f2, %f1;"), "rounding mode", 6},
    {KERNEL("fma.f32 %f1, %f2, %f1, %f1;"), "rounding mode", 6},
    {KERNEL("sin.f32 %f1, %f2;"), ".approx", 6},
    {KERNEL("add.f32 %f1, %f2, 1;"), "floating-point constant", 6},
    {KERNEL("add.f32 %f1, %f2, 0d3FF0000000000000;\nadd.u32 %r1, %r2, 0d3FF0000000000000;"),
     "integer constant", 7},
    {KERNEL("mov.f64 %fd1, 0f3F800000;"), "32 bits", 6},
    {KERNEL("mov.f32 %f1, 0f3F80;"), "8 hexadecimal digits", 6},
    {KERNEL("mov.u64 %rd1, 99999999999999999999;"), "malformed number", 6},
    {KERNEL("mov.u32 %r1, 12ab;"), "malformed number", 6},
    {KERNEL("mov.u32 %r1, 1/0;"), "division", 6},
    {KERNEL("mov.u32 %r1, ((1);"), "')' expected", 6},
    {KERNEL("mov.u32 %r1, nothing;"), "'nothing' is not declared", 6},
    {KERNEL("cvt.f32.s32 %f1, %r1;"), "needs a rounding mode", 6},
    {KERNEL("cvt.rni.f32.s32 %f1, %r1;"), ".rn, .rz", 6},
    {KERNEL("cvt.rn.s32.f32 %r1, %f1;"), ".rni", 6},
    {KERNEL("cvt.rn.f64.f32 %fd1, %f1;"), "no rounding mode", 6},
    {KERNEL("cvt.u16.u32 %r1;"), "2 operands", 6},
    {KERNEL("setp.lt.b32 %p1, %r1, %r2;"), ".eq and .ne", 6},
    {KERNEL("setp.ltu.u32 %p1, %r1, %r2;"), "floating point", 6},
    {KERNEL("setp.lo.s32 %p1, %r1, %r2;"), "unsigned", 6},
    {KERNEL("setp.u32 %p1, %r1, %r2;"), "comparison operator", 6},
    {KERNEL("setp.lt.u32 %r1, %r1, %r2;"), "destination must be a predicate", 6},
    {KERNEL("selp.u32 %r1, %r1, %r2, %r3;"), "predicate register expected", 6},
    {KERNEL("mov.pred %p1|%p2, %p3;"), "one destination expected", 6},
    {KERNEL("mov.pred _, %p3;"), "one destination expected", 6},
    {KERNEL("setp.eq.u32 out|%p1, %r1, %r2;"), "register expected before '|'", 6},
    {KERNEL("setp.eq.u32 _|_, %r1, %r2;"), "register expected before '|'", 6},
    {KERNEL("setp.eq.u32 %p1|out, %r1, %r2;"), "register expected after '|'", 6},
    {KERNEL("@%r1 mov.u32 %r1, 1;"), "guard", 6},
    {KERNEL("@%p9 mov.u32 %r1, 1;"), "guard", 6},
    {KERNEL("bra NOWHERE;"), "label 'NOWHERE' is not defined: bra NOWHERE;", 6},
    {KERNEL("{ INNER: } bra INNER;"), "not defined", 6},
    {KERNEL("L: L:"), "twice", 6},
    {KERNEL("ld.global.u32 %r1, %rd1;"), "brackets", 6},
    {KERNEL("ld.global.u32 %r1, [%h1];"), "address register", 6},
    {KERNEL("ld.global.u64 %r1, [%rd1];"), "too small", 6},
    {KERNEL("ld.global.v2.u32 %r1, [%rd1];"), "2 elements", 6},
    {KERNEL("ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];"), "2 elements", 6},
    {KERNEL("ld.global.u32 %r1, [%rd1"), "expected", 6},
    {KERNEL("ld.global.u32 %r1, [out];"), "another address space", 6},
    {KERNEL("st.const.u32 [%rd1], %r1;"), "cannot write constant memory", 6},
    {KERNEL("st.param.u32 [out], %r1;"), "cannot write parameters", 6},
    {KERNEL("ld.frob.u32 %r1, [%rd1];"), "'frob' is not known", 6},
    {KERNEL("atom.global.u32 %r1, [%rd1], 1;"), "atomic operation", 6},
    {KERNEL("atom.global.add.b32 %r1, [%rd1], 1;"), "does not exist for this type", 6},
    {KERNEL("red.global.exch.b32 [%rd1], 1;"), "does not exist", 6},
    {KERNEL("atom.local.add.u32 %r1, [%rd1], 1;"), "does not exist", 6},
    {KERNEL("shfl.sync.up.b32 %rd1, %r1, 1, 0, -1;"), "the type needs 32", 6},
    {KERNEL("vote.all.b32 %r1, %p1;"), "type", 6},
    {KERNEL("bar.sync;"), "operands", 6},
    {KERNEL("lop3.b32 %r1, %r1, %r2, %r3, 256;"), "0 to 255", 6},
    {KERNEL("lop3.or.b32 %r1, %r1, %r2, %r3, 2, %p1;"), "a predicate beside", 6},
    {KERNEL("lop3.and.b32 %r1|%r2, %r1, %r2, %r3, 2, %p1;"), "must be a predicate", 6},
    {KERNEL("match.any.sync.b32 %r1|%p1, %r2, -1;"), "match.any has no predicate", 6},
    {KERNEL("elect.sync %r1, -1;"), "elect.sync needs", 6},
    {KERNEL("griddepcontrol;"), "needs .wait", 6},
    {KERNEL("fence.proxy.gpu;"), "is for .alias and .async", 6},
    {KERNEL("cvta.param.u64 %rd1, %rd2;"), "not supported", 6},
    {KERNEL("tex.2d.v4.f32.s32 {%f1,%f1,%f1,%f1}, [t, {%r1,%r1}];"), "'t' is not declared", 6},
    {KERNEL("tex.2d.v4.f32.s32 {%f1,%f1,%f1,%f1}, [%r1, {%r1,%r1}];"), "64 bits", 6},
    {KERNEL("tex.2d.v4.f32.s32 {%f1,%f1,%f1,%f1}, [%rd1, {%r1}];"), "2 coordinates", 6},
    {KERNEL("tex.acube.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%rd1, {%f1}];"), "'acube' is not known", 6},
    {KERNEL("tex.cube.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%rd1, {%f1}];"), "3 coordinates expected", 6},
    {KERNEL("cvt.rna.bf16.f32 %h1, %f1;"), "to bf16 needs .rn or .rz", 6},
    {KERNEL("fma.rn.sat.relu.f16 %h1, %h1, %h1, %h1;"), "does not have this modifier", 6},
    {KERNEL("add.ftz.bf16 %h1, %h1, %h1;"), "does not have this modifier", 6},
    {KERNEL("ex2.approx.bf16 %h1, %h1;"), "ex2 of bf16 needs .ftz", 6},
    {KERNEL("div.rn.bf16 %h1, %h1, %h1;"), "does not exist for this type", 6},
    {KERNEL("cvt.f32.tf32 %f1, %r1;"), "only bf16 is converted to f32", 6},
    {KERNEL("suq.width.b32 %r1, [%rd1];"), "suld and sust are supported", 6},
    {KERNEL("sust.p.2d.b8.trap [%rd1, {%r1, %r1}], {%r1};"), "does not exist for this type", 6},
    {KERNEL("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     "4 elements expected", 6},
    {KERNEL("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     "8 elements expected", 6},
    {KERNEL("mma.sync.aligned.m8n8k4.row.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     "the layouts of a and b are needed", 6},
    {KERNEL("mma.sync.aligned.m8n8k4.row.col.f32.bf16.bf16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     "this shape has the types f64 and", 6},
    {KERNEL("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%f1};"),
     "d is not f16 where c is f32", 6},
    {KERNEL("cvt.pack.sat.s8.s32.b32 %r1, %r1, %r1;"), "4 operands", 6},
    {KERNEL("cvt.pack.s16.s32 %r1, %r1, %r1;"), "cvt.pack needs .sat", 6},
    {KERNEL("cvt.pack.sat.f32.s32 %r1, %r1, %r1;"), "cvt.pack makes s16, u16", 6},
    {KERNEL("mma.sync.aligned.m16n8k32.row.col.s32.s8.s4.s32 {%r1}, {%r1}, {%r1}, {%r1};"),
     "this shape does not have these types", 6},
    {KERNEL("mma.sync.aligned.m16n8k8.row.col.f32.bf16.tf32.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     "this shape does not have these types", 6},
    {KERNEL("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.f32 {%r1}, {%r1}, {%r1}, {%f1};"),
     "types that a and b do not give", 6},
    {KERNEL("mma.sync.aligned.m16n8k16.row.col.satfinite.f32.bf16.bf16.f32 {%f1}, {%r1}, {%r1}, "
            "{%f1};"),
     ".satfinite is for integers", 6},
    {KERNEL("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r1}, {%r1}, {%r1}, {%r1};"),
     ".xor or .and", 6},
    {KERNEL("wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r1}, [%rd1];"), "of a are by rows", 6},
    {KERNEL("wmma.load.b.sync.aligned.col.m8n8k4.f64 {%r1}, [%rd1];"), "too small", 6},
    {KERNEL("mma.sp.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1}, {%r1}, {%r1}, {%r1}, %r1, "
            "0;"),
     "the shapes of mma.sp are", 6},
    {KERNEL("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f1, %f1, %f1}, {%r1, %r1, "
            "%r1, %r1}, {%r1, %r1, %r1, %r1}, {%f1, %f1, %f1, %f1}, %r1, 2;"),
     "selector of this shape is a constant below 2", 6},
    {KERNEL("mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%r1, %r1, %r1, %r1}, {%r1, %r1, "
            "%r1, %r1}, {%r1, %r1, %r1, %r1}, {%r1, %r1, %r1, %r1}, %r1, %r1;"),
     "a constant below 1", 6},
    {KERNEL("mma.sync.aligned.m16n8k9.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     "'m16n8k9' is not known", 6},
    {KERNEL("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     ".row.col", 6},
    {KERNEL("mma.sync.aligned.m16n8k16.row.col.f32.f32.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     "a and b are f16, bf16", 6},
    {KERNEL("wmma.load.a.sync.aligned.m16n16k16.f16 {%r1}, [%rd1];"), "a layout is needed", 6},
    {KERNEL("wmma.load.a.sync.aligned.row.m16n16k16.f32 {%f1}, [%rd1];"),
     "does not have such elements of a", 6},
    {KERNEL("wmma.load.c.sync.aligned.row.m16n16k16.f64 {%rd1}, [%rd1];"),
     "does not have such elements of c", 6},
    {KERNEL("wmma.load.c.sync.aligned.row.m8n8k4.f32 {%f1, %f1}, [%rd1];"),
     "does not have such elements of c", 6},
    {KERNEL("wmma.store.a.sync.aligned.row.m16n16k16.f16 [%rd1], {%r1};"), "stores d", 6},
    {KERNEL("wmma.mma.sync.aligned.row.col.m16n8k16.f32.f32 {%f1}, {%r1}, {%r1}, {%f1};"),
     "the shapes of wmma are", 6},
    {KERNEL("suld.b.cube.b32.trap {%r1}, [%rd1, {%r1, %r1, %r1}];"), "the shapes of surfaces", 6},
    {KERNEL("suld.b.2d.b32 {%r1}, [%rd1, {%r1, %r1}];"), "a mode is needed", 6},
    {KERNEL("suld.b.2d.v2.b32.trap {%r1}, [%rd1, {%r1, %r1}];"), "2 elements expected", 6},
    {KERNEL("sqrt.rn.f16 %h1, %h2;"), "does not exist for this type", 6},
    {KERNEL("fma.f16 %h1, %h2, %h1, %h1;"), "rounding mode", 6},
    {KERNEL("ldmatrix.sync.aligned.m8n8.shared.b16 {%r1}, [%r1];"), "needs .m8n8, .x1, .x2", 6},
    {KERNEL("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r1];"), "2 elements expected", 6},
    {KERNEL("ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r1}, [%rd1];"), "shared memory", 6},
    {KERNEL("ldmatrix.m8n8.x1.shared.b16 {%r1}, [%r1];"), ".sync", 6},
    {KERNEL("cp.async.ca.shared.global [%r1], [%rd1], 12;"), "4, 8 or 16 bytes", 6},
    {KERNEL("cp.async.cg.shared.global [%r1], [%rd1], 8;"), "copies 16 bytes", 6},
    {KERNEL("cp.async.shared.global [%r1], [%rd1], 8;"), "needs .ca or .cg", 6},
    {KERNEL("cp.async.ca.global.shared [%rd1], [%r1], %r1;"), "4, 8 or 16 bytes", 6},
    {KERNEL("cp.async.ca.shared.global [16], [%rd1], 4;"), "must be a register or a variable", 6},
    {KERNEL("cp.async.ca.shared.global [%r1], [%rd1], 4, 4, %rd1;"), "the operands are", 6},
    {KERNEL("cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 4, %r1;"), "64", 6},
    {KERNEL("cp.async.ca.shared.global [%r1], [%rd1], 4, %rd1;"), "the type needs 32", 6},
    {KERNEL("cp.async.wait_group %r1;"), "a number of groups", 6},
    {KERNEL("cp.async.wait_group -1;"), "a number of groups", 6},
    {KERNEL("cp.async.mbarrier.shared.b64 [%r1];"), "only cp.async.mbarrier.arrive", 6},
    {KERNEL("mbarrier.arrive.noComplete.shared.b64 %rd1, [%r1];"), "needs a count", 6},
    {KERNEL("mbarrier.arrive.global.b64 %rd1, [%rd1];"), "in shared memory", 6},
    {KERNEL("mbarrier.init.shared [%r1], 1;"), "is a .b64", 6},
    {KERNEL("mbarrier.arrive.expect_tx.shared.b64 _, [%r1];"), "needs a number of bytes", 6},
    {KERNEL("mbarrier.shared.b64 [%r1];"), "of mbarrier, .init, .inval", 6},
    {KERNEL("cp.async.commit_group 1;"), "0 operands", 6},
    {KERNEL("cp.reduce [%rd1], [%r1], 16;"), "not known", 6},
    {KERNEL("cp.global [%rd1], [%r1], 16;"), "only cp.async", 6},
    {KERNEL("wgmma.mma_async.sync %r1;"), "not known", 6},
    {KERNEL("mov.u32 %r1, %tid.q;"), "'%tid.q' is not declared", 6},
    {KERNEL("mov.u64 %rd1, %tid.x;"), "differs from that of the special register", 6},
    {KERNEL(".reg .b32 %r<9>;"), "twice", 6},
    {KERNEL(".reg .b32 %z<99999999>;"), "too many registers", 6},
    {KERNEL(".frob 1;"), "unknown directive", 6},
    {KERNEL("add.u32 %r1, %r2, %r3"), "expected before 'ret'", 6},
    {KERNEL("ret 5;"), "0 operands", 6},
    {KERNEL(".reg .v2 .u32 %v; mov.u32 %r1, %v.z;"), "'%v.z' is not declared", 6},
    {KERNEL(".reg .v2 .u32 %v; mov.u32 %r1, %v;"), "does not exist for this type", 6},
    {KERNEL(".reg .v2 .u32 %v; mov.v4.u32 %v, {1, 2, 3, 4};"), "two vectors of 4", 6},
    {KERNEL(".reg .v2 .u32 %v; mov.v2.u64 %v, {1, 2};"), "is too small", 6},
    {KERNEL(".reg .v2 .u32 %v<4>;"), "expected before '<'", 6},
    {KERNEL(".local .b32 %l<2>; st.local.u32 [%l2], 1;"), "'%l2' is not declared", 6},
    {KERNEL(".local .b32 %l<99999999>;"), "too many variables", 6},
    {KERNEL(".local .b32 %l<2>, %l;"), "twice", 6},
};

static void test_rejected(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        struct error err;
        char where[32];
        struct module *m = parse(bads[i].text, &err);
        snprintf(where, sizeof where, "file.ptx:%u: ", bads[i].line);
        /* What is PTX but not supported is the kernel's defect, found at its launch. */
        const struct kernel *k = m ? module_kernel(m, "k") : NULL;
        if (k && k->defect)
            error_set(&err, "%s", k->defect);
        bool right =
            err.set && strstr(err.text, bads[i].reason) && !strncmp(err.text, where, strlen(where));
        if (!err.set)
            print_error("accepted: %s\n", bads[i].text);
        else if (!right)
            print_error("expected %s%s, got %s\n", where, bads[i].reason, err.text);
        module_free(m);
        wrong += !right;
    }
    assert_int_equal(wrong, 0);
}

/* An unused kernel that cannot run keeps nothing from loading; asking for it names the place. */
static void test_defects(void **state)
{
    (void)state;
    struct error err;
    struct module *m = parse(HEADER ".entry good() { ret; }\n"
                                    ".entry bad() {\n frobnicate.u32 {a, b}, [c, {d}];\n ret; }\n"
                                    ".entry last(.param .u32 n) { ret; }",
                             &err);
    assert_non_null(m);
    assert_int_equal(module_kernel_count(m), 3);
    assert_ptr_equal(module_launchable(m, "good", &err), module_kernel(m, "good"));
    assert_ptr_equal(module_launchable(m, "last", &err), module_kernel(m, "last"));
    assert_false(err.set);
    assert_null(module_launchable(m, "bad", &err));
    assert_string_equal(err.text, "kernel bad cannot run: file.ptx:6: unsupported instruction "
                                  "('frobnicate' is not known): frobnicate.u32 {a, b}, [c, {d}];");
    err = (struct error){0};
    assert_null(module_launchable(m, "nobody", &err));
    assert_string_equal(err.text, "no kernel named nobody; there are good, bad, last");
    module_free(m);
    m = parse(HEADER, &err);
    err = (struct error){0};
    assert_null(module_launchable(m, "nobody", &err));
    assert_non_null(strstr(err.text, "the file defines no kernel"));
    module_free(m);
}

static void test_files(void **state)
{
    (void)state;
    struct error err = {0};
    assert_null(module_load("does/not/exist.ptx", &err));
    assert_non_null(strstr(err.text, "does/not/exist.ptx: "));
    struct error second = {0};
    assert_null(module_load("/", &second));
    assert_true(second.set);
    struct error third = {0};
    char path[PATH_MAX];
    assert_true(find_kernel("tests/ptx/data/work_O1.ptx", path, sizeof path, &third));
    struct module *m = module_load(path, &third);
    assert_non_null(m);
    module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_rejected), cmocka_unit_test(test_defects),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
