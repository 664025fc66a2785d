/** The beliefs that were learned: list them, show where one comes from, confirm, correct or forget some. */
import type { BeliefShelf, BeliefStory, ShelvedBelief } from '@agentm/learning'
import { NoteAbsentError } from '@agentm/memory/errors'
import { oneLine, sourceOf } from '@agentm/memory/shown'
import type { Learning } from '@agentm/workspace'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { typed } from '../typed.ts'

interface Wanted {
  readonly status?: 'active' | 'pruned'
  readonly partition?: string
}

const ownerOption = { owner: { value: 'NAME', help: 'whose beliefs (default: your own)' } }
const listOptions = {
  status: { value: 'STATUS', help: 'active, pruned or all (default: active)' },
  project: { value: 'NAME', help: 'only beliefs of this project; _global for those of every project' },
  ...ownerOption,
}

export const beliefsList: Command = {
  summary: 'list the beliefs learned from past work, highest confidence first',
  details:
    'Each belief is also a note in the beliefs/ directory of your store. If you edit that note, your words are kept. If you delete it, the belief is forgotten. ' +
    'Both take effect when you run agentm consolidate: an edit the first time, a deletion the second time.',
  options: listOptions,
  run: async (call) =>
    lookingAtBeliefs(call, async (shelf) => {
      const [status, partition] = [statusOf(call), call.get('project')]
      const wanted: Wanted = {
        ...(status === undefined ? {} : { status }),
        ...(partition === undefined ? {} : { partition }),
      }
      const beliefs = (await shelf?.list(wanted)) ?? []
      const text =
        beliefs.length === 0
          ? noneText(wanted, (await shelf?.list({})) ?? [])
          : beliefs.map((each) => line(each, call)).join('\n')
      return { text, data: { beliefs } }
    }),
}

export const beliefsShow: Command = {
  takes: 'BELIEF',
  summary: 'show one belief, the episodes it was learned from, and its versions',
  options: ownerOption,
  run: async (call) =>
    lookingAtBeliefs(call, async (shelf) => {
      const wanted = call.args[0] ?? ''
      if (shelf === undefined) throw new NoteAbsentError(wanted)
      const story = await shelf.show(wanted)
      return { text: storyText(story, call), data: story }
    }),
}

export const beliefsPrune: Command = {
  takes: 'BELIEF...',
  summary: 'forget beliefs; a forgotten belief is not learned again',
  options: ownerOption,
  run: async (call) =>
    withBeliefs(call, async (opened, owner) => {
      const pruned = []
      for (const id of call.args) pruned.push(await opened.beliefs(owner).prune(id))
      const { notices } = await opened.sync(owner)
      const text = pruned
        .map(({ id, wasActive }) => `${wasActive ? 'forgotten' : 'already forgotten'}: ${oneLine(id)}`)
        .join('\n')
      return { text, data: { pruned }, notices }
    }),
}

export const beliefsConfirm: Command = {
  takes: 'BELIEF...',
  summary: 'confirm that beliefs are true; their confidence is 1 again',
  details:
    'Confidence fades while nothing confirms a belief. What was learned from agent sessions waits for another decision: agentm learned.',
  options: ownerOption,
  run: async (call) =>
    withKnownBeliefs(call, call.args, async (opened, owner) => {
      const confirmed = []
      for (const id of call.args) confirmed.push(await opened.beliefs(owner).confirm(id))
      const { notices } = await opened.sync(owner)
      return { text: confirmed.map(({ id }) => `confirmed: ${oneLine(id)}`).join('\n'), data: { confirmed }, notices }
    }),
}

export const beliefsCorrect: Command = {
  takes: 'BELIEF TEXT...',
  summary: 'word a belief anew; your words are kept',
  details: 'TEXT is the rest of the line. What the belief said before is not learned again.',
  options: ownerOption,
  run: async (call) => {
    const [id = '', ...words] = call.args
    if (words.length === 0) throw new UsageError('the new text is missing. Give it after the BELIEF.')
    return withKnownBeliefs(call, [id], async (opened, owner) => {
      const corrected = await opened.beliefs(owner).correct(id, words.join(' '))
      const { notices } = await opened.sync(owner)
      return { text: `corrected: ${oneLine(corrected.id)}`, data: corrected, notices }
    })
  },
}

/** Why the list is empty, and which list is not. */
function noneText({ status, partition }: Wanted, all: readonly ShelvedBelief[]): string {
  if (all.length === 0) return typed('There are no beliefs yet. To learn some from past work: agentm consolidate')
  const forgotten = all.filter((each) => partition === undefined || each.partition === partition).length
  const where = partition === undefined ? '' : ` of ${oneLine(partition)}`
  if (forgotten === 0 || status === 'pruned')
    return `There are no ${status === 'pruned' ? 'forgotten ' : ''}beliefs${where}.`
  return typed(`No belief${where} is active; ${forgotten} forgotten. To list them: agentm beliefs --status pruned`)
}

/** Makes no log where there is none; then there is no shelf. */
async function lookingAtBeliefs(
  call: Call,
  work: (shelf: Pick<BeliefShelf, 'list' | 'show'> | undefined) => Promise<Answer>,
): Promise<Answer> {
  const reader = await call.reader()
  return work(await reader.beliefs(call.get('owner') ?? (await reader.owner())))
}

/** Looks the beliefs up before the log is opened for writing, which would make one. */
async function withKnownBeliefs(
  call: Call,
  ids: readonly string[],
  work: (learning: Learning, owner: string) => Promise<Answer>,
): Promise<Answer> {
  return lookingAtBeliefs(call, async (shelf) => {
    for (const id of ids) {
      if (shelf === undefined) throw new NoteAbsentError(id)
      await shelf.show(id)
    }
    return withBeliefs(call, work)
  })
}

async function withBeliefs(call: Call, work: (learning: Learning, owner: string) => Promise<Answer>): Promise<Answer> {
  const learning = await (await call.workspace()).learning()
  return work(learning, call.get('owner') ?? learning.owner)
}

function statusOf(call: Call): 'active' | 'pruned' | undefined {
  const status = call.get('status') ?? 'active'
  if (status === 'all') return undefined
  if (status === 'active' || status === 'pruned') return status
  throw new UsageError(`--status does not accept ${JSON.stringify(status)}. Use active, pruned or all.`)
}

function line(belief: ShelvedBelief, { terminal }: Pick<Call, 'terminal'>): string {
  const { id, content, kind, confidence, partition, provenance, status, sources } = belief
  const facts = [
    shortOf(id),
    kind,
    partition,
    `${sources.length} ${sources.length === 1 ? 'episode' : 'episodes'}`,
    ...(provenance === 'operator' ? ['written by a person'] : []),
    ...(belief.isUnconfirmed === true ? ['learned from agent sessions, unconfirmed'] : []),
    ...(status === 'pruned' ? [`pruned${belief.prunedBy === undefined ? '' : ` (${belief.prunedBy})`}`] : []),
  ]
  return `${confidence.toFixed(2)}  ${oneLine(content)}\n      ${terminal.dim(facts.map((fact) => oneLine(fact)).join(', '))}`
}

function storyText(story: BeliefStory, call: Pick<Call, 'terminal'>): string {
  const { episodes, versions } = story
  const from = episodes.map(({ id, kind, at, content }) => {
    const what = kind === undefined ? '' : ` ${sourceOf({ of: 'episode', kind })} [${oneLine(kind)}]`
    const head = at === undefined ? oneLine(id) : `${dateOf(at)}${what}  ${oneLine(id)}`
    return content === undefined ? `  ${head} (text deleted)` : `  ${head}\n    > ${oneLine(content, 300)}`
  })
  const changes = versions.map(
    ({ version, at, what, confidence, content }) =>
      `  ${version}  ${dateOf(at)} ${confidence.toFixed(2)} ${oneLine(what)}: ${oneLine(content)}`,
  )
  const instead = [
    ...(story.supersedes === undefined ? [] : [`replaces ${oneLine(story.supersedes)}`]),
    ...(story.supersededBy === undefined ? [] : [`replaced by ${oneLine(story.supersededBy)}`]),
  ]
  return [
    line(story, call),
    oneLine(story.id),
    ...instead,
    'Learned from:',
    ...(from.length === 0 ? ['  no episodes'] : from),
    'Versions:',
    ...changes,
  ].join('\n')
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

function shortOf(id: string): string {
  return (id.split(':').at(-1) ?? id).slice(0, 12)
}
