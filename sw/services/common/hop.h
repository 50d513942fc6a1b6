/* Next hops of forwarding services, read by the CUDA and by the C compiler. */
#ifndef EVGPU_SW_HOP_H
#define EVGPU_SW_HOP_H

/* One next hop: 16 bytes, placed like the start of a packet slot. */
struct fwd_hop {
    unsigned short port;      /* output port */
    unsigned char dst_mac[6]; /* of the next hop */
    unsigned char src_mac[6]; /* of the output port */
    unsigned short reserved;
};

#define FWD_STORED_BYTES 32 /* of a slot, from its start: what forwarding changes lies in them */

#endif
