#!/bin/sh
# A plan asks, the process that ran it ends, somebody answers, and another process goes on from there.
set -eu
plans=$(cd "$(dirname "$0")" && pwd)

agentm config set harness.kinds command,approval
agentm plan new --steps "$plans/approval.yaml" --id publish-1.4

# Ends by itself once nothing is left to do: the question waits in the log, and holds no process.
agentm worker --once
agentm status publish-1.4

agentm approve publish-1.4/ok --reason 'the notes are written'
# The first answer counts.
agentm approve publish-1.4/ok --answer deny || echo "too late to deny"

agentm worker --once
cat log
