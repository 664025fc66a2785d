// @ts-check
/** One note among all edited by hand, and the recall that finds what it says now. */
import { openWorkspace } from '@agentm/workspace'
import { appendFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'

/** @param {{ readonly notes: number, readonly rounds: number }} settings */
export async function changed({ notes, rounds }) {
  const workspace = await openWorkspace(process.cwd())
  const memory = await workspace.memory()
  await memory.recall({ text: 'anything at all' })
  const figures = []
  for (let round = 0; round < rounds; round++) {
    const key = `personal/fact/note-${1 + ((round * 997) % notes)}.md`
    const word = `zyx${round.toString(36)}${process.pid}`
    await appendFile(path.join(homedir(), '.agentm', 'memory', key), `\nThe code word is ${word}.\n`)
    const started = performance.now()
    const { results } = await memory.recall({ text: `what is the code word ${word}?` })
    figures.push(performance.now() - started)
    if (results[0]?.key !== key) throw new Error(`${key} says ${word}, and recall answered ${results[0]?.key}`)
  }
  await workspace.close()
  return { figures: { ours: figures } }
}
