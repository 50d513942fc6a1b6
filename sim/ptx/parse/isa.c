#include "sim/ptx/parse/isa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/ptx/special.h"

#define ANY MODIFIER_COUNT

/* From PTX ISA `version` / 10 on, for architectures from sm_`target` on. */
struct needs {
    uint8_t version, target;
};

struct rule {
    uint8_t operation, first, second; /* with both modifiers; ANY: with or without one */
    struct needs needs;
};

#define EACH_SCOPE(X, op) X(op, M_cta), X(op, M_gpu), X(op, M_sys)
#define EACH_ORDER(X, op) X(op, M_relaxed), X(op, M_acquire), X(op, M_release), X(op, M_acq_rel)
#define ORDERED(op, mod)                                                                           \
    {                                                                                              \
        op, mod, ANY,                                                                              \
        {                                                                                          \
            60, 70                                                                                 \
        }                                                                                          \
    }
#define SCOPED(op, mod)                                                                            \
    {                                                                                              \
        op, mod, ANY,                                                                              \
        {                                                                                          \
            50, 60                                                                                 \
        }                                                                                          \
    }
/* 64-bit atomics beyond add, exch and cas */
#define WIDE(op, mod)                                                                              \
    {op, mod, M_b64, {31, 32}}, {op, mod, M_u64, {31, 32}},                                        \
    {                                                                                              \
        op, mod, M_s64,                                                                            \
        {                                                                                          \
            31, 32                                                                                 \
        }                                                                                          \
    }
#define CARRY(op)                                                                                  \
    {op, M_cc, M_u64, {43, 0}},                                                                    \
    {                                                                                              \
        op, M_cc, M_s64,                                                                           \
        {                                                                                          \
            43, 0                                                                                  \
        }                                                                                          \
    }
#define HALF(op, version, target)  PAIRED(op, M_f16, M_f16x2, version, target)
#define BHALF(op, version, target) PAIRED(op, M_bf16, M_bf16x2, version, target)
#define PAIRED(op, one, two, version, target)                                                      \
    {op, one, ANY, {version, target}},                                                             \
    {                                                                                              \
        op, two, ANY,                                                                              \
        {                                                                                          \
            version, target                                                                        \
        }                                                                                          \
    }
#define EVICTED(op)                                                                                \
    {op, M_L1_hint, ANY, {74, 70}}, {op, M_L1_unchanged, ANY, {74, 70}},                           \
        {op, M_L1_first, ANY, {74, 70}}, {op, M_L1_last, ANY, {74, 70}},                           \
    {                                                                                              \
        op, M_L1_none, ANY,                                                                        \
        {                                                                                          \
            74, 70                                                                                 \
        }                                                                                          \
    }
#define ATOMIC(op)                                                                                 \
    EACH_SCOPE(SCOPED, op), EACH_ORDER(ORDERED, op), {op, M_cluster, ANY, {78, 90}},               \
        {op, M_add, M_f64, {50, 60}}, {op, M_f16x2, ANY, {62, 60}}, {op, M_f16, ANY, {63, 70}},    \
        {op, M_b16, ANY, {63, 70}}, WIDE(op, M_and), WIDE(op, M_or), WIDE(op, M_xor),              \
        WIDE(op, M_min), WIDE(op, M_max)
#define ACCESS(op)                                                                                 \
    EACH_ORDER(ORDERED, op), {op, M_weak, ANY, {60, 70}}, {op, M_mmio, ANY, {82, 70}},             \
        {op, M_shared_cta, ANY, {78, 30}}, {op, M_shared_cluster, ANY, {78, 90}}, EVICTED(op)

static const struct rule rules[] = {
    ACCESS(OP_ld),
    ACCESS(OP_st),
    ATOMIC(OP_atom),
    ATOMIC(OP_red),
    {OP_ld, M_nc, ANY, {31, 32}},
    {OP_ldmatrix, ANY, ANY, {65, 75}},
    {OP_ld, M_L2_64, ANY, {74, 75}},
    {OP_ld, M_L2_128, ANY, {74, 75}},
    {OP_ld, M_L2_256, ANY, {74, 80}},
    {OP_cp, ANY, ANY, {70, 80}},
    {OP_cp, M_shared_cta, ANY, {78, 30}},
    {OP_mbarrier, ANY, ANY, {70, 80}},
    {OP_mbarrier, M_parity, ANY, {71, 80}},
    {OP_mbarrier, M_try_wait, ANY, {78, 90}},
    {OP_mbarrier, M_expect_tx, ANY, {80, 90}},
    {OP_mbarrier, M_complete_tx, ANY, {80, 90}},
    {OP_mbarrier, M_shared_cta, ANY, {78, 30}},
    {OP_mbarrier, M_shared_cluster, ANY, {80, 90}},
    {OP_cp, M_L2_64, ANY, {74, 80}},
    {OP_cp, M_L2_128, ANY, {74, 80}},
    {OP_cp, M_L2_256, ANY, {74, 80}},
    {OP_cp, M_L2_hint, ANY, {74, 80}},
    {OP_bar, M_warp, ANY, {60, 30}},
    {OP_barrier, ANY, ANY, {60, 30}},
    {OP_vote, M_sync, ANY, {60, 30}},
    {OP_shfl, M_sync, ANY, {60, 30}},
    {OP_shfl, ANY, ANY, {30, 30}},
    {OP_match, ANY, ANY, {60, 70}},
    {OP_activemask, ANY, ANY, {62, 30}},
    {OP_redux, ANY, ANY, {70, 80}},
    {OP_wmma, ANY, ANY, {60, 70}},
    {OP_wmma, M_m32n8k16, ANY, {61, 70}},
    {OP_wmma, M_m8n32k16, ANY, {61, 70}},
    {OP_wmma, M_s8, ANY, {63, 72}},
    {OP_wmma, M_u8, ANY, {63, 72}},
    {OP_wmma, M_s32, ANY, {63, 72}},
    {OP_wmma, M_m8n8k32, ANY, {63, 75}},
    {OP_wmma, M_m8n8k128, ANY, {63, 75}},
    {OP_wmma, M_bf16, ANY, {70, 80}},
    {OP_wmma, M_m16n16k8, ANY, {70, 80}},
    {OP_wmma, M_f64, ANY, {70, 80}},
    {OP_wmma, M_and, M_popc, {71, 80}},
    {OP_cvt, M_pack, ANY, {65, 72}},
    {OP_cvt, M_pack, M_s4, {65, 75}},
    {OP_cvt, M_pack, M_u4, {65, 75}},
    {OP_cvt, M_pack, M_s2, {65, 75}},
    {OP_cvt, M_pack, M_u2, {65, 75}},
    {OP_mma, M_m8n8k4, M_f64, {70, 80}},
    {OP_mma, M_m8n8k4, M_f16, {64, 70}},
    {OP_mma, M_m8n8k16, ANY, {65, 75}},
    {OP_mma, M_m8n8k32, ANY, {65, 75}},
    {OP_mma, M_m8n8k128, ANY, {70, 75}},
    {OP_mma, M_and, M_popc, {71, 80}},
    {OP_mma, M_m16n8k8, ANY, {65, 75}},
    {OP_mma, M_bf16, ANY, {70, 80}},
    {OP_mma, M_tf32, ANY, {70, 80}},
    {OP_mma, M_m16n8k16, ANY, {70, 80}},
    {OP_mma, M_m16n8k32, ANY, {70, 80}},
    {OP_mma, M_m16n8k64, ANY, {70, 80}},
    {OP_mma, M_m16n8k128, ANY, {70, 80}},
    {OP_mma, M_m16n8k256, ANY, {70, 80}},
    {OP_mma, M_sp, ANY, {71, 80}},
    {OP_mma, M_sp_ordered, ANY, {85, 80}},
    {OP_fns, ANY, ANY, {60, 30}},
    {OP_nanosleep, ANY, ANY, {63, 70}},
    {OP_fence, ANY, ANY, {60, 70}},
    {OP_fence, M_cluster, ANY, {78, 90}},
    {OP_fence, M_proxy, ANY, {75, 70}},
    {OP_fence, M_proxy, M_async, {80, 90}},
    {OP_fence, M_mbarrier_init, ANY, {80, 90}},
    {OP_elect, ANY, ANY, {80, 90}},
    {OP_griddepcontrol, ANY, ANY, {78, 90}},
    CARRY(OP_add),
    CARRY(OP_addc),
    CARRY(OP_sub),
    CARRY(OP_subc),
    CARRY(OP_mad),
    CARRY(OP_madc),
    {OP_brx, ANY, ANY, {60, 30}},
    {OP_discard, ANY, ANY, {74, 80}},
    {OP_lop3, ANY, ANY, {43, 50}},
    {OP_lop3, M_and, ANY, {82, 70}},
    {OP_lop3, M_or, ANY, {82, 70}},
    {OP_shf, ANY, ANY, {31, 32}},
    {OP_dp4a, ANY, ANY, {50, 61}},
    {OP_dp2a, ANY, ANY, {50, 61}},
    {OP_tanh, ANY, ANY, {70, 75}},
    HALF(OP_ex2, 70, 75),
    HALF(OP_tanh, 70, 75),
    HALF(OP_add, 42, 53),
    HALF(OP_sub, 42, 53),
    HALF(OP_mul, 42, 53),
    HALF(OP_fma, 42, 53),
    HALF(OP_set, 42, 53),
    HALF(OP_setp, 42, 53),
    HALF(OP_neg, 60, 53),
    HALF(OP_abs, 65, 53),
    HALF(OP_min, 70, 80),
    HALF(OP_max, 70, 80),
    BHALF(OP_fma, 70, 80),
    BHALF(OP_min, 70, 80),
    BHALF(OP_max, 70, 80),
    BHALF(OP_abs, 70, 80),
    BHALF(OP_neg, 70, 80),
    BHALF(OP_add, 78, 90),
    BHALF(OP_sub, 78, 90),
    BHALF(OP_mul, 78, 90),
    BHALF(OP_setp, 78, 90),
    BHALF(OP_ex2, 78, 90),
    BHALF(OP_tanh, 78, 90),
    {OP_min, M_NaN, ANY, {70, 80}},
    {OP_max, M_NaN, ANY, {70, 80}},
    {OP_fma, M_relu, ANY, {70, 80}},
    {OP_cvt, M_f16x2, ANY, {70, 80}},
    {OP_cvt, M_bf16, ANY, {70, 80}},
    {OP_cvt, M_bf16x2, ANY, {70, 80}},
    {OP_cvt, M_tf32, ANY, {70, 80}},
    {OP_cvt, M_relu, ANY, {70, 80}},
    {OP_cvta, M_const, ANY, {31, 0}},
    {OP_cvta, M_param, ANY, {77, 70}},
    {OP_isspacep, M_const, ANY, {31, 0}},
    {OP_isspacep, M_param, ANY, {77, 70}},
    {OP_vadd2, ANY, ANY, {30, 30}},
    {OP_vsub2, ANY, ANY, {30, 30}},
    {OP_vavrg2, ANY, ANY, {30, 30}},
    {OP_vmin2, ANY, ANY, {30, 30}},
    {OP_vmax2, ANY, ANY, {30, 30}},
    {OP_vset2, ANY, ANY, {30, 30}},
    {OP_vabsdiff2, ANY, ANY, {30, 30}},
    {OP_vadd4, ANY, ANY, {30, 30}},
    {OP_vsub4, ANY, ANY, {30, 30}},
    {OP_vavrg4, ANY, ANY, {30, 30}},
    {OP_vmin4, ANY, ANY, {30, 30}},
    {OP_vmax4, ANY, ANY, {30, 30}},
    {OP_vset4, ANY, ANY, {30, 30}},
    {OP_vabsdiff4, ANY, ANY, {30, 30}},
};

static bool has(const struct opcode *op, uint8_t modifier)
{
    for (uint32_t i = 0; i < op->n_mods; i++)
        if (op->mods[i] == modifier)
            return true;
    return modifier == ANY;
}

static void raise(struct needs *all, struct needs one)
{
    all->version = one.version > all->version ? one.version : all->version;
    all->target = one.target > all->target ? one.target : all->target;
}

static struct needs opcode_needs(const struct opcode *op)
{
    struct needs all = {0, 0};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].operation == op->operation && has(op, rules[i].first) &&
            has(op, rules[i].second))
            raise(&all, rules[i].needs);
    return all;
}

static struct needs special_needs(uint32_t special)
{
    switch (special) {
    case SPECIAL_GLOBALTIMER:
    case SPECIAL_GLOBALTIMER_LO:
    case SPECIAL_GLOBALTIMER_HI:
        return (struct needs){31, 30};
    case SPECIAL_CLOCK_HI:
        return (struct needs){50, 0};
    case SPECIAL_DYNAMIC_SMEM:
    case SPECIAL_TOTAL_SMEM:
        return (struct needs){41, 0};
    default:
        return (struct needs){0, 0};
    }
}

/* Without .sync these two have left: sm_70's lanes need not be in step. */
static bool outlived(const struct unit *unit, const struct opcode *op)
{
    return (op->operation == OP_shfl || op->operation == OP_vote) && !has(op, M_sync) &&
           unit->version >= 64 && unit->architecture >= 70;
}

static char *remark(const struct unit *unit, const struct ast_inst *inst, struct needs needs)
{
    char line[500], which[60];
    const char *text = unit->text + inst->text;
    size_t from = 0, length;
    if (inst->text_length && text[0] == '@')
        from = strcspn(text, " \t") + strspn(text + strcspn(text, " \t"), " \t");
    length = strcspn(text + from, " \t\n;");
    snprintf(which, sizeof which, "%.*s", (int)(length < 50 ? length : 50), text + from);
    if (needs.version > unit->version)
        snprintf(line, sizeof line,
                 "%.200s:%u: %s is of PTX ISA %u.%u and .version %u.%u: other assemblers refuse it",
                 unit->name, inst->line, which, needs.version / 10u, needs.version % 10u,
                 unit->version / 10, unit->version % 10);
    else if (needs.target > unit->architecture)
        snprintf(line, sizeof line,
                 "%.200s:%u: %s is of sm_%u and .target sm_%u: other assemblers refuse it",
                 unit->name, inst->line, which, needs.target, unit->architecture);
    else
        snprintf(line, sizeof line,
                 "%.200s:%u: %s without .sync ends with PTX ISA 6.3 for sm_70 and above, and the "
                 "file has .version %u.%u and .target sm_%u: other assemblers refuse it",
                 unit->name, inst->line, which, unit->version / 10, unit->version % 10,
                 unit->architecture);
    return alloc_string(line);
}

static struct needs inst_needs(const struct unit *unit, const struct needs *of_opcodes,
                               const struct ast_inst *inst)
{
    struct needs needs = of_opcodes[inst->op];
    for (uint32_t i = 0; i < inst->n_operands; i++) {
        const struct ast_operand *operand = &unit->operands[inst->operands + i];
        if (operand->kind == OPERAND_SPECIAL)
            raise(&needs, special_needs(operand->index));
    }
    return needs;
}

char *isa_remark(const struct unit *unit)
{
    char *line = NULL;
    struct needs *of_opcodes = ALLOC_ARRAY(struct needs, unit->ops.count + 1);
    for (size_t i = 0; i < unit->ops.count; i++)
        of_opcodes[i] = opcode_needs(&unit->ops.items[i]);
    for (size_t i = 0; i < unit->n_insts && !line; i++) {
        const struct ast_inst *inst = &unit->insts[i];
        if (inst->op == NONE || inst->op == UNKNOWN_OP)
            continue;
        struct needs needs = inst_needs(unit, of_opcodes, inst);
        bool early = needs.version > unit->version ||
                     (unit->architecture && needs.target > unit->architecture);
        if (early || outlived(unit, &unit->ops.items[inst->op]))
            line = remark(unit, inst, needs);
    }
    free(of_opcodes);
    return line;
}
