#!/usr/bin/env bash
# Makes the environment of the compiled peers (.venv-peers, about 2 GB) and measures them beside our engine in one run:
# bench/engine_peers.sh [OPTION OF thirtyone bench ...]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/make_venv.sh .venv-peers -q -r bench/engine_peers.txt -c constraints.txt -e .
# PufferLib's last wheel with a compiled card game; only its compiled games are used, not the releases that it pins.
.venv-peers/bin/pip install -q --no-deps pufferlib==2.0.2
exec .venv-peers/bin/thirtyone bench --out bench/results/engine_peers.json "$@"
