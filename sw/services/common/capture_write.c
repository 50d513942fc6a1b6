#include "sw/services/common/capture_write.h"

#include "base/error.h"
#include "base/output.h"
#include "sw/services/common/capture.h"

#define NS_PER_SECOND 1000000000u

/* pcap-savefile(5), in this machine's byte order. */
enum { MAGIC_NANOSECONDS = 0xA1B23C4D, MAJOR = 2, MINOR = 4, LINK_ETHERNET = 1 };

struct file_header {
    uint32_t magic;
    uint16_t major, minor;
    uint32_t reserved[2];
    uint32_t most_bytes; /* of a frame */
    uint32_t link;
};

struct frame_header {
    uint32_t seconds, nanoseconds;
    uint32_t captured, length;
};

void capture_write_header(FILE *file, uint32_t most_bytes)
{
    struct file_header header = {.magic = MAGIC_NANOSECONDS,
                                 .major = MAJOR,
                                 .minor = MINOR,
                                 .most_bytes = most_bytes,
                                 .link = LINK_ETHERNET};
    fwrite(&header, sizeof header, 1, file);
}

void capture_write_frame(FILE *file, const struct capture_frame *frame)
{
    struct frame_header header = {.seconds = (uint32_t)(frame->timestamp_ns / NS_PER_SECOND),
                                  .nanoseconds = (uint32_t)(frame->timestamp_ns % NS_PER_SECOND),
                                  .captured = frame->length,
                                  .length = frame->length};
    fwrite(&header, sizeof header, 1, file);
    fwrite(frame->bytes, 1, frame->length, file);
}

bool capture_write(const char *path, const struct capture_frame *frames, uint32_t count,
                   struct error *err)
{
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    capture_write_header(output_stream(out), CAPTURE_MAX_FRAME);
    for (uint32_t i = 0; i < count; i++)
        capture_write_frame(output_stream(out), &frames[i]);
    return output_finish(out, err);
}
