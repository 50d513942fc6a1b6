/* Scoreboard: registers that wait for a result, instructions in the pipelines, and the order in
 * which they issued. All of it is in this header. */
#ifndef EVGPU_SIMT_WARP_SCOREBOARD_H
#define EVGPU_SIMT_WARP_SCOREBOARD_H

#include "base/alloc.h"
#include "sim/simt/warp/units.h"

/* A warp's, together in a line of the host's cache. */
struct score {
    uint64_t pending[REG_SET_WORDS];
    uint64_t pipe_until; /* when the last instruction in a pipeline of known latency is done */
    uint64_t issued;     /* instructions; the number of the last one */
    uint64_t final;      /* youngest instruction that a replay of loads must not repeat */
};

struct scoreboard {
    _Alignas(CACHE_LINE) struct score of[SLOTS];
    uint16_t pipe[SLOTS]; /* instructions in pipelines of known latency */
};

/* Of a register set: its words that few-register instructions have, and all others. */
#define REG_SET_FIRST 0
#define REG_SET_PREDS (REG_SET_WORDS - 1)

static inline void pending_clear(struct scoreboard *s, uint32_t w, const struct inst *inst)
{
    uint64_t *p = s->of[w].pending;
    p[REG_SET_FIRST] &= ~inst->def_set[REG_SET_FIRST];
    p[REG_SET_PREDS] &= ~inst->def_set[REG_SET_PREDS];
    for (uint32_t i = 1; inst->many_regs && i < REG_SET_PREDS; i++)
        p[i] &= ~inst->def_set[i];
}

static inline void pending_set(struct scoreboard *s, uint32_t w, const struct inst *inst)
{
    uint64_t *p = s->of[w].pending;
    p[REG_SET_FIRST] |= inst->def_set[REG_SET_FIRST];
    p[REG_SET_PREDS] |= inst->def_set[REG_SET_PREDS];
    for (uint32_t i = 1; inst->many_regs && i < REG_SET_PREDS; i++)
        p[i] |= inst->def_set[i];
}

/* Does the instruction touch a register that waits? */
static inline bool pending_use(const struct scoreboard *s, uint32_t w, const struct inst *i)
{
    const uint64_t *p = s->of[w].pending;
    uint64_t waits = (p[REG_SET_FIRST] & i->use_set[REG_SET_FIRST]) |
                     (p[REG_SET_PREDS] & i->use_set[REG_SET_PREDS]);
    for (uint32_t k = 1; i->many_regs && k < REG_SET_PREDS; k++)
        waits |= p[k] & i->use_set[k];
    return waits != 0;
}

static inline bool pending_any(const struct scoreboard *s, uint32_t w)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        any |= s->of[w].pending[i];
    return any != 0;
}

static inline void pipe_until(struct scoreboard *s, uint32_t w, uint64_t cycle)
{
    if (cycle > s->of[w].pipe_until)
        s->of[w].pipe_until = cycle;
}

static inline void pipe_enter(struct scoreboard *s, uint32_t w, uint64_t until)
{
    s->pipe[w]++;
    pipe_until(s, w, until);
}

static inline void pipe_leave(struct scoreboard *s, uint32_t w)
{
    s->pipe[w]--;
}

static inline uint32_t pipe_count(const struct scoreboard *s, uint32_t w)
{
    return s->pipe[w];
}

/* Cycles until the last one is done; 0: there is none. */
static inline uint64_t pipe_left(const struct scoreboard *s, uint32_t w, uint64_t now)
{
    if (!s->pipe[w])
        return 0;
    return s->of[w].pipe_until > now ? s->of[w].pipe_until - now : 1;
}

static inline void scoreboard_start(struct scoreboard *s, uint32_t w)
{
    s->of[w].pipe_until = 0;
    s->of[w].issued = 0;
    s->of[w].final = 0;
}

/* --- the order of issue ----------------------------------------------------------------------- */

/* Number of the instruction that is being issued, or was issued last. */
static inline uint64_t issue_number(const struct scoreboard *s, uint32_t w)
{
    return s->of[w].issued;
}

/* The warp issues an instruction; its number. */
static inline uint64_t issue_count(struct scoreboard *s, uint32_t w)
{
    return ++s->of[w].issued;
}

/* It has not issued after all. */
static inline void issue_uncount(struct scoreboard *s, uint32_t w)
{
    s->of[w].issued--;
}

static inline uint64_t issue_final(const struct scoreboard *s, uint32_t w)
{
    return s->of[w].final;
}

/* An instruction that cannot be repeated has issued, or a load in front of it has completed. */
static inline void issue_pass(struct scoreboard *s, uint32_t w, uint64_t number)
{
    if (number > s->of[w].final)
        s->of[w].final = number;
}

#endif
