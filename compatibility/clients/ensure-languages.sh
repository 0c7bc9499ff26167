#!/usr/bin/env bash
# The official libraries of other languages are tested with Debian's Python, Go, Java and Maven; where one is missing and
# may be installed, this installs it.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
command -v go >/dev/null || missing+=(golang-go)
command -v javac >/dev/null || missing+=(openjdk-17-jdk-headless)
command -v mvn >/dev/null || missing+=(maven)
if [[ ${#missing[@]} -gt 0 ]]; then
  echo "Installing ${missing[*]} for the tests of official libraries …" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# Debian 12 has Go 1.19, and DOKU's library wants 1.22. Go publishes its releases as a module, so the older Go fetches the
# newer one and checks its sum; releases from 1.21 on would do the same by themselves.
wanted=$(awk '$1 == "go" { print $2 }' go/go.mod)
installed=$(go env GOVERSION)
if [[ $(printf '%s\n' "$wanted" "${installed#go}" | sort -V | head -1) != "$wanted" ]]; then
  echo "Fetching Go $wanted for the tests of official libraries …" >&2
  release="golang.org/toolchain@v0.0.1-go$wanted.$(go env GOOS)-$(go env GOARCH)"
  # Outside of every module: it is not to be written into one.
  root=$(cd / && go mod download -json "$release" | awk -F'"' '$2 == "Dir" { print $4 }')
  # A module's files are never executable.
  chmod +x "$root"/bin/* "$root"/pkg/tool/*/*
  ln -sf "$root/bin/go" /usr/local/bin/go
fi
