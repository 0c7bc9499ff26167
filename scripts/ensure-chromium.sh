#!/usr/bin/env bash
# Pages are tested in Debian's Chromium; where it is missing and may be installed, this installs it.
set -euo pipefail

command -v chromium >/dev/null && exit
echo 'Installing Chromium for the tests of pages …' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium >/dev/null
