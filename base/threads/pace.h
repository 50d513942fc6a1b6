/* Whether a team does its next pieces of work together, or the caller does them alone: whichever
 * takes less time here and now. To meet costs time that small pieces do not win back, and on a busy
 * computer a thread may be away for milliseconds.
 *
 * Pieces are counted in spells, whose time says what a piece costs in their way. The other way is
 * tried for a spell from time to time, the more seldom the more often it has lost, and at once when
 * the present one has become slower than the other was. A spell begins with pieces that move the
 * work from one processor's cache to another's; their time says nothing of those that follow. */
#ifndef EVGPU_BASE_PACE_H
#define EVGPU_BASE_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum pace_way { PACE_ALONE, PACE_TOGETHER, PACE_WAYS };

struct pace {
    enum pace_way way;      /* of the spell under way */
    enum pace_way better;   /* as far as is known */
    uint32_t left, counted; /* pieces of this spell: to come; done since `began` */
    bool moving;            /* its first pieces */
    uint32_t calm, spells;  /* from one try to the next: in all, left */
    uint64_t began;         /* ns */
    double cost[PACE_WAYS]; /* ns for a piece, the last time; 0: not known */
};

void pace_create(struct pace *p, uint64_t now);

/* To be asked before each piece. True: pace_turn has to follow first. */
static inline bool pace_over(const struct pace *p)
{
    return !p->left;
}

/* Part of a spell is over at `now`, in ns of a clock that only grows. */
void pace_turn(struct pace *p, uint64_t now);

/* How the next piece is done. */
static inline enum pace_way pace_next(struct pace *p)
{
    p->left--;
    p->counted++;
    return p->way;
}

/* A thread has been away. A spell that has taken longer than a whole one of the other way is over.
 */
void pace_hurt(struct pace *p, uint64_t now);

#endif
