/* The memory layout shared by the ESP kernels (esp.cu), the device that fills their buffers and the
 * host reference (esp_reference.h). Read by the CUDA and by the C compiler.
 *
 * Packet slots are those of IPv4 (sw/services/ipv4/ipv4_forward.h): the packet begins at offset 16.
 *
 * Security associations (RFC 4301, 4303) lie in an open-addressed table: the one of `spi` is at
 * place ESP_PLACE(spi) & mask or behind it, spi 0 ends the search. At place p there are also
 * ESP_KEY_WORDS words of round keys, in the order in which decryption takes them, and ESP_WINDOW
 * words of the replay window: word s % ESP_WINDOW is the highest sequence number of that remainder
 * that has been accepted; a packet is accepted when its own is higher. */
#ifndef EVGPU_SW_ESP_H
#define EVGPU_SW_ESP_H

#define ESP_FRAME_OFFSET   2
#define ESP_SLOT_ALIGN     16
#define ESP_ETHERNET_BYTES 14
#define ESP_IPV4_BYTES     20
#define ESP_HEADER_BYTES   8 /* SPI and sequence number */
#define ESP_LEAST_FRAME    60
/* How much longer than what came a frame may be: a short inner packet is made one of the least
 * length. */
#define ESP_OPEN_GROWTH (ESP_LEAST_FRAME - ESP_ETHERNET_BYTES - ESP_IPV4_BYTES)
#define ESP_PROTOCOL    50u
#define ESP_NEXT_IPV4   4u /* next header: an IPv4 packet, tunnel mode */
#define ESP_PORT_SHIFT  16
#define ESP_KEY_WORDS   96u
#define ESP_WINDOW      1024u
#define ESP_LAST_NUMBER 0xFFFF0000u /* as many packets as are at work at once below the end */
#define ESP_PLACE(spi)  ((spi)*0x9E3779B1u >> 7)

enum esp_cipher { ESP_3DES_CBC, ESP_AES128_CBC, ESP_CIPHERS };

/* 32 bytes. Addresses as they lie in a packet. */
struct esp_sa {
    unsigned spi;           /* host order; 0: free place */
    unsigned source, local; /* outer addresses: of the peer, of this end; 0: any */
    unsigned cipher;
    unsigned short port; /* to where decrypted packets go */
    unsigned char dst_mac[6], src_mac[6];
    unsigned short reserved;
};

/* The policy list, in order: the first line whose network has the destination
 * counts. Words as in a packet. */
struct esp_policy {
    unsigned network, mask;
    unsigned place; /* of the association */
    unsigned reserved;
};

/* Tables of the ciphers, in words: DES's S-boxes with its permutation P, 8 x 64; the inverse cipher
 * of AES, 256 words, and its S-box, 256 words. */
#define ESP_DES_WORDS  512u
#define ESP_AES_WORDS  512u
#define ESP_AES_OFFSET ESP_DES_WORDS

/* The result of a packet; the low byte of the first result word. 0: never written. FORWARD is the
 * decrypted packet, sent to the port in bits 31..16; the second word has the length of its frame.
 */
enum esp_verdict {
    ESP_NONE,
    ESP_FORWARD,
    ESP_TOO_SHORT,    /* frame ends before its headers or its total length */
    ESP_BAD_HEADER,   /* not IPv4, with options, a fragment */
    ESP_BAD_CHECKSUM, /* of the outer IPv4 header */
    ESP_OTHER,        /* not ESP */
    ESP_BAD_LENGTH,   /* of the encrypted part: none, or no whole number of blocks */
    ESP_UNKNOWN_SPI,
    ESP_WRONG_PEER,  /* outer addresses are not those of the association */
    ESP_REPLAY,      /* sequence number seen before, too old, or 0 */
    ESP_BAD_PADDING, /* longer than the packet, or not 1, 2, 3... */
    ESP_BAD_INNER,   /* what was inside is no IPv4 packet */
    ESP_VERDICTS
};

/* The sending side: also in the low byte of the first result word. FORWARD is the ESP packet. */
enum esp_seal_verdict {
    SEAL_NONE,
    SEAL_FORWARD,
    SEAL_TOO_SHORT,    /* frame ends before its header or its total length */
    SEAL_BAD_HEADER,   /* not IPv4, header length below 5 words */
    SEAL_BAD_CHECKSUM, /* of the IPv4 header */
    SEAL_NO_POLICY,    /* for a destination that is not protected */
    SEAL_TOO_BIG,      /* more than 65535 bytes with what is added */
    SEAL_EXHAUSTED,    /* the association has no sequence number left (RFC 4303, 3.3.3) */
    SEAL_VERDICTS
};

#endif
