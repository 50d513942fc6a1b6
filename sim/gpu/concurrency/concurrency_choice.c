/* Names of the policies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/gpu/concurrency/concurrency.h"

#define K_STEP 32u /* CM-BAL 5: k of CM-BAL_1 to _4 is 32, 64, 96, 128 */
#define K_MOST 2047u

static bool number(const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    *value = (uint32_t)n;
    return *text >= '0' && *text <= '9' && !*end && n >= low && n <= high;
}

/* Leaves k as it is where none is written. */
static bool parse_k(const char *rest, uint32_t *k)
{
    return !*rest || (!strncmp(rest, ":k=", 3) && number(rest + 3, 0, K_MOST, k));
}

static bool parse_bal(const char *rest, struct concurrency_choice *choice)
{
    choice->policy = CONCURRENCY_CM_BAL;
    choice->k = CONCURRENCY_INI_K;
    if (parse_k(rest, &choice->k))
        return true;
    uint32_t user_level;
    if (!number(rest, 1, 4, &user_level))
        return false;
    choice->k = K_STEP * user_level;
    return true;
}

bool concurrency_parse(const char *text, struct concurrency_choice *choice, struct error *err)
{
    *choice = (struct concurrency_choice){.policy = CONCURRENCY_OFF};
    snprintf(choice->name, sizeof choice->name, "%s", text);
    if (!strcmp(text, "off"))
        return true;
    if (!strncmp(text, "fixed:", 6)) {
        choice->policy = CONCURRENCY_FIXED;
        return number(text + 6, 1, EVG_CM_LEVEL_8, &choice->limit) ||
               error_set(err, "--concurrency %s: the limit must be 1 to %d warps", text,
                         EVG_CM_LEVEL_8);
    }
    if (!strcmp(text, "cm-cpu")) {
        choice->policy = CONCURRENCY_CM_CPU;
        return true;
    }
    if (!strncmp(text, "cm-bal", 6) && parse_bal(text + 6, choice))
        return true;
    choice->k = EVG_CM_NEXT_K;
    if (!strncmp(text, "cm-next", 7) && parse_k(text + 7, &choice->k)) {
        choice->policy = CONCURRENCY_CM_NEXT;
        return true;
    }
    if (!strcmp(text, "ccws"))
        return error_set(err,
                         "--concurrency ccws: not supported, since L1 has no victim tags; use "
                         "fixed:N for a static limit, dyncta to limit blocks by latency tolerance");
    choice->tuned = !strcmp(text, "dyncta-tuned");
    choice->policy = CONCURRENCY_DYNCTA;
    return choice->tuned || !strcmp(text, "dyncta") ||
           error_set(err,
                     "--concurrency %s: must be off, fixed:N (1 to %d warps), cm-cpu, cm-bal1 to "
                     "cm-bal4, cm-bal:k=K (0 to %u), cm-bal, cm-next, cm-next:k=K, dyncta or "
                     "dyncta-tuned",
                     text, EVG_CM_LEVEL_8, K_MOST);
}
