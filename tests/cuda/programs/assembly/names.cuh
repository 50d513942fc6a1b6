/* As headers of old suites have it. */
static __device__ unsigned lane_of(void)
{
    unsigned lane;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    return lane;
}
