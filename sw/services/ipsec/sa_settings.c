#include "sw/services/ipsec/sa_settings.h"

const char *const sa_cipher_choices[] = {
    [ESP_3DES_CBC] = "3des", [ESP_AES128_CBC] = "aes128", [ESP_CIPHERS] = NULL};

bool sas_make(const struct setting_value *file, const struct setting_value *tunnels,
              const struct setting_value *cipher, uint64_t seed, struct sa_list *list,
              struct error *err)
{
    if (file->text)
        return sas_read(file->text, list, err);
    sas_generate(seed, (uint32_t)tunnels->number, (enum esp_cipher)cipher->number, list);
    return true;
}

bool sas_check_payload(const struct sa_list *list, uint32_t payload, struct error *err)
{
    uint32_t block = 8;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->sa[i].cipher == ESP_AES128_CBC)
            block = 16;
    }
    return payload % block == 0 ||
           error_set(err, "payload=%u: must be a multiple of %u", payload, block);
}
