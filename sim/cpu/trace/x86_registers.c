#include "sim/cpu/trace/x86_registers.h"

#include <Zydis/Zydis.h>
#include <string.h>

#include "sim/cpu/cpu_core.h"

enum { FIRST_X87 = 48, FIRST_VECTOR = 64, FIRST_MASK = 96, MOST = 16 };

/* Registers without repetition. */
struct set {
    uint8_t reg[MOST];
    uint32_t n;
};

static void put(struct set *s, uint8_t reg)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->reg[i] == reg)
            return;
    }
    if (reg && s->n < MOST)
        s->reg[s->n++] = reg;
}

static bool holds(const struct set *s, uint8_t reg)
{
    return memchr(s->reg, reg, s->n) != NULL;
}

/* 0: nothing that instructions wait for. */
static uint8_t number_of(ZydisRegister reg)
{
    /* rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, then r8 to r15 */
    static const uint8_t general[16] = {10, 9,  8,  7, CPU_REG_STACK, 5, 4, 3, 11, 12, 13, 14,
                                        15, 16, 17, 18};
    ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
    if (whole == ZYDIS_REGISTER_NONE)
        whole = reg;
    int id = ZydisRegisterGetId(whole);
    switch (ZydisRegisterGetClass(whole)) {
    case ZYDIS_REGCLASS_GPR64:
        return id >= 0 && id < 16 ? general[id] : 0;
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM:
        return (uint8_t)(FIRST_VECTOR + (id & 31));
    case ZYDIS_REGCLASS_X87:
    case ZYDIS_REGCLASS_MMX:
        return (uint8_t)(FIRST_X87 + (id & 7));
    case ZYDIS_REGCLASS_MASK:
        return (uint8_t)(FIRST_MASK + (id & 7));
    case ZYDIS_REGCLASS_FLAGS:
        return CPU_REG_FLAGS;
    case ZYDIS_REGCLASS_IP:
        return CPU_REG_IP;
    default:
        return 0;
    }
}

static bool gives_zero(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
    static const ZydisMnemonic by_itself[] = {
        ZYDIS_MNEMONIC_XOR,   ZYDIS_MNEMONIC_SUB,   ZYDIS_MNEMONIC_PXOR,   ZYDIS_MNEMONIC_XORPS,
        ZYDIS_MNEMONIC_XORPD, ZYDIS_MNEMONIC_VPXOR, ZYDIS_MNEMONIC_VXORPS, ZYDIS_MNEMONIC_VXORPD};
    uint32_t last = in->operand_count_visible;
    if (last < 2 || op[last - 1].type != ZYDIS_OPERAND_TYPE_REGISTER ||
        op[last - 2].type != ZYDIS_OPERAND_TYPE_REGISTER ||
        op[last - 1].reg.value != op[last - 2].reg.value)
        return false;
    for (uint32_t i = 0; i < sizeof by_itself / sizeof by_itself[0]; i++) {
        if (in->mnemonic == by_itself[i])
            return true;
    }
    return false;
}

static void collect(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *ops, bool branch,
                    struct set *read, struct set *written)
{
    bool zero = gives_zero(in, ops);
    for (uint32_t i = 0; i < in->operand_count; i++) {
        const ZydisDecodedOperand *op = &ops[i];
        if (op->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            uint8_t reg = number_of(op->reg.value);
            if ((op->actions & ZYDIS_OPERAND_ACTION_MASK_READ) && !zero)
                put(read, reg);
            if ((op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) && (branch || reg != CPU_REG_IP))
                put(written, reg);
        } else if (op->type == ZYDIS_OPERAND_TYPE_MEMORY) {
            /* The instruction pointer as a base is a constant. */
            uint8_t base = number_of(op->mem.base);
            put(read, base == CPU_REG_IP ? 0 : base);
            put(read, number_of(op->mem.index));
        }
    }
}

/* Those that say what kind of branch it is come first in a branch, last elsewhere. */
static void place(const struct set *s, bool branch, uint8_t *out, uint32_t room)
{
    static const uint8_t special[] = {CPU_REG_IP, CPU_REG_STACK, CPU_REG_FLAGS};
    uint32_t n = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; (pass == 0) == branch && i < sizeof special; i++) {
            if (holds(s, special[i]) && n < room)
                out[n++] = special[i];
        }
        for (uint32_t i = 0; (pass == 0) != branch && i < s->n; i++) {
            if (!memchr(special, s->reg[i], sizeof special) && n < room)
                out[n++] = s->reg[i];
        }
    }
}

bool x86_registers(const uint8_t *bytes, uint32_t size, struct cpu_instruction *out)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction in;
    ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
    struct set read = {.n = 0}, written = {.n = 0};
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &in, ops)) || in.length != size)
        return false;
    ZydisInstructionCategory c = in.meta.category;
    bool conditional = c == ZYDIS_CATEGORY_COND_BR, call = c == ZYDIS_CATEGORY_CALL;
    bool branch = conditional || call || c == ZYDIS_CATEGORY_UNCOND_BR || c == ZYDIS_CATEGORY_RET;
    collect(&in, ops, branch, &read, &written);
    /* What a branch reads of the instruction pointer, ChampSim takes for "direct" and
     * "conditional". */
    uint32_t kept = 0;
    for (uint32_t i = 0; branch && i < read.n; i++) {
        if (read.reg[i] != CPU_REG_IP)
            read.reg[kept++] = read.reg[i];
    }
    if (branch) {
        read.n = kept;
        put(&written, CPU_REG_IP);
        if (conditional || call)
            put(&read, CPU_REG_IP);
    }
    out->branch = branch;
    place(&read, branch, out->source, CPU_SOURCES);
    place(&written, branch, out->target, CPU_TARGETS);
    return true;
}
