#include "sw/services/common/capture_write.h"

#include <pcap/pcap.h>
#include <unistd.h>

#include "base/error.h"
#include "sw/services/common/capture.h"

#define NS_PER_SECOND 1000000000u

static void write_frame(pcap_dumper_t *dumper, const struct capture_frame *frame)
{
    /* With nanosecond precision, tv_usec holds nanoseconds. */
    struct pcap_pkthdr header = {
        .ts = {.tv_sec = (time_t)(frame->timestamp_ns / NS_PER_SECOND),
               .tv_usec = (suseconds_t)(frame->timestamp_ns % NS_PER_SECOND)},
        .caplen = frame->length,
        .len = frame->length};
    pcap_dump((u_char *)dumper, &header, frame->bytes);
}

bool capture_write(const char *path, const struct capture_frame *frames, uint32_t count,
                   struct error *err)
{
    pcap_t *pcap = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, CAPTURE_MAX_FRAME,
                                                        PCAP_TSTAMP_PRECISION_NANO);
    if (!pcap)
        return error_set(err, "%s: libpcap cannot be initialised", path);
    pcap_dumper_t *dumper = pcap_dump_open(pcap, path);
    if (!dumper) {
        error_set(err, "%s", pcap_geterr(pcap));
        pcap_close(pcap);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        write_frame(dumper, &frames[i]);
    bool written = pcap_dump_flush(dumper) == 0;
    pcap_dump_close(dumper);
    pcap_close(pcap);
    if (written)
        return true;
    unlink(path);
    return error_set(err, "%s: cannot be written", path);
}
