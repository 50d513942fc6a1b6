/* What libmemcached asks a server: memcached_client PORT ascii|binary. Sets two keys, then gets
 * single ones and several at once. */
#include <libmemcached/memcached.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char *const KEYS[] = {"sixteen-byte-key", "k2", "absent-key"};
    static const size_t LENGTHS[] = {16, 2, 10};
    if (argc != 3)
        return 2;
    memcached_st *m = memcached_create(NULL);
    memcached_server_add(m, "127.0.0.1", (in_port_t)atoi(argv[1]));
    memcached_behavior_set(m, MEMCACHED_BEHAVIOR_BINARY_PROTOCOL, !strcmp(argv[2], "binary"));
    memcached_set(m, KEYS[0], LENGTHS[0], "xy", 2, 0, 0);
    memcached_set(m, KEYS[1], LENGTHS[1], "hello", 5, 0, 77);
    for (int i = 0; i < 3; i++) {
        size_t length = 0;
        uint32_t flags = 0;
        memcached_return_t code;
        char *value = memcached_get(m, KEYS[i], LENGTHS[i], &length, &flags, &code);
        printf("%s: %.*s (%s)\n", KEYS[i], (int)length, value ? value : "",
               memcached_strerror(m, code));
        free(value);
    }
    memcached_mget(m, KEYS, LENGTHS, 2);
    for (size_t length = 0, n = 0; n < 3; n++) {
        char key[MEMCACHED_MAX_KEY];
        uint32_t flags = 0;
        memcached_return_t code;
        free(memcached_fetch(m, key, &length, &length, &flags, &code));
    }
    memcached_free(m);
    return 0;
}
