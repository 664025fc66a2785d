// Runs a program as a step does, which starts another one; both tell their process ids in files.
import { systemRuntime } from '../../dist/index.js'
import { runProgram } from '../../dist/programs/run-program.js'

const [root = ''] = process.argv.slice(2)
const startsAnother = `
const { spawn } = require('child_process')
const { writeFileSync } = require('fs')
const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' })
writeFileSync(process.argv[1] + '/child', String(child.pid))
writeFileSync(process.argv[1] + '/parent', String(process.pid))
setInterval(() => 0, 1000)
`
const program = { command: process.execPath, args: ['-e', startsAnother, root], directory: root, stdin: undefined }
const environment = { SystemRoot: process.env['SystemRoot'] ?? '', PATH: process.env['PATH'] ?? '' }
await runProgram(
  { ...program, environment, maxOutputBytes: 100 },
  { signal: new AbortController().signal, runtime: systemRuntime },
)
