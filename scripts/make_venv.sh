#!/bin/sh
# Makes the virtual environment: make_venv.sh PYTHON VENV. Says what to do where the machine lacks something.
set -eu
python=$1
venv=$2
if ! command -v "$python" >/dev/null 2>&1; then
  echo "ragvet: '$python' was not found. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 …" >&2
  exit 2
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "ragvet: $("$python" --version) is too old; 3.11 or newer is needed: make PYTHON=python3.12 …" >&2
  exit 2
fi
if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "ragvet: installing python$version-venv, which '$python' lacks ..." >&2
    apt-get update -qq && apt-get install -y -qq "python$version-venv"
  else
    echo "ragvet: '$python' cannot make virtual environments. On Debian or Ubuntu: sudo apt-get install python$version-venv" >&2
    exit 2
  fi
fi
"$python" -m venv "$venv"
# Dependency groups need pip 25.1 or newer.
"$venv/bin/python" -m pip --disable-pip-version-check install --quiet --upgrade --constraint constraints.txt pip
