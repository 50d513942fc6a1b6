# manuals.sh EVGPU SHARE: manual pages and completions of the command EVGPU, made from its option tables, below the
# folder SHARE.
set -e
evgpu=$1
share=$2
mkdir -p "$share/man/man1" "$share/man/man5" "$share/bash-completion/completions" "$share/zsh/site-functions"
"$evgpu" manual | gzip -9n >"$share/man/man1/evgpu.1.gz"
"$evgpu" manual evgpu.ini | gzip -9n >"$share/man/man5/evgpu.ini.5.gz"
"$evgpu" --help | awk '/^  / { print $1 }' | while read -r command; do
    "$evgpu" manual "$command" | gzip -9n >"$share/man/man1/evgpu-$command.1.gz"
done
"$evgpu" manual bash >"$share/bash-completion/completions/evgpu"
"$evgpu" manual zsh >"$share/zsh/site-functions/_evgpu"
