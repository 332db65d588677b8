#!/bin/sh
# Makes the files of a base image with Node, npm, a shell and a user "node" from the packages of this Debian machine, for
# builds where no registry can be reached: node-base-image.sh FOLDER
set -eu
root=$1
mkdir -p "$root"/usr/bin "$root"/usr/lib/node_modules "$root"/usr/lib64 "$root"/usr/local/bin "$root"/etc "$root"/root
mkdir -m 1777 "$root"/tmp
for each in bin lib lib64; do ln -s usr/$each "$root"/$each; done
dpkg -L dash coreutils libacl1 libattr1 libc6 libgcc-s1 libpcre2-8-0 libselinux1 libstdc++6 | grep -E '^/(usr/)?(s?bin|lib(64)?)/' |
  while read -r path; do [ -d "$path" ] || echo "${path#/}"; done |
  tar -C / -c -T - | tar -C "$root" -x --keep-directory-symlink
cp "$(readlink -f "$(command -v node)")" "$root"/usr/bin/node
cp -a "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root"/usr/lib/node_modules/npm
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root"/usr/bin/npm
printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n' > "$root"/etc/passwd
printf 'root:x:0:\nnode:x:1000:\n' > "$root"/etc/group
