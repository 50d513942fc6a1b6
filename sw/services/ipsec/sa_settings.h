/* Rows of a settings table for a service that has security associations and generates ESP
 * packets. */
#ifndef EVGPU_SW_SA_SETTINGS_H
#define EVGPU_SW_SA_SETTINGS_H

#include "sw/services/common/service.h"
#include "sw/services/ipsec/espgen.h"
#include "sw/services/ipsec/sas.h"

#define SA_MOST_ICV 32u

extern const char *const sa_cipher_choices[]; /* as in enum esp_cipher */

#define SAS_ROW                                                                                    \
    {                                                                                              \
        .key = "sas", .type = SETTING_TEXT, .unit = "FILE",                                        \
        .help = "`SPI cipher key [source destination [network/length]]` lines",                    \
        .usual_text = "generated ones"                                                             \
    }
#define TUNNELS_ROW                                                                                \
    {                                                                                              \
        .key = "tunnels", .type = SETTING_NUMBER, .unit = "N",                                     \
        .help = "security associations to generate", .least = 1, .most = SA_MOST, .usual = 64,     \
        .replaced_by = "sas"                                                                       \
    }
#define CIPHER_ROW                                                                                 \
    {                                                                                              \
        .key = "cipher", .type = SETTING_CHOICE, .unit = "WHICH",                                  \
        .help = "of generated associations, in CBC mode", .choices = sa_cipher_choices,            \
        .replaced_by = "sas"                                                                       \
    }
/* Usually one block of 3DES for each lane. */
#define PAYLOAD_ROW                                                                                \
    {                                                                                              \
        .key = "payload", .type = SETTING_NUMBER, .unit = "BYTES",                                 \
        .help = "encrypted bytes of generated packets, whole blocks of the cipher",                \
        .least = ESPGEN_LEAST, .most = ESPGEN_MOST, .multiple = 8, .usual = 256                    \
    }
#define ICV_ROW                                                                                    \
    {                                                                                              \
        .key = "icv", .type = SETTING_NUMBER, .unit = "BYTES",                                     \
        .help = "integrity check value at the end of packets, not checked", .most = SA_MOST_ICV,   \
        .multiple = 4                                                                              \
    }

/* The associations that three such rows say; false with `err`. */
bool sas_make(const struct setting_value *file, const struct setting_value *tunnels,
              const struct setting_value *cipher, uint64_t seed, struct sa_list *list,
              struct error *err);

/* Whole blocks of the ciphers of all associations; false with `err`. */
bool sas_check_payload(const struct sa_list *list, uint32_t payload, struct error *err);

#endif
