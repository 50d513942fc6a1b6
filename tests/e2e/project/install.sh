#!/bin/sh
# make install and uninstall; manual pages and completions, made from the option tables.
. tests/e2e/lib.sh.inc

stage=$work/stage
installed=$stage/usr/lib/evgpu
installs() {
    make -s install DEPS=0 SAN="${EVGPU_SAN:-0}" BUILD="$build" DESTDIR="$stage" PREFIX=/usr
}
check "make install" installs
there() { # there COMMAND...: the installed command, somewhere else
    (cd "$work" && "$stage/usr/bin/evgpu" "$@")
}
check "a machine" sh -c "cd '$work' && '$stage/usr/bin/evgpu' config gtx580.ini | grep -q gpu.cores"
check "experiments" sh -c "cd '$work' && '$stage/usr/bin/evgpu' experiment --list | grep -q fe-fig10"
check "views" sh -c "cd '$work' && '$stage/usr/bin/evgpu' wave --list | grep -qx events"
check "documents" test -r "$stage/usr/share/doc/evgpu/docs/tour.md"
runs() { there run --service ipv4,packets=64,route-count=1000 --program "$installed/apps/vectorAdd --elements 4096" --tiles model; }
check "a program beside a service" runs

# --- manual pages ----------------------------------------------------------------------------------------
names=$("$evgpu" --help | awk '/^  / { print $1 }')
page_of() { # page_of PAGE FILE
    gzip -dc "$stage/usr/share/man/$2.gz" >"$work/page" && [ -s "$work/page" ] && "$evgpu" manual $1 | cmp - "$work/page"
}
check "page of evgpu" page_of "" man1/evgpu.1
check "page of evgpu.ini" page_of evgpu.ini man5/evgpu.ini.5
for name in $names; do
    check "page of $name" page_of "$name" "man1/evgpu-$name.1"
done
every_option() { # Each option that --help lists is in the page.
    for every_name in $names; do
        "$evgpu" "$every_name" --help | grep -o '^ *\(-., *\)*--[a-z0-9-]*' | grep -o -- '--[a-z0-9-]*' >"$work/listed"
        "$evgpu" manual "$every_name" | sed 's/\\-/-/g; s/\\f[BIR]//g' >"$work/plain"
        while read -r option; do
            grep -q -- "$option\\>" "$work/plain" || { echo "$every_name: $option is missing"; return 1; }
        done <"$work/listed"
    done
}
check "every option has its paragraph" every_option
every_key() {
    "$evgpu" manual evgpu.ini | sed 's/\\-/-/g; s/\\f[BIR]//g' >"$work/plain"
    "$evgpu" config | cut -d ' ' -f 1 | while read -r key; do
        grep -qF "$key" "$work/plain" || { echo "$key is missing"; exit 1; }
    done
}
check "every key of a machine has its paragraph" every_key
well_formed() {
    for well_name in "" evgpu.ini $names; do
        "$evgpu" manual $well_name | LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 - 2>&1 >/dev/null | grep . && return 1
    done
    return 0
}
if command -v man >/dev/null; then
    check "man reads the pages without a warning" well_formed
else
    skip "man reads the pages: man-db is not installed"
fi
check "a page that is none" fails_with 2 "there is no page 'nosuch'" "$evgpu" manual nosuch

# --- completions -----------------------------------------------------------------------------------------
completes() { # completes WANTED WORD...: the last word is incomplete
    wanted=$1
    shift
    PATH="$stage/usr/bin:$PATH" bash -c '
        . "$0"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _evgpu 2>/dev/null
        printf "%s\n" "${COMPREPLY[@]}"' "$stage/usr/share/bash-completion/completions/evgpu" "$@" >"$work/words"
    grep -qxF -- "$wanted" "$work/words" || { cat "$work/words"; return 1; }
}
check "bash: a command" completes experiment evgpu exp
check "bash: an option" completes --service= evgpu run --serv
check "bash: an option without a value" completes --alone evgpu run --al
check "bash: a file behind an option" completes "$work/words" evgpu run --json "$work/wor"
check "bash: a file behind =" completes "$work/words" evgpu run --json = "$work/wor"
check "bash: an experiment" completes fe-fig10 evgpu experiment fe-fig
if command -v zsh >/dev/null; then
    check "zsh reads its completion" zsh -n "$stage/usr/share/zsh/site-functions/_evgpu"
else
    skip "zsh reads its completion: zsh is not installed"
fi

# --- views -----------------------------------------------------------------------------------------------
check "a waveform that is none" fails_with 2 "wave: $work/none.fst: No such file" "$evgpu" wave "$work/none.fst"
check "a view that is none" fails_with 2 "there is no view 'nosuch'" "$evgpu" wave "$work/words" nosuch

uninstalls() {
    make -s uninstall DESTDIR="$stage" PREFIX=/usr || return 1
    left=$(find "$stage" ! -type d)
    [ -z "$left" ] || { echo "$left"; return 1; }
}
check "make uninstall leaves nothing" uninstalls
finish
