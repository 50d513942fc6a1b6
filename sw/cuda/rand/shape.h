/* Shapes of cuRAND's Mersenne Twisters and tables, for host and device. */
#ifndef EVGPU_CUDA_RAND_SHAPE_H
#define EVGPU_CUDA_RAND_SHAPE_H

#define MTGP_STREAMS        192
#define MTGP_STREAMS_LEGACY 64
#define MTGP_WORDS          351 /* of a state */
#define MTGP_ROUND          256
#define MT19937_WORDS       624
#define MT19937_ROUND       224
#define POISSON_THREADS     256
#define POISSON_WIDE        4000 /* from this mean on, normal numbers are near enough */

#endif
