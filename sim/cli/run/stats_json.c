#include "sim/cli/run/stats_json.h"

#include "sim/cli/run/gpu_fields.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/simt/lsu/lsu.h"

static void put(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void put_mean(json_t *object, const char *key, uint64_t sum, uint64_t count)
{
    json_object_set_new(object, key, json_real(count ? (double)sum / (double)count : 0));
}

#define PUT(key, value, unit, meaning)             put(j, #key, value);
#define PUT_MEAN(key, sum, count, unit, meaning)   put_mean(j, #key, sum, count);
#define PUT_QUEUE(key, queue, meaning)             json_object_set_new(j, #key, json_of_queue(queue));
#define PUT_CLASS(key, number)                     json_object_set_new(j, #key, json_of_class(m, number));
#define PUT_ENTRY(none, key, value, unit, meaning) put(j, #key, value);
#define PUT_REQUESTS(key, number, meaning)         put(j, #key, m->fe.requests[number]);
#define PUT_WAITED(key, number, meaning)           put(j, #key, m->fe.waited[number]);

static json_t *json_of_flushes(const struct core_stats *c)
{
    json_t *j = json_object();
    FLUSH_FIELDS(PUT)
    return j;
}

static json_t *json_of_lsu_holds(const struct core_stats *c)
{
    json_t *j = json_object();
    LSU_FIELDS(PUT)
    return j;
}

static json_t *json_of_cores(const struct core_stats *c)
{
    json_t *j = json_object();
    CORE_FIELDS(PUT)
    json_object_set_new(j, "load_store_held", json_of_lsu_holds(c));
    json_object_set_new(j, "flush_cycles", json_of_flushes(c));
    return j;
}

static json_t *json_of_queue(const struct queue_stats *q)
{
    json_t *j = json_object();
    QUEUE_FIELDS(PUT_ENTRY, )
    return j;
}

static json_t *json_of_queues(const struct memsys_stats *m)
{
    json_t *j = json_object();
    QUEUES(PUT_QUEUE)
    return j;
}

static json_t *json_of_refusals(const struct memsys_stats *m)
{
    json_t *j = json_object();
    REFUSAL_FIELDS(PUT)
    return j;
}

static json_t *json_of_class(const struct memsys_stats *m, enum request_class number)
{
    const struct bank_class *l2 = &m->l2.of[number];
    const struct class_stats *to = &m->request_net.of[number], *from = &m->reply_net.of[number];
    json_t *j = json_object();
    CLASS_FIELDS(PUT)
    CLASS_MEANS(PUT_MEAN)
    return j;
}

static json_t *json_of_classes(const struct memsys_stats *m)
{
    json_t *j = json_object();
    CLASSES(PUT_CLASS)
    return j;
}

static json_t *json_of_region_requests(const struct memsys_stats *m)
{
    json_t *j = json_object();
    REGION_QUEUES(PUT_REQUESTS)
    return j;
}

static json_t *json_of_region_waits(const struct memsys_stats *m)
{
    json_t *j = json_object();
    REGION_QUEUES(PUT_WAITED)
    return j;
}

static json_t *json_of_region(const struct memsys_stats *m)
{
    json_t *j = json_object();
    REGION_FIELDS(PUT)
    json_object_set_new(j, "requests", json_of_region_requests(m));
    json_object_set_new(j, "cycles_until_memory", json_of_region_waits(m));
    return j;
}

static json_t *json_of_memory(const struct memsys_stats *m)
{
    json_t *j = json_object();
    MEMORY_FIELDS(PUT)
    json_object_set_new(j, "refusals", json_of_refusals(m));
    json_object_set_new(j, "queues", json_of_queues(m));
    json_object_set_new(j, "classes", json_of_classes(m));
    if (m->fe.lines)
        json_object_set_new(j, "region", json_of_region(m));
    return j;
}

static json_t *json_of_each_core(const struct gpu_stats *s)
{
    json_t *j = json_array();
    for (uint32_t i = 0; i < s->n_cores; i++)
        json_array_append_new(j, json_of_cores(&s->core[i]));
    return j;
}

static json_t *json_of_processor(const struct pp_stats *p)
{
    json_t *j = json_object();
    json_t *refused = json_object();
    PROCESSOR_FIELDS(PUT)
    for (int i = 0; i < PP_DEFECTS; i++)
        put(refused, pp_defect_name((enum pp_defect)i), p->defects[i]);
    json_object_set_new(j, "refused", refused);
    return j;
}

static json_t *json_of_paths(const struct gpu_stats *s)
{
    json_t *j = json_object();
    PATH_FIELDS(PUT)
    return j;
}

static json_t *json_of_rooms(const struct gpu_stats *s)
{
    json_t *j = json_object();
    ROOM_FIELDS(PUT)
    return j;
}

static json_t *json_of_rejected(const struct gpu_stats *s)
{
    json_t *j = json_object();
    REJECTED_FIELDS(PUT)
    return j;
}

static json_t *json_of_lost(const struct gpu_stats *s)
{
    json_t *j = json_object();
    LOST_FIELDS(PUT)
    return j;
}

json_t *json_of_gpu(const struct gpu_stats *s)
{
    json_t *j = json_object();
    GPU_FIELDS(PUT)
    json_object_set_new(j, "events_by_path", json_of_paths(s));
    json_object_set_new(j, "doorbells_rejected", json_of_rejected(s));
    json_object_set_new(j, "completion_flags_lost", json_of_lost(s));
    if (s->rooms.on)
        json_object_set_new(j, "event_room", json_of_rooms(s));
    if (s->processor_used)
        json_object_set_new(j, "packet_processor", json_of_processor(&s->processor));
    json_object_set_new(j, "cores", json_of_cores(&s->cores));
    json_object_set_new(j, "per_core", json_of_each_core(s));
    json_object_set_new(j, "memory", json_of_memory(&s->mem));
    return j;
}
