#!/usr/bin/env bash
# Builds the wheel with the Python given, installs it (core only) in an empty environment outside the checkout, and
# uses it from another directory: wheel_smoke.sh PYTHON
set -euo pipefail

python=$(realpath -s "$1")
checkout=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "wheel smoke: $*"; }
quiet_pip() { "$@" 2> >(grep -v '^WARNING: Location' >&2); }

say "building the wheel"
quiet_pip "$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work/dist" "$checkout"
"$python" "$checkout/scripts/check_wheel.py" "$work"/dist/*.whl

say "installing it, core only, in an empty environment"
"$python" -m venv "$work/venv"
quiet_pip "$work/venv/bin/python" -m pip install --quiet -c "$checkout/constraints.txt" "$work"/dist/*.whl

say "using it from another directory"
mkdir "$work/elsewhere"
cp "$checkout/scripts/smoke.py" "$work/elsewhere/"
cd "$work/elsewhere"
PATH="$work/venv/bin:$PATH" "$work/venv/bin/python" -I smoke.py
say "passed"
