/* What host and kernels of productStream share. */
#ifndef EVGPU_SW_PRODUCT_STREAM_H
#define EVGPU_SW_PRODUCT_STREAM_H

#define PRODUCT_TILE  16
#define PRODUCTS_MOST 4096

/* C = start + A x B. Addresses are of device memory. */
struct product {
    unsigned long long a, b, c;
    unsigned inner, columns;
    unsigned tiles; /* of C; 0: no product, the stream ends */
    unsigned last;  /* tiles of all products up to this one: the ticket behind its last */
    unsigned done;  /* tiles that are finished */
    float start;
};

struct product_queue {
    unsigned next;      /* ticket of the tile that is taken next */
    unsigned published; /* products that the host has written */
    struct product products[PRODUCTS_MOST + 1];
};

#endif
