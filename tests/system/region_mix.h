/* A kernel that works off lists of loads, stores and atomics, for the random test of the
 * synchronised region: thread t does operations t, t + T, t + 2T, ... of `ops` (T threads in all),
 * each a kind and an offset in `region`, and leaves what it loaded in 16 bytes of `results`. */
#ifndef EVGPU_TESTS_REGION_MIX_H
#define EVGPU_TESTS_REGION_MIX_H

/* load, volatile load, two words, four words; store, two words, a byte; atomic add, and without a
 * result */
enum mix_kind {
    MIX_LOAD,
    MIX_VOLATILE,
    MIX_LOAD2,
    MIX_LOAD4,
    MIX_STORE,
    MIX_STORE2,
    MIX_BYTE,
    MIX_ATOMIC,
    MIX_REDUCE,
    MIX_KINDS
};

#define MIX_CASE(kind, text) "L" #kind ":\n" text "bra NEXT;\n"
#define MIX_TEST(kind)       "setp.eq.u32 %p1, %r8, " #kind ";\n@%p1 bra L" #kind ";\n"

static const char mix_ptx[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry mix(.param .u64 ops, .param .u64 results, .param .u64 n, .param .u64 region)\n"
    "{\n.reg .u64 %rd<12>;\n.reg .u32 %r<16>;\n.reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [ops];\nld.param.u64 %rd2, [results];\nld.param.u64 %rd3, [n];\n"
    "ld.param.u64 %rd4, [region];\ncvt.u32.u64 %r1, %rd3;\n"
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
    "mov.u32 %r5, %nctaid.x;\nmad.lo.u32 %r6, %r3, %r4, %r2;\nmul.lo.u32 %r7, %r4, %r5;\n"
    "LOOP:\nsetp.ge.u32 %p1, %r6, %r1;\n@%p1 bra DONE;\n"
    "mul.wide.u32 %rd5, %r6, 8;\nadd.u64 %rd5, %rd5, %rd1;\n"
    "ld.global.v2.u32 {%r8, %r9}, [%rd5];\n"
    "mul.wide.u32 %rd6, %r6, 16;\nadd.u64 %rd6, %rd6, %rd2;\n"
    "cvt.u64.u32 %rd7, %r9;\nadd.u64 %rd7, %rd7, %rd4;\n" MIX_TEST(0) MIX_TEST(1) MIX_TEST(2)
        MIX_TEST(3) MIX_TEST(4) MIX_TEST(5) MIX_TEST(6) MIX_TEST(7) "bra L8;\n" MIX_CASE(
            0, "ld.global.u32 %r10, [%rd7];\nst.global.u32 [%rd6], %r10;\n")
            MIX_CASE(1, "ld.volatile.global.u32 %r10, [%rd7];\nst.global.u32 [%rd6], %r10;\n")
                MIX_CASE(2, "ld.global.v2.u32 {%r10, %r11}, [%rd7];\nst.global.v2.u32 [%rd6], "
                            "{%r10, %r11};\n") MIX_CASE(
                    3, "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd7];\n"
                       "st.global.v4.u32 [%rd6], {%r10, %r11, %r12, %r13};\n")
                    MIX_CASE(4, "st.global.u32 [%rd7], %r6;\n") MIX_CASE(
                        5, "st.global.v2.u32 [%rd7], {%r6, %r9};\n")
                        MIX_CASE(6, "st.global.u8 [%rd7], %r6;\n") MIX_CASE(
                            7,
                            "atom.global.add.u32 %r10, [%rd7], 1;\nst.global.u32 [%rd6], %r10;\n")
                            MIX_CASE(8,
                                     "red.global.add.u32 [%rd7], 1;\n") "NEXT:\nadd.u32 %r6, %r6, "
                                                                        "%r7;\nbra "
                                                                        "LOOP;\nDONE:\nret;\n}\n";

#endif
