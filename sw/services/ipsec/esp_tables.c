#include "sw/services/ipsec/esp_tables.h"

struct esp_sa *esp_tables(const struct sa_list *list, bool encrypt, struct packet_tables *tables,
                          struct error *err)
{
    uint64_t places = sas_places(list), word = sizeof(uint32_t);
    void *sas = packet_table(tables, "sas", places * sizeof(struct esp_sa), PACKET_READ, err);
    void *keys = packet_table(tables, "keys", places * ESP_KEY_WORDS * word, PACKET_READ, err);
    void *ciphers =
        packet_table(tables, "ciphers", (ESP_DES_WORDS + ESP_AES_WORDS) * word, PACKET_READ, err);
    if (err->set)
        return NULL;
    sas_fill(list, encrypt, sas, keys);
    cipher_tables(encrypt, ciphers);
    return sas;
}

bool esp_open_tables(const struct sa_list *list, uint32_t icv_bytes, struct packet_tables *tables,
                     struct error *err)
{
    uint64_t places = sas_places(list);
    if (!esp_tables(list, false, tables, err) ||
        !packet_table(tables, "windows", places * ESP_WINDOW * sizeof(uint32_t), PACKET_WRITTEN,
                      err))
        return false;
    tables->value[ESP_VALUE_MASK] = places - 1;
    tables->value[ESP_VALUE_ICV_BYTES] = icv_bytes;
    return true;
}
