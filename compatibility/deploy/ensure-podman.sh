#!/usr/bin/env bash
# Installs podman if it is missing. Podman builds and runs images without a daemon.
set -euo pipefail

command -v podman >/dev/null && exit
echo 'Installing podman for the tests of the image …' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends podman crun >/dev/null
