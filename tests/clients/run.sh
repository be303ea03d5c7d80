#!/usr/bin/env bash
# Other people's libraries play our environment, each in a virtual environment of its own, for they pin what we do not.
# The first run makes .venv-torchrl and .venv-rllib at the top of the checkout; later runs start at once.
# run.sh [torchrl] [rllib] runs those named, without an argument all.
set -euo pipefail

cd "$(dirname "$0")/../.."

declare -A requirements=(
    [torchrl]="torchrl==0.14.1"
    [rllib]="ray[rllib]==2.60.0"
)

is_current() {
    [[ -e $1 && $1 -nt pyproject.toml && $1 -nt $2 ]]
}

run_client() {
    local name=$1 venv=.venv-$1 pins=tests/clients/$1.txt stamp=.venv-$1/.installed
    if ! is_current "$stamp" "$pins"; then
        scripts/make_venv.sh "$venv" -c "$pins" torch==2.13.0 "${requirements[$name]}" -e .
        touch "$stamp"
    fi
    OMP_NUM_THREADS=1 "$venv/bin/python" "tests/clients/${name}_client.py"
}

clients=("$@")
[[ ${#clients[@]} -gt 0 ]] || clients=(torchrl rllib)
passed=0
for name in "${clients[@]}"; do
    [[ -n ${requirements[$name]:-} ]] || { echo "no client is called $name; there are ${!requirements[*]}" >&2; exit 2; }
    run_client "$name"
    passed=$((passed + 1))
done
echo "clients: $passed passed, 0 failed"
