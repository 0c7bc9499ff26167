#!/usr/bin/env bash
# Installs Debian's Chromium without a user interface if it is missing. The tests of pages run it.
set -euo pipefail

command -v chromium-headless-shell >/dev/null && exit
echo 'Installing Chromium for the browser tests …' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null
