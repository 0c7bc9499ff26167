#!/usr/bin/env bash
# Builds a substitute for the base image of deploy/Dockerfile, which cannot be pulled where the tests run. It
# contains this machine's files of the few Debian packages that Node, npm and a shell need, as well as Node and npm
# themselves.
#
#   base-image.sh <empty directory> <node>
set -euo pipefail

base=$1
node=$2
npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
packages=(base-files ca-certificates coreutils dash findutils libacl1 libatomic1 libattr1 libc6 libgcc-s1 libgmp10
  libpcre2-8-0 libselinux1 libssl3 libstdc++6 zlib1g)

mkdir -p "$base"/usr/{bin,lib,lib64,sbin} "$base"/usr/local/{bin,lib/node_modules} "$base"/{etc/ssl/certs,proc,root,sys,dev}
mkdir -m 1777 "$base/tmp"
for name in bin lib lib64 sbin; do ln -s "usr/$name" "$base/$name"; done
# dpkg also lists files that do not exist, because another package moved them (a diversion) or because the
# machine's settings exclude them. Such files are skipped.
dpkg-query -L "${packages[@]}" | grep -E '^/(usr/)?(bin|lib|lib64|sbin|share/ca-certificates)/|^/usr/share/keyrings/' |
  while read -r path; do if [ -f "$path" ]; then echo "${path#/}"; fi; done |
  tar --create --directory / --files-from - | tar --extract --keep-directory-symlink --directory "$base"
cp --dereference /etc/ssl/certs/ca-certificates.crt "$base/etc/ssl/certs/"
echo 'root:x:0:0:root:/root:/bin/sh
node:x:1000:1000::/home/node:/bin/sh' >"$base/etc/passwd"
echo 'root:x:0:
node:x:1000:' >"$base/etc/group"

cp "$node" "$base/usr/local/bin/node"
cp --recursive "$npm" "$base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$base/usr/local/bin/npx"
