# deb.sh ROOT VERSION ARCH FILE: packs what is installed below ROOT as a Debian package. Libraries that the programs
# need come from their symbols; the rest are tools that a command starts when it is asked for.
set -e
root=$1
version=$2
arch=$3
file=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/debian" "$root/DEBIAN"
printf 'Source: evgpu\n\nPackage: evgpu\nArchitecture: any\n' >"$work/debian/control"
lib=$(cd "$root/usr/lib/evgpu" && pwd)
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info -l"$lib/cuda/lib64" -l"$lib/lib" -e"$lib/evgpu" \
    -e"$lib/cuda/bin/nvcc" 2>/dev/null | sed 's/^shlibs:Depends=//')
[ -n "$depends" ] || { echo "deb: dpkg-shlibdeps names no library" >&2; exit 1; }
cat >"$root/DEBIAN/control" <<CONTROL
Package: evgpu
Version: $version
Architecture: $arch
Maintainer: evgpu developers <evgpu@localhost>
Section: electronics
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends
Recommends: clang-14, g++, libc6-dev, gnuplot-nox
Suggests: gtkwave, valgrind, slurm-client
Description: cycle-level simulator of a GPU that devices start by themselves
 A network card writes a doorbell, and a kernel registered beforehand runs
 within tens of cycles, on a warp borrowed from the program that occupies the
 GPU. CUDA programs run on it as guests, beside packet services and CPU cores;
 every result is checked against a host reference.
CONTROL
find "$root" -path "$root/DEBIAN" -prune -o -type d -exec chmod 755 {} +
chmod -R go-w "$root"
dpkg-deb --root-owner-group -Zxz --build "$root" "$file" >/dev/null
echo "deb: $file, $(du -k "$file" | cut -f 1) KiB"
