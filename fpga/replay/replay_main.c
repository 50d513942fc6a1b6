/* evgpu-replay: gives the recorded inputs of a run's tiles (evgpu run --record-ports) to a board,
 * which runs each tile at its full clock and compares the outputs itself (docs/design/fpga.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fpga/replay/player.h"
#include "tb/serial.h"

static int usage(FILE *out)
{
    fputs("usage: evgpu-replay FILE PORT [--only INSTANCE] [--plant STEP]\n"
          "  FILE    of evgpu run --record-ports\n"
          "  PORT    serial line to a board of tiles that replay: PATH or PATH@BAUD\n"
          "  --only  this tile alone, e.g. sm0\n"
          "  --plant takes another value than the recorded one for the first output at this step "
          "of each\n"
          "          tile, from 1: the board has to find it\n",
          out);
    return out == stdout ? 0 : 2;
}

static bool number(const char *text, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 10);
    return *text >= '1' && *text <= '9' && !*end;
}

int main(int argc, char **argv)
{
    struct replay_request r = {0};
    const char *port = NULL;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--help"))
            return usage(stdout);
        if (!strcmp(argv[i], "--only") && more)
            r.only = argv[++i];
        else if (!strcmp(argv[i], "--plant") && more && number(argv[i + 1], &r.plant))
            i++;
        else if (argv[i][0] == '-' || port)
            return usage(stderr);
        else if (!r.path)
            r.path = argv[i];
        else
            port = argv[i];
    }
    if (!port)
        return usage(stderr);
    struct error err = {0};
    struct replay_result result = {0};
    r.link = serial_link_open(port, &err);
    bool ok = r.link && replay(&r, &result, &err);
    serial_link_close(r.link);
    if (!ok) {
        fprintf(stderr, "evgpu-replay: %s\n", err.text);
        return 1;
    }
    printf("evgpu-replay: %s: %u tiles equal in %llu steps, %u with a difference, %u not on the "
           "board\n",
           result.different ? "FAILED" : "VERIFIED", result.equal, (unsigned long long)result.steps,
           result.different, result.missing);
    return result.different ? 1 : 0;
}
