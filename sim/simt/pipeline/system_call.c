#include "sim/simt/pipeline/system_call.h"

#include <stdio.h>
#include <string.h>

#include "sim/simt/check/check.h"
#include "sim/simt/pipeline/print_format.h"
#include "sim/simt/warp/slots.h"

#define LONGEST_LINE 16384 /* of one printf of one thread */

struct thread {
    struct slots *slots;
    uint32_t warp, lane;
};

/* As a load would. */
static const uint8_t *device_memory_at(const struct image *image, uint32_t owner, uint64_t address,
                                       uint64_t bytes)
{
    uint64_t low, high;
    bool there = image_span(image, owner, address, false, false, &low, &high);
    return there && bytes <= high - address ? image->base + address : NULL;
}

static const uint8_t *memory_at(void *user, uint64_t address, uint64_t bytes)
{
    const struct thread *t = user;
    const struct image *image = t->slots->env.image;
    const struct warp *warp = warp_of(&t->slots->warps, t->warp);
    if (address < SHARED_WINDOW)
        return device_memory_at(image, warp->kernel->owner, address, bytes);
    if (address < LOCAL_WINDOW) {
        uint64_t offset = address - SHARED_WINDOW;
        bool inside = bytes <= warp->shared_bytes && offset <= warp->shared_bytes - bytes;
        return inside ? warp->shared + offset : NULL;
    }
    uint64_t offset = address - LOCAL_WINDOW, local = warp->kernel->local_bytes;
    if (bytes > local || offset > local - bytes)
        return NULL;
    return image->base + warp->local + (uint64_t)t->lane * warp->local_lane + offset;
}

static void print(const struct thread *t, bool is_error, const char *text)
{
    struct slots *slots = t->slots;
    if (slots->env.print && *text)
        outbox_print(&slots->outbox, warp_of(&slots->warps, t->warp)->kernel, is_error, text,
                     strlen(text));
}

/* In the words of CUDA's message. */
static void print_assertion(struct thread *t, const struct thread_memory *memory,
                            const uint64_t argument[SYSTEM_CALL_ARGUMENTS])
{
    const struct lane_ctx *ctx = warp_ctx(&t->slots->warps, t->warp);
    char expression[512], file[512], function[512], text[2048];
    print_string(memory, argument[0], expression, sizeof expression);
    print_string(memory, argument[1], file, sizeof file);
    print_string(memory, argument[3], function, sizeof function);
    snprintf(text, sizeof text,
             "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
             (uint32_t)argument[2], function, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2],
             ctx->tid[0][t->lane], ctx->tid[1][t->lane], ctx->tid[2][t->lane], expression);
    print(t, true, text);
}

static bool fail_assertion(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                           uint64_t expression)
{
    struct thread t = {slots, w, lane};
    struct thread_memory memory = {memory_at, &t};
    char text[128], what[160];
    print_string(&memory, expression, text, sizeof text);
    snprintf(what, sizeof what, "assertion `%s` failed", text);
    fail_at(slots, w, inst, lane, FAULT_ASSERT, what);
    return false;
}

static uint64_t malloc_memory(const struct slots *slots, uint32_t w, const struct inst *inst,
                              uint64_t bytes)
{
    return slots->env.heap_alloc
               ? slots->env.heap_alloc(slots->env.user, bytes, warp_of(&slots->warps, w)->kernel,
                                       inst->line)
               : 0;
}

static bool free_memory(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                        uint64_t address)
{
    char text[96];
    if (!address ||
        (slots->env.heap_free &&
         slots->env.heap_free(slots->env.user, address, warp_of(&slots->warps, w)->kernel)))
        return true;
    snprintf(text, sizeof text, "free of 0x%llx, which malloc did not return to this program",
             (unsigned long long)address);
    fail_at(slots, w, inst, lane, FAULT_ADDRESS, text);
    return false;
}

static bool print_formatted(struct thread *t, const struct inst *inst,
                            const struct thread_memory *memory,
                            const uint64_t argument[SYSTEM_CALL_ARGUMENTS], uint64_t *result)
{
    char text[LONGEST_LINE];
    int n = print_format(memory, argument[0], argument[1], text, sizeof text);
    if (n == -2) {
        fail_at(t->slots, t->warp, inst, t->lane, FAULT_ADDRESS,
                "printf: the format or an argument is not in the program's memory");
        return false;
    }
    print(t, false, text);
    *result = (uint64_t)(int64_t)n;
    return true;
}

/* The registers of the call stay as they are until the meeting, since the warp issues nothing more
 * in this cycle. */
static void call_later(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct out_item *item = outbox_add(&slots->outbox, OUT_SERVICE);
    item->call.inst = inst;
    item->call.warp = w;
    item->call.mask = mask;
}

static struct core_launch launch_from(const struct slots *slots, uint32_t w,
                                      const struct inst *inst)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    return (struct core_launch){
        .grid = warp_of(&slots->warps, w)->grid,
        .block = (ctx->ctaid[2] * (uint64_t)ctx->nctaid[1] + ctx->ctaid[1]) * ctx->nctaid[0] +
                 ctx->ctaid[0],
        .ptx_line = inst->line};
}

#define NOT_SUPPORTED 801u /* cudaErrorNotSupported */

/* A launch, or a question about launches. An event of one warp has no grid and launches nothing. */
static uint64_t call_launches(const struct slots *slots, uint32_t w, const struct inst *inst,
                              enum system_call call, const uint64_t *argument)
{
    const struct core_env *env = &slots->env;
    struct core_launch from = launch_from(slots, w, inst);
    bool there = env->launch && from.grid;
    switch (call) {
    case SYSTEM_CALL_LAUNCH_BUFFER:
        return there ? env->launch_buffer(env->user, &from, argument[0]) : 0;
    case SYSTEM_CALL_LAUNCH:
        return there ? env->launch(env->user, &from, argument[0], argument[1]) : NOT_SUPPORTED;
    default:
        return there ? env->launches(env->user, &from, (uint32_t)argument[0]) : 0;
    }
}

bool system_call_service(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    uint64_t argument[SYSTEM_CALL_ARGUMENTS];
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t result = 0;
        enum system_call call = isa_system_call(inst, ctx, lane, argument);
        switch (call) {
        case SYSTEM_CALL_MALLOC:
            result = malloc_memory(slots, w, inst, argument[0]);
            if (slots->env.check)
                check_malloc(slots, result, argument[0]);
            break;
        case SYSTEM_CALL_FREE:
            if (!free_memory(slots, w, inst, lane, argument[0]))
                return false;
            break;
        default:
            result = call_launches(slots, w, inst, call, argument);
            if (slots->env.check && call == SYSTEM_CALL_LAUNCH_BUFFER)
                check_malloc(slots, result, argument[0]);
            break;
        }
        isa_system_call_result(inst, ctx, lane, result);
    }
    return true;
}

bool system_call_now(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask)
{
    uint64_t argument[SYSTEM_CALL_ARGUMENTS];
    enum system_call call =
        isa_system_call(inst, warp_ctx(&slots->warps, w), lowest(mask), argument);
    return call != SYSTEM_CALL_PRINT && call != SYSTEM_CALL_ASSERT
               ? system_call_service(slots, w, inst, mask)
               : system_call_issue(slots, w, inst, mask);
}

/* Lane after lane, so that the order of the output does not depend on anything else. */
bool system_call_issue(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    uint64_t argument[SYSTEM_CALL_ARGUMENTS], expression = 0;
    bool ok = true, failed = false;
    for (uint32_t m = mask; m && ok; m &= m - 1) {
        struct thread t = {slots, w, lowest(m)};
        struct thread_memory memory = {memory_at, &t};
        uint64_t result = 0;
        switch (isa_system_call(inst, ctx, t.lane, argument)) {
        case SYSTEM_CALL_PRINT:
            ok = print_formatted(&t, inst, &memory, argument, &result);
            break;
        case SYSTEM_CALL_ASSERT:
            print_assertion(&t, &memory, argument);
            expression = argument[0];
            failed = true;
            break;
        default:
            call_later(slots, w, inst, mask);
            return true;
        }
        isa_system_call_result(inst, ctx, t.lane, result);
    }
    return failed ? fail_assertion(slots, w, inst, lowest(mask), expression) : ok;
}
