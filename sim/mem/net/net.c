#include "sim/mem/net/net.h"

void net_classes_stats(const struct net_classes *c, uint64_t now, struct net_stats *stats)
{
    for (uint32_t i = 0; i < REQUEST_CLASSES; i++) {
        stats->of[i] = c->of[i];
        stats->of[i].ticks += c->held[i] * now;
    }
}

void net_stats_add(struct net_stats *sum, const struct net_stats *one)
{
    queue_stats_sum(&sum->inputs, &one->inputs);
    queue_stats_sum(&sum->outputs, &one->outputs);
    sum->messages += one->messages;
    sum->flits += one->flits;
    sum->stood += one->stood;
    for (uint32_t i = 0; i < REQUEST_CLASSES; i++) {
        sum->of[i].messages += one->of[i].messages;
        sum->of[i].flits += one->of[i].flits;
        sum->of[i].ticks += one->of[i].ticks;
    }
}
