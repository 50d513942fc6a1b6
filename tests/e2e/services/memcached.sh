# The service memc beside memcached: requests as libmemcached makes them, replies as memcached's.
. tests/e2e/lib.sh.inc

for need in memcached python3 gcc; do
    command -v $need >/dev/null && continue
    skip "memcached: $need is needed"
    exit 0
done
if [ ! -e /usr/include/libmemcached/memcached.h ]; then
    skip "memcached: libmemcached-dev is needed"
    exit 0
fi
printf 'sixteen-byte-key xy\nk2 hello 77\n' >"$work/items"

check "a client of libmemcached" gcc -Wall -Werror -o "$work/client" tests/e2e/services/memcached_client.c -lmemcached
check "... asks memcached" python3 tests/e2e/services/memcached.py record "$work/client" "$work/asked.pcap" "$work/replies"
cat "$work/out"
check "the service answers" "$evgpu" run --tiles model --background 0 --json "$work/memc.json" \
    --service "memc,items=$work/items,capture=$work/asked.pcap,out=$work/sent.pcap"
check "... as memcached does" python3 tests/e2e/services/memcached.py compare "$work/sent.pcap" "$work/replies"
check "... and counts requests for several keys" grep -q '"several keys or commands": 2' "$work/memc.json"
check "... and other commands" grep -q '"unknown command": 1' "$work/memc.json"
finish
