#!/bin/sh
# The network around a live wire (docs/guide/live-wire.md): namespaces of this machine, which reach
# nothing else.
#
#   live_network.sh up host      NAME-host: programs, 10.77.0.1; the GPU's service is 10.77.0.2
#   live_network.sh up router    NAME-a, 10.77.1.1, and NAME-b, 10.77.2.1, with the GPU between them:
#                                NAME-router holds the device and the switch that joins all three
#   live_network.sh down         deletes them; a wire of a run that is under way closes
#   live_network.sh routes       the routes of the router, for routes=FILE
#
# NAME is LIVE_NAME, or evgpu. The TAP device is called evgpu0. Needs ip (iproute2) and the right to
# make namespaces, as root has it. Exit status: 0, or 1 after a message, or 2 for a wrong call, or 3
# where this system does not allow namespaces or TAP devices.
name=${LIVE_NAME:-evgpu}
device=evgpu0
gpu_mac=02:65:76:67:00:02
mac_a=02:68:00:00:00:01 # of the first next hop of ipv4, and of the second (sw/services/ipv4/forward.c)
mac_b=02:68:00:00:00:02
step=

refused() {
    echo "live_network.sh: $1: this system does not allow it (it takes root and /dev/net/tun)" >&2
    down
    exit 3
}
try() { # try WHAT COMMAND...: all that can be forbidden
    step=$1
    shift
    "$@" || refused "$step"
}
# A run keeps its namespace alive, so the device goes first.
down() {
    for part in host router a b; do
        ip -n "$name-$part" link del "$device" 2>/dev/null
        ip netns del "$name-$part" 2>/dev/null
    done
    return 0
}
# Nothing but the programs' own packets: no IPv6, whose hosts talk unasked.
space() {
    try "namespace $1" ip netns add "$1"
    ip netns exec "$1" sh -c 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6' 2>/dev/null
    ip -n "$1" link set lo up
}
tap() { # tap NAMESPACE
    try "TAP device" ip -n "$1" tuntap add dev "$device" mode tap
}
# A host with a fixed neighbour, since the GPU answers no ARP.
host() { # host NAMESPACE DEVICE MAC ADDRESS NEIGHBOUR
    ip -n "$1" link set "$2" address "$3"
    ip -n "$1" addr add "$4" dev "$2"
    ip -n "$1" link set "$2" up
    ip -n "$1" neigh replace "$5" lladdr "$gpu_mac" dev "$2" nud permanent
}
up_host() {
    space "$name-host"
    tap "$name-host"
    host "$name-host" "$device" 02:65:76:67:00:01 10.77.0.1/24 10.77.0.2
}
side() { # side LETTER NETWORK MAC
    space "$name-$1"
    ip -n "$name-router" link add "to-$1" type veth peer name eth0 netns "$name-$1"
    ip -n "$name-router" link set "to-$1" master switch up
    host "$name-$1" eth0 "$3" "10.77.$2.1/24" "10.77.$2.254"
    ip -n "$name-$1" route add default via "10.77.$2.254"
}
up_router() {
    space "$name-router"
    tap "$name-router"
    try "switch" ip -n "$name-router" link add switch type bridge
    ip -n "$name-router" link set "$device" master switch up
    ip -n "$name-router" link set switch up
    side a 1 "$mac_a"
    side b 2 "$mac_b"
}

command -v ip >/dev/null || { echo "live_network.sh: needs ip, from the package iproute2" >&2; exit 3; }
case "$1 $2" in
"up host" | "up router")
    down
    "up_$2"
    ;;
"down ") down ;;
"routes ") printf '10.77.1.0/24 1\n10.77.2.0/24 2\n' ;;
*)
    sed -n '2,/^name=/{s/^# \{0,1\}//p}' "$0" >&2
    exit 2
    ;;
esac
