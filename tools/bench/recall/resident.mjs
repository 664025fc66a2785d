// @ts-check
/** The memory of a process that opened a workspace and stays. */
import { readFileSync } from 'node:fs'
import { openWorkspace } from '@agentm/workspace'

/** The questions come from outside, because the words they are made of take megabytes. @param {{ readonly prompts: readonly string[] }} settings */
export async function resident({ prompts }) {
  const withoutMb = process.memoryUsage.rss() / 2 ** 20
  const workspace = await openWorkspace(process.cwd())
  const memory = await workspace.memory()
  for (const text of prompts) await memory.recall({ text })
  const nowMb = process.memoryUsage.rss() / 2 ** 20
  await workspace.close()
  return { peakMb: peakMb() ?? nowMb, nowMb, withoutMb }
}

function peakMb() {
  if (process.platform !== 'linux') return undefined
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return kib === undefined ? undefined : Number(kib) / 1024
}
