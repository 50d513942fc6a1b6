#!/bin/sh
# verilator_version.sh VERILATOR MINIMUM: an error unless the command is there and as new as that.
"$1" --version 2>/dev/null | awk -v min="$2" '
    { split($2, have, "."); split(min, need, ".")
      ok = have[1] > need[1] || (have[1] == need[1] && have[2] + 0 >= need[2] + 0) }
    END { if (!ok) { print "evgpu: Verilator " min " or later is needed (Debian package verilator)"; exit 1 } }' >&2
