#!/usr/bin/env bash
# paddle_numbers.sh <source folder>: every operator that plugins/paddle takes is in a row whose numbers Paddle made; see
# paddle_numbers.py.
set -euo pipefail
exec /usr/bin/python3 "$1/tests/checks/paddle_numbers.py" "$1"
