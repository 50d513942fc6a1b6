# Live wires: real programs talk to the simulated GPU, and a replay of what came gives the same run.
. tests/e2e/lib.sh.inc

export LIVE_NAME="evgpu$$"
network="sh sw/services/live_network.sh"
trap '$network down; rm -rf "$work"' EXIT
at() { # at PART COMMAND...: in a namespace
    part=$1
    shift
    ip netns exec "$LIVE_NAME-$part" "$@"
}

# --- refusals, which need no network
refused() { # refused TEXT SETTINGS
    fails_with 2 "$1" "$evgpu" run --background 0 --service "$2"
}
check "live: a port is a TAP device" refused "port eth0: must be tap:NAME" echo,port=eth0
check "live: a recording needs a live wire" refused "record: needs a live wire" echo,record=x.pcap
check "live: packets come when they come" refused "rate: a live wire's packets" echo,port=tap:evgpu0,rate=5
check "live: no capture beside it" refused "capture" "echo,port=tap:evgpu0,capture=$work/x"
check "live: a name that is too long" refused "at most 15 characters" echo,port=tap:a-name-of-many-letters
nobody() {
    setpriv --reuid 65534 --clear-groups "$@"
}
if [ "$(id -u)" = 0 ] && [ -c /dev/net/tun ] && nobody test -r "$build/sw/services/echo/echo.ptx" 2>/dev/null; then
    check "live: a user without the right is told so" fails_with 2 "may not open TAP devices" \
        nobody "$evgpu" run --background 0 --service echo,port=tap:evgpu0
fi

$network up router 2>"$work/refusal"
case $? in
0) ;;
3)
    skip "live: $(tail -n 1 "$work/refusal")"
    finish
    exit
    ;;
*) check "live: the network" cat "$work/refusal" /nonexistent ;;
esac

# The service's run in NAMESPACE, in the background, until the device is there for programs.
live() { # live NAME NAMESPACE SERVICE
    name=$1 space=$2
    at "$space" "$evgpu" run --tiles model --background 0 --json "$work/$name.json" \
        --service "$3,port=tap:evgpu0,record=$work/$name.pcap" >"$work/$name.out" 2>&1 &
    run=$!
    until_true at "$space" sh -c "ip link show evgpu0 | grep -q LOWER_UP || ! kill -0 $run 2>/dev/null"
}
# The wire is pulled out: the run ends, verified, and its recording gives the same figures.
ended() { # ended NAME SERVICE
    at "$space" ip link del evgpu0
    wait "$run"
    check "live: $1: the run is verified when its device goes" grep -q '^VERIFIED' "$work/$1.out"
    again=$(sed -n 's/^ *replay: //p' "$work/$1.out")
    check "live: $1: the recording is replayed" "$evgpu" run --tiles model --background 0 \
        --json "$work/$1-again.json" --service "$2,$again"
    check "live: $1: ... with the same figures" same_figures "$work/$1.json" "$work/$1-again.json"
}

$network routes >"$work/routes"
live ipv4 router "ipv4,routes=$work/routes"
check "live: ipv4: echoes through the GPU" at a python3 tests/e2e/services/live.py ping 10.77.2.1 6
check "live: ipv4: ... and the other way" at b python3 tests/e2e/services/live.py ping 10.77.1.1 4
ended ipv4 "ipv4,routes=$work/routes"

# --- ESP by Linux's own IPsec, which few kernels of machines for tests have, and by Scapy
opens() { # opens PEER CIPHER KEY PYTHON: PEER's packets, opened by the GPU, arrive at b
    $network up router
    ip -n "$LIVE_NAME-b" link set eth0 address 02:69:00:00:00:00 # where the association goes on to
    printf '0x1000 %s %s 10.77.1.1 10.77.9.1\n' "$2" "$3" >"$work/sas"
    live "$1-$2" router "ipsec,sas=$work/sas"
    at b python3 tests/e2e/services/live.py opened "$work/sas" 6 >"$work/opened" 2>&1 &
    receiver=$!
    until_true grep -q ready "$work/opened"
    check "live: ipsec: packets encrypted by $1 ($2)" at a "$4" tests/e2e/services/live.py "$1" "$work/sas" 6
    wait "$receiver"
    check "live: ipsec: ... arrive decrypted" grep -q "all opened" "$work/opened"
    ended "$1-$2" "ipsec,sas=$work/sas"
}
kernel_has() { # kernel_has ALGORITHM KEY
    at a ip xfrm state add src 10.77.1.1 dst 10.77.9.2 proto esp spi 0x2000 mode tunnel enc "$1" "0x$2" 2>/dev/null
}
key=000102030405060708090a0b0c0d0e0f
peers=0
if kernel_has 'cbc(aes)' $key; then
    opens linux aes128 $key python3
    peers=1
fi
if kernel_has 'cbc(des3_ede)' ${key}1021324354657687; then
    opens linux 3des ${key}1021324354657687 python3
    peers=1
fi
if /usr/bin/python3 -c 'import scapy.layers.ipsec, cryptography' 2>/dev/null; then
    opens esp aes128 $key /usr/bin/python3
    opens esp 3des ${key}1021324354657687 /usr/bin/python3
    peers=1
fi
[ "$peers" = 1 ] || skip "live: ipsec: needs IPsec in the kernel, or python3-scapy and python3-cryptography"

# --- libmemcached's library and tools, whose every answer is compared with memcached's
if command -v memcached >/dev/null && command -v memccat >/dev/null && [ -e /usr/include/libmemcached/memcached.h ]; then
    $network up host
    printf 'sixteen-byte-key xy\nk2 hello 77\n' >"$work/items"
    check "live: a client of libmemcached" gcc -Wall -Werror -o "$work/client" \
        tests/e2e/services/memcached_client.c -lmemcached
    live memc host "memc,items=$work/items"
    check "live: memc: answers as memcached's" at host python3 tests/e2e/services/live.py memcached 10.77.0.2 \
        "$work/client" "$work/items"
    ended memc "memc,items=$work/items"
else
    skip "live: memc: needs memcached, libmemcached-tools and libmemcached-dev"
fi
finish
