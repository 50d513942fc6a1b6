#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/service/ipsec.h"
#include "sim/guest/service/packet_setup.h"
#include "sw/services/ipsec/espgen.h"
#include "sw/services/ipsec/sealgen.h"

#define ETHERTYPE_IPV4  0x0800
#define DEFAULT_TUNNELS 64u
#define DEFAULT_PAYLOAD 256u    /* encrypted bytes: one block of 3DES for each lane */
#define DEFAULT_RATE    1000000 /* packets per second; each is an event */
#define MOST_ICV        32u

struct setup {
    struct packet_setup packets;
    struct ipsec_inputs inputs;
    const char *sas_path; /* NULL: generated */
    uint32_t tunnels, payload;
    enum esp_cipher cipher;
    bool sends;
    struct espgen *generator; /* of what is received */
    struct sealgen *sealed;   /* of what is to be sent */
};

static const struct capture_filter frames = {"IPv4", ETHERTYPE_IPV4, false};

static void release(void *prepared)
{
    struct setup *u = prepared;
    packet_setup_free(&u->packets);
    espgen_destroy(u->generator);
    sealgen_destroy(u->sealed);
    sas_free(&u->inputs.sas);
    free(u);
}

static bool take_cipher(struct setup *u, const char *name, struct error *err)
{
    for (uint32_t c = 0; name && c < ESP_CIPHERS; c++) {
        if (!strcmp(name, cipher_name((enum esp_cipher)c))) {
            u->cipher = (enum esp_cipher)c;
            return true;
        }
    }
    return error_set(err, "cipher %s: must be 3des or aes128", name ? name : "");
}

static bool take_direction(struct setup *u, const char *name, struct error *err)
{
    u->sends = name && !strcmp(name, "out");
    return u->sends || (name && !strcmp(name, "in")) ||
           error_set(err, "direction %s: must be in or out", name ? name : "");
}

static bool take_icv(struct setup *u, const struct setting *s, struct error *err)
{
    if (!take_count(s, MOST_ICV, &u->inputs.icv_bytes, err))
        return false;
    return u->inputs.icv_bytes % 4 == 0 ||
           error_set(err, "icv=%u: must be a multiple of 4", u->inputs.icv_bytes);
}

static bool take(struct setup *u, const struct setting *s, struct error *err)
{
    const char *key = s->key;
    if (!strcmp(key, "sas"))
        return take_file(s, &u->sas_path, err);
    if (!strcmp(key, "tunnels"))
        return take_count(s, SA_MOST, &u->tunnels, err);
    if (!strcmp(key, "cipher"))
        return take_cipher(u, s->value, err);
    if (!strcmp(key, "payload"))
        return take_count(s, ESPGEN_MOST, &u->payload, err);
    if (!strcmp(key, "direction"))
        return take_direction(u, s->value, err);
    if (!strcmp(key, "icv"))
        return take_icv(u, s, err);
    enum setting_taken taken = packet_setup_take(&u->packets, s, err);
    if (taken == SETTING_UNKNOWN)
        return packet_setup_unknown(s, "sas, tunnels, cipher, payload, direction, icv, ", err);
    return taken == SETTING_TAKEN;
}

/* Of the generated packets, whose associations may have different ciphers. */
static bool check_payload(const struct setup *u, struct error *err)
{
    uint32_t block = 8;
    for (uint32_t i = 0; i < u->inputs.sas.count; i++) {
        if (u->inputs.sas.sa[i].cipher == ESP_AES128_CBC)
            block = 16;
    }
    return (u->payload >= ESPGEN_LEAST && u->payload % block == 0) ||
           error_set(err, "payload=%u: must be a multiple of %u from %u to %u", u->payload, block,
                     ESPGEN_LEAST, ESPGEN_MOST);
}

/* Who sends needs a network for each of some associations, and addresses for the packets outside.
 */
static bool check_sender(const struct setup *u, struct error *err)
{
    uint32_t protect = 0;
    if (u->inputs.icv_bytes)
        return error_set(err, "icv: packets are sent without one");
    for (uint32_t i = 0; i < u->inputs.sas.count; i++) {
        const struct sa *sa = &u->inputs.sas.sa[i];
        if (sa->protects && (!sa->source || !sa->local))
            return error_set(err, "association %u protects a network, but has no outer addresses",
                             sa->spi);
        if (sa->protects && !sa->mask && !u->packets.capture_path)
            return error_set(err, "association %u protects all addresses: a capture is needed",
                             sa->spi);
        protect += sa->protects;
    }
    return protect || error_set(err, "direction=out: no association protects a network");
}

static bool make_sas(struct setup *u, struct error *err)
{
    if (u->sas_path)
        return sas_read(u->sas_path, &u->inputs.sas, err);
    if (!u->tunnels)
        return error_set(err, "tunnels=0: there must be one at least");
    sas_generate(u->packets.traffic.seed, u->tunnels, u->cipher, &u->inputs.sas);
    return true;
}

static const struct packet_kind *kind_of(const struct setup *u)
{
    return u->sends ? &ipsec_seal_kind : &ipsec_kind;
}

static const struct traffic_source *source_of(const struct setup *u)
{
    return u->sends ? sealgen_source(u->sealed) : espgen_source(u->generator);
}

static void *prepare(const struct service_input *input, struct error *err)
{
    struct setup *u = ALLOC(struct setup);
    struct traffic_options traffic = espgen_defaults();
    packet_setup_init(&u->packets, &traffic, &frames, input->seed);
    u->packets.traffic.rate_pps = DEFAULT_RATE;
    u->tunnels = DEFAULT_TUNNELS;
    u->payload = DEFAULT_PAYLOAD;
    bool ok = true;
    for (uint32_t i = 0; i < input->n_settings && ok; i++)
        ok = take(u, &input->settings[i], err);
    const char *ptx = u->sends ? "esp_seal.ptx" : "esp.ptx";
    ok = ok && packet_setup_check(&u->packets, kind_of(u), "ipsec", ptx, input->config, err) &&
         make_sas(u, err) && check_payload(u, err) && (!u->sends || check_sender(u, err));
    if (ok && u->sends)
        u->sealed = sealgen_create(&u->inputs.sas, u->payload);
    else if (ok)
        u->generator = espgen_create(&u->inputs.sas, u->payload, u->inputs.icv_bytes);
    if (ok && u->sends) /* the usual mix of that direction */
        memcpy(u->packets.traffic.fraction, sealgen_defaults().fraction,
               sizeof u->packets.traffic.fraction);
    if (ok && !input->traffic_only)
        ok = packet_setup_capture(&u->packets, source_of(u), err);
    if (ok)
        return u;
    release(u);
    return NULL;
}

static bool attach(const void *prepared, struct machine *m, const char *name, struct error *err)
{
    const struct setup *u = prepared;
    return packet_create(m, name, kind_of(u), &u->inputs, &u->packets.options, err);
}

static const char *output(const void *prepared, uint32_t index)
{
    const struct setup *u = prepared;
    return index ? NULL : u->packets.options.sent_path;
}

static const struct traffic_source *traffic(const void *prepared, struct traffic_options *options)
{
    const struct setup *u = prepared;
    *options = u->sends ? sealgen_defaults() : espgen_defaults();
    options->seed = u->packets.traffic.seed;
    return source_of(u);
}

static struct packet_setup *packets(void *prepared)
{
    struct setup *u = prepared;
    return &u->packets;
}

const struct service_kind ipsec_service = {
    .name = "ipsec",
    .meaning =
        "a NIC replays a packet capture, an event kernel opens or makes ESP packets of tunnel "
        "mode, one warp for each",
    .keys = "direction=WHICH   in: open ESP packets; out: make them (in)\n"
            "sas=FILE          `SPI cipher key [source destination [network/length]]` lines "
            "(generated ones)\n"
            "tunnels=N         security associations to generate (64)\n"
            "cipher=WHICH      of those: 3des or aes128, in CBC mode (3des)\n"
            "payload=BYTES     encrypted bytes of generated packets, 48 to 1424 (256)\n"
            "icv=BYTES         integrity check value at the end of packets, not checked "
            "(0)\n" PACKET_SETUP_KEYS,
    .prepare = prepare,
    .attach = attach,
    .release = release,
    .output = output,
    .traffic = traffic,
    .packets = packets};
