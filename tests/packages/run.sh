#!/usr/bin/env bash
# run.sh <source folder> <build folder>: makes the Debian packages and the archive, has lintian look at the former, and
# unpacks both: what came out has to convert, and to be enough for a project of a plugin.
set -euo pipefail
source=$1 build=$2

work=$build/packages_test
rm -rf "$work"
mkdir -p "$work"
step() { echo "--- $*"; }

step "cpack"
cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; exit 1; }
packages=("$work"/packages/*.deb)
archives=("$work"/packages/*.tar.gz)
[[ ${#packages[@]} -eq 3 && ${#archives[@]} -eq 1 ]] || { ls "$work/packages"; exit 1; }

step "lintian"
# CPack calls ldconfig for every library below /usr/lib, also for one in a folder of its own.
lintian --allow-root --suppress-tags maintscript-calls-ldconfig --fail-on error,warning --tag-display-limit 0 "${packages[@]}"

step "packages say what they need"
dpkg-deb --field "$work"/packages/mo-host_*.deb Depends | grep -q 'mo-host-plugins (= .*libc6' ||
  dpkg-deb --field "$work"/packages/mo-host_*.deb Depends | grep -q 'libc6.*mo-host-plugins (= '

# convert <mo-host>: a model of ours, from a folder that has nothing to do with where the program is.
convert() {
  if ! "$1" list frontends | grep -q '\.onnx'; then
    echo "no front-end for the models of this test; nothing converted"
    return
  fi
  (cd / && "$1" --input_model "$source/tests/data/small_cnn.onnx" --output_dir "$work/converted" --extensions '')
  [[ -s $work/converted/small_cnn.xml && -s $work/converted/small_cnn.bin ]]
  rm -r "$work/converted"
}

step "unpacked packages"
for package in "${packages[@]}"; do dpkg -x "$package" "$work/root"; done
convert "$work/root/usr/bin/mo-host"
for file in share/man/man1/mo-host.1.gz share/bash-completion/completions/mo-host share/doc/mo-host/changelog.gz \
  share/doc/mo-host/NOTICE share/doc/mo-host/mo-host.spdx.json share/mo-host/fleet/Snakefile; do
  [[ -s $work/root/usr/$file ]] || { echo "no $file in the packages"; exit 1; }
done

step "who only converts has the manual, and is told where the templates are"
mkdir "$work/user"
for name in mo-host mo-host-plugins; do dpkg -x "$work"/packages/${name}_*.deb "$work/user"; done
for page in index onnx operators changelog abi_rules; do
  text=$("$work/user/usr/bin/mo-host" help $page)
  [[ -n $text ]] || { echo "no page $page"; exit 1; }
done
"$work/user/usr/bin/mo-host" new plugin nothing --dir "$work/nothing" 2>"$work/new.log" && { echo "templates are in the wrong package"; exit 1; }
grep -q 'package libmo-host-dev' "$work/new.log" || { cat "$work/new.log"; exit 1; }
rm -rf "$work/user"

step "a project of a plugin needs nothing but the packages"
(
  cd "$work"
  PATH=$work/root/usr/bin:$PATH
  mo-host new plugin packaged >/dev/null
  cd packaged
  cmake --workflow --preset all >"$work/packaged.log" 2>&1 || { cat "$work/packaged.log"; exit 1; }
)
grep -q "mo-host_DIR.*$work/root/" "$work/packaged/build/CMakeCache.txt" || { echo "another mo-host was found"; exit 1; }

step "the archive, in a folder that was renamed"
mkdir "$work/archive"
tar -C "$work/archive" -xzf "${archives[0]}"
mv "$work"/archive/* "$work/a folder"
convert "$work/a folder/bin/mo-host"
# What it carries is what it uses: the libraries of the system are those of glibc and of the compiler.
if command -v patchelf >/dev/null; then
  strange=$(ldd "$work/a folder/bin/mo-host" | sed -n 's/.* => \(\/.*\) (0x.*/\1/p' | grep -v -e "^$work/a folder/" -e '/lib\(c\|m\|stdc++\|gcc_s\)\.so' || true)
  [[ -z $strange ]] || { echo "the archive needs libraries of this system: $strange"; exit 1; }
fi
rm -rf "$work/archive" "$work/a folder" "$work/root"
echo "three packages and an archive"
