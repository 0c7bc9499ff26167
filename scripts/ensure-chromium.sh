#!/usr/bin/env bash
# Installs Debian's headless Chromium if it is missing. The tests of the dashboard and of the documentation
# site run it.
set -euo pipefail

command -v chromium-headless-shell >/dev/null && exit
echo 'Installing Chromium for the browser tests …' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null
