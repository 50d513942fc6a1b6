#include "tb/serial_port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <termios.h>
#include <unistd.h>

static bool find_speed(uint32_t baud, speed_t *speed)
{
    static const struct {
        uint32_t baud;
        speed_t speed;
    } speeds[] = {{9600, B9600},      {19200, B19200},     {38400, B38400},     {57600, B57600},
                  {115200, B115200},  {230400, B230400},   {460800, B460800},   {500000, B500000},
                  {921600, B921600},  {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000},
                  {3000000, B3000000}};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        if (speeds[i].baud == baud) {
            *speed = speeds[i].speed;
            return true;
        }
    }
    return false;
}

static bool set_up(int port, speed_t speed)
{
    struct termios mode;
    if (tcgetattr(port, &mode))
        return false;
    cfmakeraw(&mode);
    mode.c_cflag |= CLOCAL | CREAD;
    mode.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    return !cfsetispeed(&mode, speed) && !cfsetospeed(&mode, speed) &&
           !tcsetattr(port, TCSANOW, &mode) && !tcflush(port, TCIOFLUSH);
}

int serial_port_open(const char *path, uint32_t baud, struct error *err)
{
    speed_t speed;
    if (!find_speed(baud, &speed)) {
        error_set(err, "%s: serial ports have no rate of %u baud", path, baud);
        return -1;
    }
    int port = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port < 0) {
        error_set(err, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (!isatty(port))
        error_set(err, "%s: not a serial port", path);
    else if (flock(port, LOCK_EX | LOCK_NB))
        error_set(err, "%s: in use by another run", path);
    else if (!set_up(port, speed))
        error_set(err, "%s: cannot be set to %u baud: %s", path, baud, strerror(errno));
    else
        return port;
    close(port);
    return -1;
}

void serial_port_close(int port)
{
    close(port);
}

bool serial_port_write(int port, const uint8_t *data, size_t bytes, struct error *err)
{
    enum { PATIENCE_MS = 2000 };
    while (bytes) {
        ssize_t n = write(port, data, bytes);
        if (n > 0) {
            data += n;
            bytes -= (size_t)n;
            continue;
        }
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return error_set(err, "write: %s", strerror(errno));
        struct pollfd wait = {.fd = port, .events = POLLOUT};
        if (poll(&wait, 1, PATIENCE_MS) == 0)
            return error_set(err, "write: the port accepts no bytes");
    }
    return true;
}

bool serial_port_read(int port, uint8_t *data, size_t room, int timeout_ms, size_t *got,
                      struct error *err)
{
    *got = 0;
    struct pollfd wait = {.fd = port, .events = POLLIN};
    int ready = poll(&wait, 1, timeout_ms);
    if (ready == 0 || (ready < 0 && errno == EINTR))
        return true;
    if (ready < 0)
        return error_set(err, "poll: %s", strerror(errno));
    ssize_t n = read(port, data, room);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0)
        return error_set(err, "read: %s", n ? strerror(errno) : "the port has disappeared");
    *got = (size_t)n;
    return true;
}
