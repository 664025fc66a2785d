import { gatesCommand } from '../dist/gates-command.js'

// Whoever read this has gone, as in `| head`: it ends quietly, with the status of a program that SIGPIPE ended.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(141)
})

process.exitCode = await gatesCommand(process.argv.slice(2), {
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
