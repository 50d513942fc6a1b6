/* A packet service's promise after the run: did it hold? */
#include <stdio.h>

#include "sim/guest/figures.h"
#include "sim/guest/service/packet_internal.h"

static double us_of_ns(uint64_t ns)
{
    return (double)ns / 1000;
}

static double us_of_cycles(const struct packet_service *s, uint64_t cycles)
{
    return (double)cycles * 1000 / machine_config(s->machine)->core_khz;
}

/* 99th percentile of the packets that it is about, in microseconds. */
static double p99_us(const struct packet_service *s)
{
    return us_of_cycles(s, histogram_summarise(&s->figures.within_rate).p99);
}

static bool held(const struct packet_service *s)
{
    return p99_us(s) <= us_of_ns(s->options.promise.p99_ns);
}

bool packet_promise_held(struct packet_service *s, struct error *err)
{
    const struct packet_promise *p = &s->options.promise;
    packet_figures(s);
    return !p->p99_ns || held(s) ||
           error_set(err,
                     "%s: the promise is broken: the p99 is %.2f us over %llu packets within the "
                     "rate, and %.2f us were promised",
                     guest_name(s->guest), p99_us(s),
                     (unsigned long long)s->figures.within_rate.count, us_of_ns(p->p99_ns));
}

void packet_print_promise(const struct packet_service *s, FILE *to)
{
    const struct packet_promise *p = &s->options.promise;
    const struct packet_figures *f = &s->figures;
    if (p->rate)
        fprintf(to,
                "Declared rate         %u packets/s, %u at once: %llu packets within, %llu over it "
                "%s\n",
                p->rate, p->burst, (unsigned long long)f->within_rate.count,
                (unsigned long long)f->nic.over_rate, s->options.drop ? "dropped" : "held");
    if (p->p99_ns)
        fprintf(to, "Promise               p99 of %.2f us: %.2f us, %s\n", us_of_ns(p->p99_ns),
                p99_us(s), held(s) ? "held" : "BROKEN");
}

json_t *packet_json_promise(const struct packet_service *s)
{
    const struct packet_promise *p = &s->options.promise;
    const struct packet_figures *f = &s->figures;
    json_t *j = json_pack("{s:I, s:I, s:I, s:I}", "rate", (json_int_t)p->rate, "burst",
                          (json_int_t)p->burst, "packets_within", (json_int_t)f->within_rate.count,
                          "packets_over", (json_int_t)f->nic.over_rate);
    json_object_set_new(j, "latency_cycles", figures_json_histogram(&f->within_rate));
    if (!p->p99_ns)
        return j;
    json_object_set_new(j, "p99_us", json_real(us_of_ns(p->p99_ns)));
    json_object_set_new(j, "measured_p99_us", json_real(p99_us(s)));
    json_object_set_new(j, "worst_us", json_real(us_of_ns(p->worst_ns)));
    json_object_set_new(j, "event_us", json_real(us_of_ns(p->event_ns)));
    json_object_set_new(j, "held", json_boolean(held(s)));
    return j;
}
