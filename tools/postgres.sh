#!/bin/sh
# A PostgreSQL 15 server with pgvector 0.8, for the deep tests: installs what is missing, where it may (root on Debian),
# and says why not otherwise. Run again, it finds everything there. Debian 12 has no pgvector; trixie's source builds
# against its server, and only sources are taken from trixie, so no package of it can come along.
set -eu
export DEBIAN_FRONTEND=noninteractive

version=0.8.0
sum=867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0
bin=/usr/lib/postgresql/15/bin
control=/usr/share/postgresql/15/extension/vector.control

if [ -x "$bin/postgres" ] && [ -f "$control" ]; then
  echo "PostgreSQL 15 and pgvector are installed: $bin"
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "not installed: this needs root. Install PostgreSQL 15 or newer and pgvector $version yourself."
  exit 0
fi
if ! grep -q '^ID=debian' /etc/os-release 2>/dev/null; then
  echo "not installed: this script knows Debian only. Install PostgreSQL 15 or newer and pgvector $version yourself."
  exit 0
fi

mirror=$(awk '$1=="deb"{print $2; exit}' /etc/apt/sources.list 2>/dev/null || true)
[ -n "$mirror" ] || mirror=$(cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/*.sources 2>/dev/null | awk '/^URIs:/{print $2; exit}')
printf 'Types: deb-src\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' "$mirror" \
  > /etc/apt/sources.list.d/trixie-src.sources
apt-get update -q
apt-get install -y -q --no-install-recommends postgresql-15 postgresql-server-dev-15 pgbouncer gcc make libc6-dev dpkg-dev

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cd "$build"
apt-get source -q --download-only "pgvector=$version-1"
echo "$sum  pgvector_$version.orig.tar.gz" | sha256sum -c -
tar xf "pgvector_$version.orig.tar.gz"
cd "pgvector-$version"
# Without OPTFLAGS the compiler would tune for this very machine, and a cached image may run on another.
make -s -j2 OPTFLAGS="" with_llvm=no PG_CONFIG="$bin/pg_config"
make -s install with_llvm=no PG_CONFIG="$bin/pg_config"
echo "installed PostgreSQL 15 and pgvector $version: $bin"
