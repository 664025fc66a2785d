import { command } from '../dist/command.js'

// Whoever read this has gone, as in `| head`: it ends quietly, with the status of a program that SIGPIPE ended.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(141)
})

process.exitCode = await command(
  process.argv.slice(2),
  (text) => process.stdout.write(text),
  (text) => process.stderr.write(text),
)
