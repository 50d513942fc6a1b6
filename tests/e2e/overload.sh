# Services at 120 % of what the machine takes: nothing is lost without being counted. `make overload` is
# the same with 10,000 events of each service on edge.ini.
. tests/e2e/lib.sh.inc

sample() { # sample EVENTS SERVICE...
    limited python3 tests/e2e/overload.py "$evgpu" "$work" "$@" >"$work/lines"
    [ "$(grep -c '^OVERLOAD VERIFIED' "$work/lines")" -eq 1 ] || failures=$((failures + 1))
    grep -E '^(not )?ok' "$work/lines"
}
sample 150 ipv4,route-count=1000 ipv6,route-count=1000
sample 60 memc
sample 120 ipsec
finish
