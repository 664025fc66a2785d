/** The inbox: proposed notes, and the commands with which a person decides about them. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { InboxAnswer, InboxCandidate, SaveResult } from '@agentm/memory'
import { NoteAbsentError, PersonNeededError } from '@agentm/memory/errors'
import { dataNotice, oneLine, shownEntry, shownName, titleIn } from '@agentm/memory/shown'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { personSaysYes } from '../../person-says-yes.ts'
import { typed } from '../../typed.ts'
import { callerOf } from './caller.ts'
import { given } from '../number-options.ts'
import { whereOption } from './where-option.ts'
import { lookingAtMemory, type OpenedMemory } from './with-memory.ts'

export const inboxList: Command = {
  summary: 'list the proposals that wait for your decision',
  details:
    'Agents propose notes with the tool memory_capture or with agentm capture, and when they ask that every session begins with a note. Proposals are never recalled.',
  options: { rejected: { help: 'list the proposals you rejected instead' }, ...whereOption },
  run: (call) => {
    const rejected = call.has('rejected')
    return lookingAtMemory(
      call,
      async ({ memory, project }) =>
        withLearned(call, listAnswer(await memory.inbox.list({ rejected }), rejected), project.slug),
      () => listAnswer({ candidates: [], elsewhere: 0, unreadable: [] }, rejected),
    )
  },
}

/** What was learned from agent sessions waits elsewhere, because most of it is decided in one go. */
async function withLearned(call: Call, answer: Answer, project: string | undefined): Promise<Answer> {
  const reader = await call.reader()
  const count = (await (await reader.learned(await reader.owner()))?.count(project ?? '_global')) ?? 0
  if (count === 0) return answer
  const what = count === 1 ? '1 statement' : `${count} statements`
  const notice = typed(`${what} learned from agent sessions wait for your decision, too. To list them: agentm learned`)
  return { ...answer, notices: [...(answer.notices ?? []), notice] }
}

function listAnswer(answer: InboxAnswer, rejected: boolean): Answer {
  const { candidates, elsewhere, unreadable } = answer
  const nothing = rejected ? 'No proposals were rejected.' : 'The inbox is empty.'
  const next =
    'each line ends with the name of a proposal. To see one: agentm inbox show NAME. To decide: agentm inbox accept, edit or reject NAME'
  return {
    text: candidates.length === 0 ? nothing : candidates.map(lineOf).join('\n'),
    data: answer,
    notices: [
      ...(candidates.length === 0 || rejected ? [] : [next]),
      ...(elsewhere === 0
        ? []
        : [`${elsewhere} more proposals belong to other projects. To list them, run agentm inbox in those checkouts`]),
      ...unreadable.map((key) => `cannot be read now: ${oneLine(key)}`),
    ],
  }
}

export const inboxShow: Command = {
  takes: 'NAME',
  summary: 'show a proposal: its text, who made it and why',
  options: whereOption,
  run: (call) =>
    withCandidates(call, call.args, async ([candidate]) => ({
      text: `${dataNotice}\n\n${textOf(candidate)}`,
      data: candidate,
    })),
}

const scopeOptions = {
  personal: { help: 'the note belongs to no project; every project recalls it' },
  project: { help: 'the note belongs to this project' },
}

export const inboxAccept: Command = {
  takes: 'NAME...',
  summary: 'save a proposal as a note',
  details:
    'Shows the note and the project it will belong to, and asks you to type a number. Sessions begin with the note only if you give --always-load.',
  options: {
    'always-load': { help: 'begin every session of the project with this note; with --personal, of every project' },
    slug: { value: 'NAME', help: 'the file name to use' },
    ...scopeOptions,
    ...whereOption,
  },
  run: (call) =>
    withCandidates(call, call.args, async (wanted, { memory, project }) => {
      const alwaysLoad = call.has('always-load')
      const scope = scopeIn(call)
      const becomes = (candidate: InboxCandidate) => {
        const isPersonal = scope === undefined ? candidate.partition !== project.slug : scope === 'personal'
        return becomesText(candidate, { alwaysLoad, where: isPersonal ? undefined : project.slug })
      }
      await decidedBy(call, wanted, { verb: 'Keep', told: becomes })
      const accepted: SaveResult[] = []
      const options = {
        by: 'person',
        alwaysLoad,
        ...given('scope', scope),
        ...given('slug', call.get('slug')),
      } as const
      for (const { key } of wanted) accepted.push(await memory.inbox.accept(key, options))
      return { text: accepted.map(({ key }) => `accepted: ${oneLine(key)}`).join('\n'), data: { accepted } }
    }),
}

export const inboxEdit: Command = {
  takes: 'NAME [TEXT...]',
  summary: 'change the text, or another field, of a proposal before you decide',
  details:
    'TEXT is the rest of the line; --file takes it from a file. A text that you changed counts as your own, and the note says so.',
  options: {
    file: { value: 'FILE', help: 'take the text from this file' },
    title: { value: 'TEXT', help: 'a new title' },
    kind: { value: 'KIND', help: 'a new kind' },
    tag: { value: 'TAG', help: 'replace the tags; may be given several times', repeats: true },
    ...scopeOptions,
    ...whereOption,
  },
  run: async (call) => {
    const [name = '', ...words] = call.args
    const tags = call.all('tag')
    const change = {
      ...given('text', await textIn(call, words)),
      ...given('title', call.get('title')),
      ...given('kind', call.get('kind')),
      ...given('tags', tags.length === 0 ? undefined : tags),
      ...given('scope', scopeIn(call)),
    }
    if (Object.keys(change).length === 0)
      throw new UsageError(
        'nothing to change was given. Give a text, --file, --title, --kind, --tag, --personal or --project.',
      )
    return withCandidates(call, [name], async (wanted, { memory }) => {
      await decidedBy(call, wanted, { verb: 'Change' })
      const after = await memory.inbox.edit(wanted[0].key, { ...change, by: 'person' })
      return { text: textOf(after), data: after }
    })
  },
}

export const inboxReject: Command = {
  takes: 'NAME...',
  summary: 'reject a proposal permanently; the same text is not proposed again',
  options: { reason: { value: 'TEXT', help: 'why you reject it' }, ...whereOption },
  run: (call) =>
    withCandidates(call, call.args, async (wanted, { memory }) => {
      await decidedBy(call, wanted, { verb: 'Reject' })
      const rejected: { readonly key: string }[] = []
      const options = { by: 'person', ...given('reason', call.get('reason')) } as const
      for (const { key } of wanted) rejected.push(await memory.inbox.reject(key, options))
      return { text: wanted.map(({ name }) => `rejected: ${oneLine(name)}`).join('\n'), data: { rejected } }
    }),
}

type Candidates = readonly [InboxCandidate, ...(readonly InboxCandidate[])]

/** Creates no store where there is none: then no proposal has that name. */
function withCandidates(
  call: Call,
  names: readonly string[],
  work: (candidates: Candidates, opened: OpenedMemory) => Promise<Answer>,
): Promise<Answer> {
  const absent = () => {
    throw new NoteAbsentError(names[0] ?? '')
  }
  const found = async (opened: OpenedMemory) => {
    const [first, ...more] = await Promise.all([...new Set(names)].map((name) => opened.memory.inbox.find(name)))
    return first === undefined ? absent() : work([first, ...more], opened)
  }
  return lookingAtMemory(call, found, absent)
}

interface Question {
  readonly verb: 'Keep' | 'Change' | 'Reject'
  /** What follows from a yes. */
  readonly told?: (candidate: InboxCandidate) => string
}

/** Shows what is decided about, and goes on only once a person said yes. */
async function decidedBy(call: Call, wanted: Candidates, { verb, told }: Question): Promise<void> {
  const { terminal } = call
  const refusal = () => new PersonNeededError(wanted[0].key, 'decide')
  if (callerOf(call).by !== 'person') throw refusal()
  for (const candidate of wanted)
    terminal.out([textOf(candidate), ...(told === undefined ? [] : [told(candidate)]), ''].join('\n'))
  if (!(await personSaysYes(terminal, `${verb} ${wanted.length === 1 ? 'it' : `all ${wanted.length}`}?`)))
    throw refusal()
}

function becomesText(
  candidate: InboxCandidate,
  { alwaysLoad, where }: { readonly alwaysLoad: boolean; readonly where: string | undefined },
): string {
  const place = where === undefined ? 'every project' : `the project ${oneLine(where)}`
  if (alwaysLoad) return `It will be saved as a note, and every session of ${place} will begin with it.`
  const proposed = candidate.alwaysLoad
    ? ' The proposal asks that sessions begin with it; they will not, unless you give --always-load.'
    : ''
  return `It will be saved as a note that ${place} recalls.${proposed}`
}

function lineOf(candidate: InboxCandidate): string {
  return shownName(entryOf(candidate), ...factsOf(candidate))
}

function textOf(candidate: InboxCandidate): string {
  const { reason, confidence } = candidate
  const sure = confidence === undefined ? '' : ` (confidence ${confidence})`
  const why = reason === undefined ? [] : [`The reason given${sure}: ${oneLine(reason, 300)}`]
  return [shownEntry(entryOf(candidate), ...factsOf(candidate)), ...why].join('\n')
}

function entryOf({ name, kind, text, createdAt, writtenBy, ...candidate }: InboxCandidate) {
  const title = candidate.title ?? titleIn(text) ?? name
  const author = writtenBy === undefined ? {} : { writtenBy }
  return { of: 'proposal', id: name, kind, title, text, createdAt, ...author } as const
}

function factsOf({ partition, alwaysLoad, occurrences, tags, status }: InboxCandidate): readonly string[] {
  return [
    partition === '_global' ? 'for every project' : `for ${oneLine(partition)}`,
    ...(alwaysLoad ? ['proposes that sessions begin with it'] : []),
    ...(occurrences > 1 ? [`proposed ${occurrences} times`] : []),
    ...tags.map((tag) => `#${oneLine(tag)}`),
    ...(status === 'rejected' ? ['rejected'] : []),
  ]
}

function scopeIn(call: Call): 'project' | 'personal' | undefined {
  if (call.has('personal') && call.has('project'))
    throw new UsageError('--personal and --project cannot be combined. Use one of them.')
  return call.has('personal') ? 'personal' : call.has('project') ? 'project' : undefined
}

async function textIn(call: Call, words: readonly string[]): Promise<string | undefined> {
  const file = call.get('file')
  if (file === undefined) return words.length === 0 ? undefined : words.join(' ')
  if (words.length > 0) throw new UsageError('the text was given twice. Give it either on the line or with --file.')
  return readFile(path.resolve(call.cwd, file), 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  })
}
