#!/usr/bin/env bash
# rooms.sh <source folder>: the rooms of core/ and apps/ include one another in one direction; see rooms.py.
set -euo pipefail
exec /usr/bin/python3 "$1/tests/checks/rooms.py" "$1"
