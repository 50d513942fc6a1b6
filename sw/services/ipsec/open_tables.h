/* What the kernels that receive ESP find in device memory: associations, round keys, tables of the
 * ciphers, replay windows (esp.h). */
#ifndef EVGPU_SW_OPEN_TABLES_H
#define EVGPU_SW_OPEN_TABLES_H

#include "sw/services/common/service.h"
#include "sw/services/ipsec/sas.h"

/* The places of what esp_open_tables takes. */
enum { ESP_TABLE_SAS, ESP_TABLE_KEYS, ESP_TABLE_CIPHERS, ESP_TABLE_WINDOWS, ESP_OPEN_TABLES };
enum { ESP_VALUE_MASK, ESP_VALUE_ICV_BYTES };

/* Takes the first tables and values and fills them; false with `err`. */
bool esp_open_tables(const struct sa_list *list, uint32_t icv_bytes, struct packet_tables *tables,
                     struct error *err);

#endif
