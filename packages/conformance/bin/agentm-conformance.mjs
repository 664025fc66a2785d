#!/usr/bin/env node
// An old Node must be able to read this file, to say that it is too old: no top-level await, and no import of anything newer.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 20 || (major === 20 && minor >= 19)) void import('./start.mjs')
else {
  process.stderr.write(`agentm-conformance needs Node 20.19 or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
}
