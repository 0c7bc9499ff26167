#!/usr/bin/env bash
# Installs Debian's Python, PHP with Guzzle and Laravel, Go, Java and Maven for the tests of official libraries and of
# the guides, unless they are already installed.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
# Debian's packages of Guzzle and Laravel put their autoloaders into PHP's include path. If PHP finds both
# autoloaders, both packages are installed.
php -r 'foreach (["GuzzleHttp", "Illuminate"] as $name) stream_resolve_include_path("$name/autoload.php") || exit(1);
  exit(extension_loaded("curl") && extension_loaded("mbstring") ? 0 : 1);' 2>/dev/null ||
  missing+=(php-cli php-curl php-mbstring php-guzzlehttp-guzzle php-laravel-framework)
command -v go >/dev/null || missing+=(golang-go)
command -v javac >/dev/null || missing+=(openjdk-17-jdk-headless)
command -v mvn >/dev/null || missing+=(maven)
if [[ ${#missing[@]} -gt 0 ]]; then
  echo "Installing ${missing[*]} for the tests of other languages …" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The generator in docs/guides/go.md requires Go 1.25, but Debian 12 has Go 1.19. Go publishes its releases as modules,
# so the installed Go can download the newer Go and verify its checksum. From version 1.21 on, Go does so automatically.
wanted=1.25.0
installed=$(go env GOVERSION)
if [[ $(printf '%s\n' "$wanted" "${installed#go}" | sort -V | head -1) != "$wanted" ]]; then
  echo "Fetching Go $wanted for the tests of Go clients …" >&2
  release="golang.org/toolchain@v0.0.1-go$wanted.$(go env GOOS)-$(go env GOARCH)"
  # The Go release is downloaded outside of every Go module, so that it is not added to a module's
  # dependencies.
  root=$(cd / && go mod download -json "$release" | awk -F'"' '$2 == "Dir" { print $4 }')
  # Go does not make the files of a downloaded module executable, so the programs of the Go release are made
  # executable here.
  chmod +x "$root"/bin/* "$root"/pkg/tool/*/*
  ln -sf "$root/bin/go" /usr/local/bin/go
fi
