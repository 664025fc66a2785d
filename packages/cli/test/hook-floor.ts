/** A vault of developer notes, and the prompt hook asked as a host asks it: what it says to ordinary prompts and to those that a note answers. */
import { vaultsOf } from '../../../tools/eval/floor/vaults.mjs'
import { CliWorld } from './cli-world.ts'

export interface Spoken {
  /** The share of ordinary prompts at which the hook said anything. */
  readonly ordinary: number
  /** The share of the other prompts at which the note that answers came first. */
  readonly answered: number
}

interface Sample {
  readonly notes: 40 | 300 | 2000
  readonly ordinary: number
  readonly answered: number
}

export async function whatTheHookSays(sample: Sample): Promise<Spoken> {
  const vault = vaultsOf(1, 'kept').find(({ corpus }) => corpus.length === sample.notes)
  if (vault === undefined) throw new Error(`no vault has ${sample.notes} notes`)
  const world = await CliWorld.make()
  try {
    for (const { id, title, text } of vault.corpus)
      await world.file(`.agentm/memory/projects/acme/notes/${id}.md`, `# ${title}\n\n${text}\n`)
    await world.agentm(['reindex'])
    const ask = async (prompt: string) => {
      const input = JSON.stringify({ cwd: world.repo, prompt })
      const { out } = await world.agentm(['hook', 'prompt-submit', '--within', '60000'], input)
      return out.split('\n').filter((line) => line.startsWith('- '))
    }
    const ordinary = spread(
      vault.asked.filter(({ gold }) => gold.length === 0),
      sample.ordinary,
    )
    const answered = spread(
      vault.asked.filter(({ gold }) => gold.length > 0),
      sample.answered,
    )
    let [spoke, right] = [0, 0]
    for (const { text } of ordinary) if ((await ask(text)).length > 0) spoke += 1
    for (const { text, gold } of answered)
      if ((await ask(text))[0]?.includes(`projects/acme/notes/${gold[0]}.md`) === true) right += 1
    return { ordinary: spoke / ordinary.length, answered: right / answered.length }
  } finally {
    await world.remove()
  }
}

/** As many of them, evenly spread. */
function spread<T>(all: readonly T[], many: number): readonly T[] {
  return Array.from({ length: many }, (_, i) => all[Math.floor((i * all.length) / many)]).filter(
    (one) => one !== undefined,
  )
}
