#!/bin/sh
# A worker is killed in the middle of a step, and the plan goes on.
set -eu
plans=$(cd "$(dirname "$0")" && pwd)

agentm config set harness.kinds command
agentm plan new --steps "$plans/killed.yaml" --id weekly

agentm worker &
worker=$!
until grep -q digested report 2>/dev/null; do sleep 0.1; done
kill -9 $worker
touch numbers

# Nobody told the log that the worker is gone. Any other finds out, and takes over: here one that stays for this plan.
agentm run weekly
cat report
agentm trace weekly
