#include "base/threads/pace.h"

#define MOVING 256u  /* pieces of a spell whose time does not count */
#define SPELL  1024u /* the others */
#define FEW    128u  /* of these: fewer tell nothing */

/* Spells between two tries. */
#define CALM_LEAST 4u
#define CALM_MOST  64u

static void begin(struct pace *p, uint64_t now, uint32_t pieces)
{
    p->began = now;
    p->left = pieces;
    p->counted = 0;
}

void pace_create(struct pace *p, uint64_t now)
{
    *p = (struct pace){
        .way = PACE_TOGETHER, .better = PACE_TOGETHER, .calm = CALM_LEAST, .spells = CALM_LEAST};
    p->moving = true;
    begin(p, now, MOVING);
}

static enum pace_way other(enum pace_way way)
{
    return way == PACE_ALONE ? PACE_TOGETHER : PACE_ALONE;
}

/* The other way has been tried. */
static void judge(struct pace *p)
{
    if (p->cost[p->way] < p->cost[p->better]) {
        p->better = p->way;
        p->calm = CALM_LEAST;
    } else {
        p->calm = p->calm < CALM_MOST ? p->calm * 2 : CALM_MOST;
    }
    p->spells = p->calm;
    p->way = p->better;
}

void pace_turn(struct pace *p, uint64_t now)
{
    if (p->moving) {
        p->moving = false;
        begin(p, now, SPELL);
        return;
    }
    enum pace_way before = p->way;
    if (p->counted >= FEW)
        p->cost[before] = (double)(now - p->began) / p->counted;
    if (p->way != p->better)
        judge(p);
    else if (!p->spells-- || p->cost[p->way] > p->cost[other(p->way)])
        p->way = other(p->way);
    p->moving = p->way != before;
    begin(p, now, p->moving ? MOVING : SPELL);
}

void pace_hurt(struct pace *p, uint64_t now)
{
    if (!p->counted || (double)(now - p->began) < SPELL * p->cost[other(p->way)])
        return;
    p->moving = false;
    p->left = 0;
}
