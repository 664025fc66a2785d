#!/bin/sh
# Chromium, bubblewrap and Wine, for the deep tests: installs what is missing, where it may (root on Debian), and says why not
# otherwise. Tests that need one of them say so where it is not there. Run again, it finds everything there.
set -eu
export DEBIAN_FRONTEND=noninteractive

missing=''
command -v chromium > /dev/null || missing="$missing chromium"
command -v bwrap > /dev/null || missing="$missing bubblewrap"
command -v wine > /dev/null || missing="$missing wine wine64"

if [ -z "$missing" ]; then
  echo 'Chromium, bubblewrap and Wine are installed'
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "not installed:$missing. This needs root; install them yourself."
  exit 0
fi
if ! grep -q '^ID=debian' /etc/os-release 2> /dev/null; then
  echo "not installed:$missing. This script knows Debian only; install them yourself."
  exit 0
fi

apt-get update -q || true
# shellcheck disable=SC2086 # one word for each package
if apt-get install -y -q --no-install-recommends $missing; then
  echo "installed:$missing"
else
  echo "not installed:$missing. apt-get failed; the tests that need them are skipped."
fi
