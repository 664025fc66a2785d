// @ts-check
/**
 * A child process calls this first: when its parent is gone, however it went, so is it. It hears of that from the line between
 * them, which is the channel of `fork`, or its standard input where that is a pipe.
 */
import { fstatSync } from 'node:fs'

export function endWithParent() {
  if (process.connected) {
    process.once('disconnect', () => process.exit())
    return
  }
  const input = fstatSync(0)
  if (!input.isFIFO() && !input.isSocket()) return
  process.stdin.resume().once('end', () => process.exit())
  // To listen for the parent is no reason to stay.
  process.stdin.unref()
}
