/**
 * Ends a command when the program that reads its output has ended, as in `agentm trace PLAN | head`: quietly, with the exit status
 * of SIGPIPE. A command that has to clean up, such as one that runs steps, is asked to end instead.
 */
import { askToEnd } from './end-signal.ts'

export function endWithReader(): void {
  if (isWatched) return
  isWatched = true
  for (const stream of [process.stdout, process.stderr]) stream.on('error', readerGone)
}

/** There is one pair of streams per process, however many terminals are created. */
let isWatched = false
let isGone = false
const endedByPipe = 141

function readerGone(error: NodeJS.ErrnoException): void {
  // On Windows the code is EOF.
  if (error.code !== 'EPIPE' && error.code !== 'EOF') throw error
  if (isGone) return
  isGone = true
  if (!askToEnd()) process.exit(endedByPipe)
  // Last, because the command sets its own exit status when it ends.
  process.once('exit', () => {
    process.exitCode = endedByPipe
  })
}
