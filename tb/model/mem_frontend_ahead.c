/* Golden model of fe_look_ahead: a queue with several heads. */
#include <string.h>

#include "tb/model/mem_frontend_state.h"

enum { NONE = -1 };

/* Its trigger lets it go, and no older head is of its row. */
static bool can_be_chosen(const struct fe_lane *lane, uint32_t i)
{
    const struct fe_ahead *head = &lane->heads[i];
    if (head->state != FE_HEAD_READY && !(head->state == FE_HEAD_BLOCKED && head->released))
        return false;
    for (uint32_t older = 0; older < i; older++)
        if (lane->heads[older].request.line == head->request.line)
            return false;
    return true;
}

void fe_ahead_decide(const struct fe_model *m, struct fe_events *e)
{
    const struct fe_lane *lane = &m->lanes[FE_QUEUE_GPU];
    e->chooses = NONE;
    bool looking = false;
    for (uint32_t i = 0; i < lane->n_heads; i++) {
        bool leaves = e->leaves == FE_QUEUE_GPU && lane->chosen == (int32_t)i;
        if (e->chooses == NONE && !leaves && can_be_chosen(lane, i))
            e->chooses = (int32_t)i;
        looking |= lane->heads[i].state == FE_HEAD_NEW;
    }
    e->loads = lane->look_ahead > 1 && lane->count && lane->n_heads < lane->look_ahead && !looking;
}

void fe_ahead_step(struct fe_lane *lane, bool leaves, const struct fe_events *e)
{
    int32_t left = leaves ? lane->chosen : NONE;
    lane->moved = left == 0;
    lane->chosen = e->chooses - (left != NONE && e->chooses > left ? 1 : 0);
    if (left != NONE) {
        lane->n_heads--;
        memmove(&lane->heads[left], &lane->heads[left + 1],
                (lane->n_heads - (uint32_t)left) * sizeof *lane->heads);
    }
    if (!e->loads)
        return;
    lane->heads[lane->n_heads++] = (struct fe_ahead){
        .request = lane->items[lane->first], .state = FE_HEAD_NEW, .released = lane->releases > 0};
    lane->first = (lane->first + 1) % EVG_FE_QUEUE_DEPTH;
    lane->count--;
    if (lane->releases)
        lane->releases--;
}

bool fe_ahead_still(const struct fe_lane *lane)
{
    for (uint32_t i = 0; i < lane->n_heads; i++)
        if (lane->heads[i].state != FE_HEAD_BLOCKED || lane->heads[i].released)
            return false;
    return lane->chosen == NONE && !(lane->count && lane->n_heads < lane->look_ahead);
}
