#!/usr/bin/env bash
# Installs podman, which builds and runs images without a daemon, if it is missing.
set -euo pipefail

command -v podman >/dev/null && exit
echo 'Installing podman for the tests of the image …' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends podman crun >/dev/null
