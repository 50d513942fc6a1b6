/* Victim selection of the golden model (contract: rtl/edge/victim_select.v). */
#include "tb/model/sm_event_unit_state.h"
#include "tb/model/victim/policy.h"

enum {
    ANSWER_TO_DONE = 4, /* edges from the last answer of a scan to the decision */
    ANSWER_TO_CONFIRMED = 1,
};

static bool holds(const struct seu *m, uint32_t warp)
{
    for (uint32_t e = 0; e < EVG_PEWT_ENTRIES; e++) {
        const struct seu_entry *entry = &m->table[e];
        if (entry->warp == warp && (entry->state == PEWT_STATE_RUNNING || entry->back_owed))
            return true;
    }
    return false;
}

bool seu_ready_warp(const struct seu *m, const struct sm_event_unit_in *in, uint8_t *warp,
                    bool *drop)
{
    bool found = false;
    for (uint8_t w = 0; w < EVG_MAX_WARPS; w++) {
        bool loads = in->cand_drop >> w & 1;
        if (!(in->cand_now >> w & 1) || holds(m, w) || (found && (loads || !*drop)))
            continue;
        found = true;
        *warp = w;
        *drop = loads;
    }
    return found;
}

static bool eligible(const struct seu *m, const struct sm_event_unit_in *in, uint32_t lane)
{
    uint32_t warp = in->cand_group * (uint32_t)EVG_SCAN_LANES + lane;
    bool enough = m->any || victim_registers(in, lane) >= m->event_regs;
    return (in->cand_ok >> lane & 1) && enough && !holds(m, warp) && !(m->tried >> warp & 1);
}

static bool is_last_group(const struct sm_event_unit_in *in, uint32_t group)
{
    return group + 1 >= in->cfg_warp_groups || group + 1 == EVG_MAX_WARPS / EVG_SCAN_LANES;
}

void seu_select_answer(struct seu *m, const struct sm_event_unit_in *in,
                       const struct sm_event_unit_out *old)
{
    struct seu_select *select = &m->select;
    if (!old->cand_req)
        return;
    bool answered = in->cand_valid && in->cand_group == old->cand_req_group;
    if (!select->scanning) {
        select->confirm_ok = answered && eligible(m, in, old->vic_warp % EVG_SCAN_LANES);
        select->confirm_in = ANSWER_TO_CONFIRMED;
        return;
    }
    const struct victim_rule *policy = victim_policy_of(in->cfg_policy);
    for (uint32_t lane = 0; answered && lane < EVG_SCAN_LANES; lane++) {
        if (!eligible(m, in, lane))
            continue;
        uint32_t key = policy->key(in, lane);
        if (!select->found || key < select->key) {
            select->found = true;
            select->key = key;
            select->warp = (uint8_t)(in->cand_group * EVG_SCAN_LANES + lane);
        }
    }
    if (is_last_group(in, old->cand_req_group))
        select->done_in = ANSWER_TO_DONE;
}

static bool count_down(uint8_t *edges)
{
    return *edges > 0 && --*edges == 0;
}

bool seu_select_done(struct seu_select *select)
{
    return count_down(&select->done_in);
}

bool seu_select_confirmed(struct seu_select *select)
{
    return count_down(&select->confirm_in);
}

void seu_select_request(struct seu *m, const struct sm_event_unit_in *in,
                        const struct sm_event_unit_out *old, const struct seu_actions *act)
{
    if (act->stop) {
        m->select.done_in = m->select.confirm_in = 0;
        m->out.cand_req = 0;
    } else if (act->scan) {
        m->select.scanning = true;
        m->select.found = false;
        m->out.cand_req = 1;
        m->out.cand_req_group = 0;
    } else if (act->confirm) {
        m->select.scanning = false;
        m->out.cand_req = 1;
        m->out.cand_req_group = m->select.warp / EVG_SCAN_LANES;
    } else if (old->cand_req && m->select.scanning && !is_last_group(in, old->cand_req_group)) {
        m->out.cand_req_group = (uint8_t)(old->cand_req_group + 1);
    } else {
        m->out.cand_req = 0;
    }
}
