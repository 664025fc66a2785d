/**
 * Ends a command whose reader has gone, as in `agentm trace PLAN | head`: quietly, with the status of a program that SIGPIPE
 * ended. A command that runs steps, or has something to remove, is asked to end, because it has that to do first.
 */
import { askToEnd } from './end-signal.ts'

export function endWithReader(): void {
  if (isWatched) return
  isWatched = true
  for (const stream of [process.stdout, process.stderr]) stream.on('error', readerGone)
}

/** The streams are those of the process, however often somebody asks for its terminal. */
let isWatched = false
let isGone = false
const endedByPipe = 141

function readerGone(error: NodeJS.ErrnoException): void {
  // Windows calls it the end of the file.
  if (error.code !== 'EPIPE' && error.code !== 'EOF') throw error
  if (isGone) return
  isGone = true
  if (!askToEnd()) process.exit(endedByPipe)
  // Last of all, because a command that ends sets the status of what it did.
  process.once('exit', () => {
    process.exitCode = endedByPipe
  })
}
