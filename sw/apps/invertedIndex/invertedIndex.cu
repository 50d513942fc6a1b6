/* The documents that have a link to each URL (Mars InvertedIndex). A map task takes a piece of a document,
 * whole lines of at least 1024 bytes together, and emits URL and document for every <a href="URL"> in it;
 * a link does not go beyond its line. The groups are the index, nothing is reduced. */
#include "../common/mars.cuh"

/* Where a piece begins is the key's offset, and its bytes are the key's. */
struct InvertedIndex {
    enum State { TEXT, TAG, ANCHOR, LINK };

    static __device__ bool is_href(const char *text, unsigned left)
    {
        return left >= 4 && text[0] == 'h' && text[1] == 'r' && text[2] == 'e' && text[3] == 'f';
    }

    template <class Emit>
    static __device__ void map(mars_context context, const mars_input &in, Emit &emit)
    {
        mars_string piece = mars_get<mars_string>(in.key);
        unsigned document = mars_get<unsigned>(in.value);
        const char *text = context.text + piece.offset;
        State state = TEXT;
        for (unsigned i = 0; i < piece.bytes; i++) {
            char c = text[i];
            if (state == TEXT) {
                state = c == '<' ? TAG : TEXT;
            } else if (state == TAG) {
                state = c == 'a' ? ANCHOR : c == ' ' ? TAG : TEXT;
            } else if (state == ANCHOR) {
                if (is_href(text + i, piece.bytes - i)) {
                    state = LINK;
                    i += 3;
                } else if (c != ' ') {
                    state = TEXT;
                }
            } else if (c == '"') {
                mars_string url = {piece.offset + i + 1, 0, 0};
                unsigned end = i + 1;
                while (end < piece.bytes && text[end] != '"' && text[end] != '\n')
                    end++;
                url.bytes = end - i - 1;
                if (end < piece.bytes && text[end] == '"') {
                    url.hash = mars_hash(text + i + 1, url.bytes);
                    emit(url, document);
                }
                i = end;
                state = TEXT;
            } else if (c != ' ' && c != '=') {
                state = TEXT;
            }
        }
    }

    static __device__ int compare(mars_context context, const char *a, const char *b)
    {
        return mars_compare_strings(context.text, mars_get<mars_string>(a),
                                    mars_get<mars_string>(b));
    }
};

MARS_KERNELS(InvertedIndex)
