// @ts-check
/** The memory of a process that opened a workspace and stays. */
import { readFileSync } from 'node:fs'
import { openWorkspace } from '@agentm/workspace'
import { proseFrom } from './prose.mjs'

/** @param {{ readonly notes: number, readonly bytes: number, readonly rounds: number }} settings */
export async function resident({ notes, bytes, rounds }) {
  const withoutMb = process.memoryUsage.rss() / 2 ** 20
  const workspace = await openWorkspace(process.cwd())
  const memory = await workspace.memory()
  // The notes of this size again, one by one, so that their texts do not count.
  const [pages, prose] = [proseFrom(notes + bytes), proseFrom(9)]
  for (let i = 0; i < rounds; i++) await memory.recall({ text: prose.promptAbout(pages.page(bytes)) })
  const nowMb = process.memoryUsage.rss() / 2 ** 20
  await workspace.close()
  return { peakMb: peakMb() ?? nowMb, nowMb, withoutMb }
}

function peakMb() {
  if (process.platform !== 'linux') return undefined
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return kib === undefined ? undefined : Number(kib) / 1024
}
