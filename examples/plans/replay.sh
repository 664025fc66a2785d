#!/bin/sh
# A recorded plan happens again without doing anything, and becomes a fixture that CI holds the harness to.
set -eu
plans=$(cd "$(dirname "$0")" && pwd)

agentm config set harness.kinds command
agentm plan new --steps "$plans/replay.yaml" --id links --run
agentm replay links

mkdir fixtures
agentm trace links --fixture links > fixtures/links.json
agentm eval fixtures
agentm eval fixtures --min-success-rate 1 --max-tool-calls 5
