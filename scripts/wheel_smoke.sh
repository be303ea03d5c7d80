#!/usr/bin/env bash
# Builds the wheel with the Python given, installs it (core only) in empty environments outside the checkout, and uses
# it from another directory: with the pinned set, with the oldest set allowed, and on the newest Python there is.
#   wheel_smoke.sh PYTHON
set -euo pipefail

python=$(realpath -s "$1")
checkout=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/elsewhere"
cp "$checkout/scripts/smoke.py" "$work/elsewhere/"

say() { echo "wheel smoke: $*"; }
quiet_pip() { "$@" 2> >(grep -v '^WARNING: Location' >&2); }

# try_wheel NAME PYTHON CONSTRAINTS
try_wheel() {
    local venv=$work/$1
    say "$1: installing, core only, for $("$2" --version)"
    "$2" -m venv "$venv"
    quiet_pip "$venv/bin/python" -m pip install --quiet -c "$3" "$work"/dist/*.whl
    (cd "$work/elsewhere" && PATH="$venv/bin:$PATH" "$venv/bin/python" -I smoke.py)
}

newest_other_python() {
    local name
    for name in python3.13 python3.12; do
        if "$name" -c 'import venv, ensurepip' >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
}

say "building the wheel"
quiet_pip "$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work/dist" "$checkout"
"$python" "$checkout/scripts/check_wheel.py" "$work"/dist/*.whl

try_wheel pinned "$python" "$checkout/constraints.txt"
try_wheel oldest "$python" "$checkout/scripts/oldest.txt"
newest=$(newest_other_python)
if [[ -n $newest ]]; then
    try_wheel newest "$newest" "$checkout/constraints.txt"
else
    say "newest: no Python 3.12 or 3.13 here, left out"
fi
say "passed"
