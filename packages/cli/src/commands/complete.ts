/** Completes a command line. The scripts of `agentm completion` ask this at every Tab, so that there is one list for all shells. */
import type { Call, Command } from '../command.ts'
import { table } from '../command-table.ts'
import { completionOf, type Wanted } from '../pure/completion-of.ts'
import { findStaticWords } from '../static-words.ts'
import { lookingAtMemory } from './memory/with-memory.ts'
import { latestPlanStates } from './plan/plan-state.ts'
import { shortId } from './plan/pure/short-id.ts'

export const complete: Command = {
  takes: '[WORD...]',
  summary: 'print the words that can complete a command line, for the scripts of agentm completion',
  details:
    'WORD... are the words after agentm; the last one is the word to complete, and may be empty. Write -- before them: agentm complete -- run --sl',
  async run(call) {
    const words = await candidates(call)
    return { text: words.length === 0 ? '' : `${words.join('\n')}\n`, exact: true, data: { words } }
  },
}

async function candidates(call: Call): Promise<readonly string[]> {
  const typed = call.args
  const entry = table
    .filter(({ name }) => name.split(' ').every((word, i) => i < typed.length - 1 && typed[i] === word))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
  const command = entry === undefined ? undefined : { name: entry.name, definition: await entry.load() }
  const names = [
    ...table.map(({ name }) => name),
    'help',
    'seam recall-here',
    'seam state-path',
    'seam offer-save-here',
  ]
  const { words, wanted } = completionOf(typed, { names, command })
  const last = typed.at(-1) ?? ''
  const found = wanted === undefined ? [] : [...findStaticWords(wanted), ...(await storedWords(wanted, call))]
  return [...new Set([...words, ...found])].filter((word) => word.startsWith(last) && !/\s/.test(word)).toSorted()
}

const mostPlans = 50
const mostNotes = 500

/** Ids and keys of what is stored here. A store that cannot be read completes nothing: a Tab is no place for an error. */
async function storedWords({ placeholder, command }: Wanted, call: Call): Promise<readonly string[]> {
  try {
    if (placeholder === 'NAME' && command.startsWith('inbox '))
      return await lookingAtMemory(
        call,
        async ({ memory }) => (await memory.inbox.list()).candidates.map((each) => each.name),
        none,
      )
    if (placeholder === 'NOTE' && command !== 'personal write')
      return await lookingAtMemory(
        call,
        async ({ memory }) => {
          const status = command === 'restore' ? { status: ['deleted'] } : {}
          return (await memory.notes(status)).slice(0, mostNotes).map(({ key }) => key)
        },
        none,
      )
    const reader = await call.reader()
    if (/^(PLAN|STEP|PLAN\|STEP)$/.test(placeholder)) return planWords(await reader.plans(), placeholder)
    if (placeholder === 'AGENT')
      return ((await (await reader.plans())?.roster.list()) ?? []).map(({ id }) => shortId(id))
    if (placeholder === 'BELIEF')
      return ((await (await reader.beliefs(await reader.owner()))?.list({})) ?? []).map(
        ({ id }) => id.split(':').at(-1) ?? id,
      )
    return []
  } catch {
    return []
  }
}

const none = (): readonly string[] => []

async function planWords(
  plans: Parameters<typeof latestPlanStates>[0] | undefined,
  placeholder: string,
): Promise<readonly string[]> {
  if (plans === undefined) return []
  const states = await latestPlanStates(plans, mostPlans)
  const steps = states.flatMap(({ waiting, failed }) => [...waiting, ...failed].map(({ stepId }) => shortId(stepId)))
  return [...states.map(({ planId }) => shortId(planId)), ...(placeholder === 'PLAN' ? [] : steps)]
}
