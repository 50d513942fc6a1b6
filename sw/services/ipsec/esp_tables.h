/* What the kernels of ESP find in device memory: associations, round keys, tables of the ciphers,
 * and replay windows where they receive (esp.h). */
#ifndef EVGPU_SW_ESP_TABLES_H
#define EVGPU_SW_ESP_TABLES_H

#include "sw/services/common/service.h"
#include "sw/services/ipsec/sas.h"

/* The places of what esp_tables takes, and esp_open_tables behind them. */
enum { ESP_TABLE_SAS, ESP_TABLE_KEYS, ESP_TABLE_CIPHERS, ESP_TABLES };
enum { ESP_TABLE_WINDOWS = ESP_TABLES, ESP_OPEN_TABLES };
enum { ESP_VALUE_MASK, ESP_VALUE_ICV_BYTES };

/* Takes the first tables and fills them, for encryption or decryption; the associations as the host
 * sees them, NULL with `err`. */
struct esp_sa *esp_tables(const struct sa_list *list, bool encrypt, struct packet_tables *tables,
                          struct error *err);

/* The same for kernels that receive, with their windows and values; false with `err`. */
bool esp_open_tables(const struct sa_list *list, uint32_t icv_bytes, struct packet_tables *tables,
                     struct error *err);

#endif
