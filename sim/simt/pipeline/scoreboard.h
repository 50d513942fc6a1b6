/* Scoreboard: registers that wait for a result, and instructions in the pipelines. All of it is in
 * this header. */
#ifndef EVGPU_SIMT_PIPELINE_SCOREBOARD_H
#define EVGPU_SIMT_PIPELINE_SCOREBOARD_H

#include "sim/simt/units.h"

struct scoreboard {
    uint64_t pending[SLOTS][REG_SET_WORDS];
    uint32_t pipe[SLOTS];       /* instructions in pipelines of known latency */
    uint64_t pipe_until[SLOTS]; /* when the last of them is done */
};

static inline void pending_clear(struct scoreboard *s, uint32_t w, const struct inst *inst)
{
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        s->pending[w][i] &= ~inst->def_set[i];
}

static inline void pending_set(struct scoreboard *s, uint32_t w, const struct inst *inst)
{
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        s->pending[w][i] |= inst->def_set[i];
}

/* Does the instruction touch a register that waits? */
static inline bool pending_use(const struct scoreboard *s, uint32_t w, const struct inst *i)
{
    const uint64_t *p = s->pending[w];
    return (p[0] & i->use_set[0]) | (p[1] & i->use_set[1]) | (p[2] & i->use_set[2]) |
           (p[3] & i->use_set[3]) | (p[4] & i->use_set[4]);
}

static inline bool pending_any(const struct scoreboard *s, uint32_t w)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        any |= s->pending[w][i];
    return any != 0;
}

static inline void pipe_until(struct scoreboard *s, uint32_t w, uint64_t cycle)
{
    if (cycle > s->pipe_until[w])
        s->pipe_until[w] = cycle;
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
    return s->pipe_until[w] > now ? s->pipe_until[w] - now : 1;
}

static inline void scoreboard_start(struct scoreboard *s, uint32_t w)
{
    s->pipe_until[w] = 0;
}

#endif
