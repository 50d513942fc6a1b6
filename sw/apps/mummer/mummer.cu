/* Longest matches of queries in a reference, with the reference's suffix tree in textures (MUMmerGPU).
 *
 * A thread takes a query. From every start in it, it walks down from the root as long as the query goes
 * on matching; from one start to the next it follows the suffix link of the last node, and skips down what
 * has matched already by the lengths of the edges. A result is where in the reference the longest match
 * begins, and its length; {0, 0} if that is less than `least`.
 *
 * Node i is the texel (i % 4096, i / 4096) of two textures, the root is node 0: nodes has suffix link,
 * first and end of the edge's letters in the reference, and depth; children has the nodes below for A, C, G
 * and T, 0 where there is none. Letter i of the reference lies in the same way. Codes of letters are 0 to 3;
 * others match nothing. A query of n letters has n - least + 1 results, from result_at[] on. Grid of one
 * dimension with at least `queries` threads. */
#define WIDTH 4096

texture<uint4, 2, cudaReadModeElementType> nodes;
texture<uint4, 2, cudaReadModeElementType> children;
texture<unsigned char, 2, cudaReadModeElementType> reference;

struct Place { /* in the tree */
    unsigned node;  /* the last one passed, at `depth` letters */
    unsigned depth;
    unsigned child; /* below it, `on_edge` letters of whose edge match; 0: the place is the node itself */
    unsigned on_edge, first, end;
};

__device__ static void enter(Place &place, unsigned child)
{
    uint4 texel = tex2D(nodes, child % WIDTH, child / WIDTH);
    place.child = child;
    place.on_edge = 0;
    place.first = texel.y;
    place.end = texel.z;
}

__device__ static void arrive(Place &place)
{
    place.depth += place.end - place.first;
    place.node = place.child;
    place.child = 0;
    place.on_edge = 0;
}

__device__ static unsigned child_of(unsigned node, unsigned code)
{
    uint4 texel = tex2D(children, node % WIDTH, node / WIDTH);
    return code == 0 ? texel.x : code == 1 ? texel.y : code == 2 ? texel.z : code == 3 ? texel.w : 0;
}

/* One letter further, if the tree has it. */
__device__ static bool step(Place &place, unsigned code)
{
    if (place.child == 0) {
        unsigned child = child_of(place.node, code);
        if (child == 0)
            return false;
        enter(place, child);
    } else {
        unsigned at = place.first + place.on_edge;
        if (tex2D(reference, at % WIDTH, at / WIDTH) != code)
            return false;
    }
    place.on_edge++;
    if (place.on_edge == place.end - place.first)
        arrive(place);
    return true;
}

/* The place of the match without its first letter; `letters` is what is left of it, in the query. */
__device__ static void shorten(Place &place, const unsigned char *letters)
{
    unsigned left = place.on_edge;
    if (place.node == 0) {
        left -= left > 0;
    } else {
        place.node = tex2D(nodes, place.node % WIDTH, place.node / WIDTH).x;
        place.depth--;
    }
    place.child = 0;
    place.on_edge = 0;
    while (left) {
        enter(place, child_of(place.node, letters[place.depth]));
        unsigned edge = place.end - place.first;
        if (left < edge) {
            place.on_edge = left;
            return;
        }
        left -= edge;
        arrive(place);
    }
}

extern "C" __global__ void mummer(const unsigned char *__restrict__ letters,
                                  const unsigned *__restrict__ query_at,
                                  const unsigned *__restrict__ result_at, uint2 *results,
                                  unsigned queries, unsigned least)
{
    unsigned query = blockIdx.x * blockDim.x + threadIdx.x;
    if (query >= queries)
        return;
    unsigned length = query_at[query + 1] - query_at[query];
    unsigned starts = result_at[query + 1] - result_at[query];
    letters += query_at[query];
    results += result_at[query];
    Place place = {0, 0, 0, 0, 0, 0};
    for (unsigned start = 0; start < starts; start++) {
        unsigned matched = place.depth + place.on_edge;
        while (start + matched < length && step(place, letters[start + matched]))
            matched++;
        uint2 result = {0, 0};
        if (matched >= least) {
            /* Depth counts from where the edge's letters were taken. */
            uint4 texel = tex2D(nodes, place.node % WIDTH, place.node / WIDTH);
            result.x = place.child ? place.first - place.depth : texel.z - texel.w;
            result.y = matched;
        }
        results[start] = result;
        if (matched)
            shorten(place, letters + start + 1);
    }
}
