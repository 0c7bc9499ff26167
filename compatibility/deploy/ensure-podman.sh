#!/usr/bin/env bash
# Images are built and run by podman, which needs no engine beside it; where it is missing and may be installed, this
# installs it.
set -euo pipefail

command -v podman >/dev/null && exit
echo 'Installing podman for the tests of the image …' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends podman crun >/dev/null
