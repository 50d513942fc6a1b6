#include "tb/ethernet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "evgpu_defs.h"

struct ethernet {
    int socket;
    uint8_t mac[MAC_BYTES]; /* of the host */
    uint8_t frame[ETHERNET_MOST + 1];
};

/* --- frames -------------------------------------------------------------------------------------
 */

void ethernet_board_mac(uint8_t mac[MAC_BYTES])
{
    uint64_t address = (uint64_t)EVG_LINK_MAC_HIGH << 32 | EVG_LINK_MAC_LOW;
    for (int i = 0; i < MAC_BYTES; i++)
        mac[i] = (uint8_t)(address >> (8 * (MAC_BYTES - 1 - i)));
}

static void put16(uint8_t *at, size_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

size_t ethernet_encode(const uint8_t to[MAC_BYTES], const uint8_t from[MAC_BYTES],
                       const uint8_t *message, size_t count, uint8_t frame[ETHERNET_MOST])
{
    memset(frame, 0, ETHERNET_LEAST);
    memcpy(frame, to, MAC_BYTES);
    memcpy(frame + MAC_BYTES, from, MAC_BYTES);
    put16(frame + 2 * MAC_BYTES, EVG_LINK_ETHERTYPE);
    put16(frame + 2 * MAC_BYTES + 2, count);
    memcpy(frame + ETHERNET_HEAD, message, count);
    return ETHERNET_HEAD + count > ETHERNET_LEAST ? ETHERNET_HEAD + count : ETHERNET_LEAST;
}

const uint8_t *ethernet_decode(const uint8_t *frame, size_t bytes, const uint8_t from[MAC_BYTES],
                               size_t *count)
{
    uint8_t type[2];
    put16(type, EVG_LINK_ETHERTYPE);
    if (bytes < ETHERNET_HEAD || memcmp(frame + MAC_BYTES, from, MAC_BYTES) != 0 ||
        memcmp(frame + 2 * MAC_BYTES, type, 2) != 0)
        return NULL;
    *count = (size_t)(frame[ETHERNET_HEAD - 2] << 8 | frame[ETHERNET_HEAD - 1]);
    return *count && *count <= bytes - ETHERNET_HEAD ? frame + ETHERNET_HEAD : NULL;
}

/* --- sockets ------------------------------------------------------------------------------------
 */

static bool bind_raw(int s, const char *interface, uint8_t mac[MAC_BYTES])
{
    struct ifreq request = {0};
    struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(EVG_LINK_ETHERTYPE)};
    strcpy(request.ifr_name, interface);
    if (ioctl(s, SIOCGIFINDEX, &request))
        return false;
    at.sll_ifindex = request.ifr_ifindex;
    if (ioctl(s, SIOCGIFHWADDR, &request))
        return false;
    memcpy(mac, request.ifr_hwaddr.sa_data, MAC_BYTES);
    return !bind(s, (const struct sockaddr *)&at, sizeof at);
}

int ethernet_raw_socket(const char *interface, uint8_t mac[MAC_BYTES], struct error *err)
{
    if (!*interface || strlen(interface) >= IFNAMSIZ) {
        error_set(err, "eth:%s: not the name of a network interface", interface);
        return -1;
    }
    int s = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(EVG_LINK_ETHERTYPE));
    if (s < 0) {
        error_set(err, "eth:%s: no raw socket: %s; it takes root, or CAP_NET_RAW", interface,
                  strerror(errno));
        return -1;
    }
    if (bind_raw(s, interface, mac))
        return s;
    error_set(err, "eth:%s: %s", interface, strerror(errno));
    close(s);
    return -1;
}

/* A name of its own, by which the board answers, comes from the system. */
static int unix_socket(const char *path, struct error *err)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX}, own = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof at.sun_path) {
        error_set(err, "eth:%s: a socket's path has at most %zu bytes", path,
                  sizeof at.sun_path - 1);
        return -1;
    }
    strcpy(at.sun_path, path);
    int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s >= 0 && !bind(s, (const struct sockaddr *)&own, sizeof own.sun_family) &&
        !connect(s, (const struct sockaddr *)&at, sizeof at))
        return s;
    error_set(err, "eth:%s: %s", path, strerror(errno));
    if (s >= 0)
        close(s);
    return -1;
}

struct ethernet *ethernet_open(const char *name, struct error *err)
{
    static const uint8_t simulated[MAC_BYTES] = {2, 0, 0, 0, 0, 1};
    struct ethernet *e = ALLOC(struct ethernet);
    memcpy(e->mac, simulated, MAC_BYTES);
    e->socket = strchr(name, '/') ? unix_socket(name, err) : ethernet_raw_socket(name, e->mac, err);
    if (e->socket >= 0)
        return e;
    free(e);
    return NULL;
}

void ethernet_close(struct ethernet *e)
{
    if (!e)
        return;
    close(e->socket);
    free(e);
}

bool ethernet_send(struct ethernet *e, const uint8_t *message, size_t count, struct error *err)
{
    uint8_t board[MAC_BYTES], frame[ETHERNET_MOST];
    ethernet_board_mac(board);
    size_t bytes = ethernet_encode(board, e->mac, message, count, frame);
    while (send(e->socket, frame, bytes, 0) < 0)
        if (errno != EINTR)
            return error_set(err, "send: %s", strerror(errno));
    return true;
}

bool ethernet_receive(struct ethernet *e, int timeout_ms, const uint8_t **message, size_t *count,
                      struct error *err)
{
    uint8_t board[MAC_BYTES];
    struct pollfd wait = {.fd = e->socket, .events = POLLIN};
    *message = NULL;
    int ready = poll(&wait, 1, timeout_ms);
    if (ready == 0 || (ready < 0 && errno == EINTR))
        return true;
    ssize_t n = ready < 0 ? -1 : recv(e->socket, e->frame, sizeof e->frame, 0);
    if (n < 0)
        return errno == EINTR || error_set(err, "receive: %s", strerror(errno));
    ethernet_board_mac(board);
    *message = ethernet_decode(e->frame, (size_t)n, board, count);
    return true;
}
