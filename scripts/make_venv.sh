#!/usr/bin/env bash
# Makes a virtual environment and installs into it: make_venv.sh DIR PIP_ARGUMENT...
# Run again it repairs a half-made environment and installs only what is missing.
set -euo pipefail

dir=$1
shift

is_new_enough() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    local name
    # 3.11 first: the pinned set was tested with it. PYTHON=... overrides the search.
    for name in ${PYTHON:-python3.11 python3.12 python3.13 python3 python python3.14}; do
        if is_new_enough "$name"; then
            echo "$name"
            return
        fi
    done
    echo "No Python of 3.11 or newer (with venv) was found; looked for: ${PYTHON:-python3.11 to 3.14, python3, python}." >&2
    echo "Install one, or name it: make venv PYTHON=/path/to/python" >&2
    return 1
}

if ! "$dir/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    echo "Making $dir with $("$python" --version) ..."
    "$python" -m venv --clear "$dir"
fi

echo "Installing into $dir: $* (the first time takes some minutes) ..."
"$dir/bin/python" -m pip install "$@" 2> >(grep -v '^WARNING: Location' >&2) |
    { grep --line-buffered -v '^Requirement already satisfied\|^Looking in' || true; }
echo "$dir is ready."
