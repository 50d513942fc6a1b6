/* Definitions of the echo kernels (echo.cu) and the host reference (echo_reference.h): an answer is
 * the UDP datagram that came (RFC 862), with MAC addresses, IPv4 addresses and ports exchanged. No
 * checksum changes by that. Read by the CUDA and by the C compiler; slots and results are those of
 * sw/services/common/service.h. */
#ifndef EVGPU_SW_ECHO_H
#define EVGPU_SW_ECHO_H

#define ECHO_ETHERNET_BYTES 14
#define ECHO_IPV4_BYTES     20 /* header without options */
#define ECHO_UDP_BYTES      8
#define ECHO_ETHERTYPE      0x0800
#define ECHO_PROTOCOL_UDP   17
#define ECHO_FRAGMENT       0x3FFF /* more fragments, or an offset */

/* The result of a packet; the low byte of its result word. All but the first two leave it as it
 * came. */
enum echo_verdict {
    ECHO_NONE,
    ECHO_ANSWERED,
    ECHO_TOO_SHORT,    /* frame ends before its headers, or before its total length */
    ECHO_BAD_HEADER,   /* not IPv4, or lengths that do not agree */
    ECHO_BAD_CHECKSUM, /* of the IPv4 header; that of UDP stays as it is, right or wrong */
    ECHO_OTHER,        /* a fragment, not UDP, or another port */
    ECHO_LOOP,         /* from the port that it goes to: the answer would be echoed for ever */
    ECHO_VERDICTS
};

#endif
