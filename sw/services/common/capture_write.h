/* Writing a packet capture: Ethernet pcap with nanosecond time stamps. */
#ifndef EVGPU_SW_CAPTURE_WRITE_H
#define EVGPU_SW_CAPTURE_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct error; /* base/error.h */

struct capture_frame {
    uint64_t timestamp_ns;
    const uint8_t *bytes;
    uint32_t length;
};

/* For a file of base/output.h, which keeps the errors. A capture is a header, then its frames. */
void capture_write_header(FILE *file, uint32_t most_bytes);
void capture_write_frame(FILE *file, const struct capture_frame *frame);

/* In the order given. On failure, `err` names the file and no file is left. */
bool capture_write(const char *path, const struct capture_frame *frames, uint32_t count,
                   struct error *err);

#endif
