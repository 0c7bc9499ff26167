#!/usr/bin/env bash
# The official libraries of other languages are tested with Debian's Python, Go, Java and Maven; where one is missing and
# may be installed, this installs it.
set -euo pipefail

missing=()
python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
command -v go >/dev/null || missing+=(golang)
command -v javac >/dev/null || missing+=(openjdk-17-jdk-headless)
command -v mvn >/dev/null || missing+=(maven)
[[ ${#missing[@]} -eq 0 ]] && exit

echo "Installing ${missing[*]} for the tests of official libraries …" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
