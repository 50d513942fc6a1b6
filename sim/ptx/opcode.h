/* Instruction names taken apart: "ld.global.v4.f32" -> operation and list of modifiers. Each
 * different name is taken apart once per module. */
#ifndef EVGPU_PTX_OPCODE_H
#define EVGPU_PTX_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_MODIFIERS 12

/* clang-format off */
#define OPERATIONS(X) \
    X(abs) X(activemask) X(add) X(addc) X(and) X(atom) X(bar) X(barrier) X(bfe) X(bfi) X(bfind) \
    X(bra) X(brev) X(brkpt) X(brx) X(call) X(clz) X(cnot) X(copysign) X(cos) X(cp) X(cvt) X(cvta) \
    X(discard) X(div) X(dp2a) X(dp4a) X(elect) X(ex2) X(exit) X(fence) X(fma) X(fns) X(griddepcontrol) X(isspacep) X(ld) \
    X(ldmatrix) X(ldu) X(lg2) X(lop3) X(mad) X(mad24) X(madc) X(match) X(max) X(mbarrier) X(membar) X(min) X(mma) X(mov) X(mul) \
    X(mul24) X(nanosleep) X(neg) X(not) X(or) X(pmevent) X(popc) X(prefetch) X(prefetchu) \
    X(prmt) X(rcp) X(red) X(redux) X(rem) X(ret) X(rsqrt) X(sad) X(selp) X(set) X(setp) X(shf) \
    X(shfl) X(shl) X(shr) X(sin) X(slct) X(sqrt) X(st) X(sub) X(subc) X(suld) X(sust) X(tanh) \
    X(testp) X(tex) X(tld4) X(trap) X(vabsdiff) X(vabsdiff2) X(vabsdiff4) X(vadd) X(vadd2) X(vadd4) X(vavrg2) X(vavrg4) \
    X(vmax) X(vmax2) X(vmax4) X(vmin) X(vmin2) X(vmin4) X(vote) X(vset) X(vset2) X(vset4) \
    X(vshl) X(vshr) \
    X(vsub) X(vsub2) X(vsub4) X(wmma) X(xor)
/* clang-format on */

enum operation {
#define X(name) OP_##name,
    OPERATIONS(X)
#undef X
        OPERATION_COUNT
};

/* The first seventeen are the types, in the order of enum ptx_type. */
/* clang-format off */
#define MODIFIERS(X) \
    X(pred, "pred") X(b8, "b8") X(b16, "b16") X(b32, "b32") X(b64, "b64") X(u8, "u8") \
    X(u16, "u16") X(u32, "u32") X(u64, "u64") X(s8, "s8") X(s16, "s16") X(s32, "s32") \
    X(s64, "s64") X(f16, "f16") X(f32, "f32") X(f64, "f64") X(f16x2, "f16x2") X(rn, "rn") \
    X(rz, "rz") X(rm, "rm") X(rp, "rp") X(rna, "rna") X(rni, "rni") X(rzi, "rzi") X(rmi, "rmi") \
    X(rpi, "rpi") X(ftz, "ftz") X(sat, "sat") X(approx, "approx") X(full, "full") X(NaN, "NaN") \
    X(lo, "lo") X(hi, "hi") X(wide, "wide") X(cc, "cc") X(eq, "eq") X(ne, "ne") X(lt, "lt") \
    X(le, "le") X(gt, "gt") X(ge, "ge") X(ls, "ls") X(hs, "hs") X(equ, "equ") X(neu, "neu") \
    X(ltu, "ltu") X(leu, "leu") X(gtu, "gtu") X(geu, "geu") X(num, "num") X(nan, "nan") \
    X(and, "and") X(or, "or") X(xor, "xor") X(add, "add") X(inc, "inc") X(dec, "dec") \
    X(min, "min") X(max, "max") X(exch, "exch") X(cas, "cas") X(global, "global") \
    X(shared, "shared") X(local, "local") X(const, "const") X(param, "param") \
    X(generic, "generic") X(to, "to") X(v2, "v2") X(v4, "v4") X(ca, "ca") X(cg, "cg") \
    X(cs, "cs") X(lu, "lu") X(cv, "cv") X(wb, "wb") X(wt, "wt") X(nc, "nc") \
    X(volatile, "volatile") X(weak, "weak") X(relaxed, "relaxed") X(acquire, "acquire") \
    X(release, "release") X(acq_rel, "acq_rel") X(sc, "sc") X(mmio, "mmio") X(cta, "cta") \
    X(gl, "gl") X(gpu, "gpu") X(sys, "sys") X(cluster, "cluster") X(L1, "L1") X(L2, "L2") \
    X(L1_hint, "L1::evict_normal") X(L1_unchanged, "L1::evict_unchanged") \
    X(L1_first, "L1::evict_first") X(L1_last, "L1::evict_last") X(L1_none, "L1::no_allocate") \
    X(L2_64, "L2::64B") X(L2_128, "L2::128B") X(L2_256, "L2::256B") X(shared_cta, "shared::cta") \
    X(noftz, "noftz") X(sync, "sync") X(arrive, "arrive") X(red, "red") X(popc, "popc") \
    X(warp, "warp") X(aligned, "aligned") X(all, "all") X(any, "any") X(uni, "uni") \
    X(ballot, "ballot") X(up, "up") X(down, "down") X(bfly, "bfly") X(idx, "idx") X(l, "l") \
    X(r, "r") X(clamp, "clamp") X(wrap, "wrap") X(shiftamt, "shiftamt") X(f4e, "f4e") \
    X(b4e, "b4e") X(rc8, "rc8") X(rc16, "rc16") X(ecl, "ecl") X(ecr, "ecr") X(finite, "finite") \
    X(infinite, "infinite") X(number, "number") X(notanumber, "notanumber") X(normal, "normal") \
    X(subnormal, "subnormal") X(relu, "relu") X(level, "level") X(grad, "grad") X(d1, "1d") \
    X(d2, "2d") X(d3, "3d") X(a1d, "a1d") X(a2d, "a2d") X(cube, "cube") X(g, "g") X(b, "b") X(p, "p") X(trap, "trap") \
    X(zero, "zero") X(a, "a") X(c, "c") X(d, "d") X(load, "load") X(store, "store") X(mma, "mma") \
    X(row, "row") X(col, "col") X(m16n16k16, "m16n16k16") X(m32n8k16, "m32n8k16") \
    X(m8n32k16, "m8n32k16") X(m16n8k16, "m16n8k16") X(m16n8k8, "m16n8k8") \
    X(m16n16k8, "m16n16k8") X(m8n8k4, "m8n8k4") X(m8n8k16, "m8n8k16") X(m8n8k32, "m8n8k32") \
    X(m8n8k128, "m8n8k128") X(m16n8k4, "m16n8k4") X(m16n8k32, "m16n8k32") X(m16n8k64, "m16n8k64") \
    X(m16n8k128, "m16n8k128") X(m16n8k256, "m16n8k256") X(bf16, "bf16") X(tf32, "tf32") \
    X(s4, "s4") X(u4, "u4") X(b1, "b1") X(satfinite, "satfinite") \
    X(async, "async") X(commit_group, "commit_group") X(wait_group, "wait_group") \
    X(wait_all, "wait_all") X(L2_hint, "L2::cache_hint") \
    X(m8n8, "m8n8") X(x1, "x1") X(x2, "x2") X(x4, "x4") X(trans, "trans") \
    X(mbarrier, "mbarrier") X(init, "init") X(inval, "inval") X(arrive_drop, "arrive_drop") \
    X(noComplete, "noComplete") X(noinc, "noinc") X(test_wait, "test_wait") \
    X(try_wait, "try_wait") X(parity, "parity") X(pending_count, "pending_count") \
    X(expect_tx, "expect_tx") X(complete_tx, "complete_tx") X(shared_cluster, "shared::cluster") X(bf16x2, "bf16x2") \
    X(proxy, "proxy") X(alias, "alias") X(mbarrier_init, "mbarrier_init") \
    X(launch_dependents, "launch_dependents") X(wait, "wait") \
    X(pack, "pack") X(s2, "s2") X(u2, "u2") X(sp, "sp") X(sp_ordered, "sp::ordered_metadata")
/* clang-format on */

enum modifier {
#define X(name, text) M_##name,
    MODIFIERS(X)
#undef X
        MODIFIER_COUNT
};

struct opcode {
    uint8_t operation; /* enum operation */
    uint8_t n_mods;
    uint8_t mods[MAX_MODIFIERS]; /* enum modifier, in the order written */
};

struct opcode_pool {
    struct opcode *items;
    size_t count, capacity;
    struct opcode_slot *slots; /* open addressing by name */
    size_t n_slots;
};

/* Index of the opcode with this name, or UINT32_MAX with `*bad` (length `*bad_length`) the part
 * that is not known. */
uint32_t opcode_intern(struct opcode_pool *pool, const char *name, uint32_t length,
                       const char **bad, uint32_t *bad_length);
void opcode_pool_free(struct opcode_pool *pool);

/* The modifier with this text, or MODIFIER_COUNT. */
enum modifier modifier_of(const char *text, size_t length);

/* FNV-1a, for the tables keyed by names. */
uint32_t hash_text(const char *text, size_t length);

#endif
