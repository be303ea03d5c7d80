#!/usr/bin/env bash
# Makes the environment of the peers (.venv-bench) and measures: bench/run.sh [OPTION OF aec_peers.py ...]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/make_venv.sh .venv-bench -q -r bench/peers.txt -c constraints.txt -e .
exec .venv-bench/bin/python bench/aec_peers.py --out bench/results/aec_peers.json "$@"
