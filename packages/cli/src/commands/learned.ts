/** What was learned from agent sessions, before it is trusted: list it, show where it comes from, accept, edit or reject it. */
import { acceptLesson, checkLessonProject, type LearnedLesson, type LearnedShelf } from '@agentm/learning/lessons'
import { NoteAbsentError, PersonNeededError } from '@agentm/memory/errors'
import { dataNotice, marked, oneLine } from '@agentm/memory/shown'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { personSaysYes } from '../person-says-yes.ts'
import { typed } from '../typed.ts'
import { callerOf } from './memory/caller.ts'
import { countOption } from './number-options.ts'
import { withMemory } from './memory/with-memory.ts'

const [mostShown, shortId] = [200, 10]
const statuses = ['waiting', 'accepted', 'rejected', 'replaced', 'faded'] as const

export const learnedList: Command = {
  summary: 'list what was learned from agent sessions and waits for your decision, newest first',
  details:
    'Rules find corrections and rules of yours, commands that work here, failures with what ended them, decisions with their reason, and ' +
    'where things are. With learning.sessions.tokensPerDay, a model is asked, too. Until you accept a statement, later sessions see it only ' +
    'as unconfirmed. What you reject is not learned again.',
  options: {
    all: { help: 'statements of every project (default: those of this project)' },
    status: { value: 'STATUS', help: `${statuses.join(', ')} (default: waiting)` },
    limit: { value: 'N', help: 'the most statements to list (default: 50)' },
  },
  run: async (call) => {
    const reader = await call.reader()
    const [project, shelf, status] = [
      await reader.project(),
      await reader.learned(await reader.owner()),
      statusOf(call),
    ]
    const only = call.has('all') ? {} : { partition: project.slug ?? '_global' }
    const all = (await shelf?.list({ status, ...only })) ?? []
    const lessons = all.slice(0, countOption(call, 'limit') ?? 50)
    if (lessons.length === 0) return { text: noneText(status), data: { lessons: [], more: 0 } }
    const next = typed(
      'To see where one comes from: agentm learned show ID. To decide: agentm learned accept, edit or reject ID',
    )
    const more = all.length - lessons.length
    return {
      text: [dataNotice, '', ...lessons.map((lesson) => lineOf(lesson, call))].join('\n'),
      data: { lessons, more },
      notices: [
        ...(more === 0 ? [] : [`${more} more are left out. To list them: --limit ${all.length}`]),
        ...(status === 'waiting' ? [next] : []),
      ],
    }
  },
}

export const learnedShow: Command = {
  takes: 'ID',
  summary: 'show one statement, and the turns of agent sessions it was learned from',
  run: async (call) => {
    const reader = await call.reader()
    const shelf = await reader.learned(await reader.owner())
    const [wanted = ''] = call.args
    if (shelf === undefined) throw new NoteAbsentError(wanted)
    const lesson = await shelf.show(wanted)
    return { text: `${dataNotice}\n\n${storyOf(lesson, call)}`, data: lesson }
  },
}

export const learnedAccept: Command = {
  takes: 'ID...',
  summary: 'save statements as notes of their project',
  details: 'Shows each statement with its sources, and asks you to type a number.',
  run: async (call) =>
    withLessons(call, 'Keep', async (lessons, shelf) => {
      const accepted: { readonly id: string; readonly note: string }[] = []
      await withMemory(call, async ({ memory, project }) => {
        for (const lesson of lessons) checkLessonProject(lesson, project.slug)
        for (const lesson of lessons)
          accepted.push(await acceptLesson(lesson, { shelf, memory, project: project.slug }))
      })
      return { text: accepted.map(({ note }) => `accepted: ${oneLine(note)}`).join('\n'), data: { accepted } }
    }),
}

export const learnedEdit: Command = {
  takes: 'ID TEXT...',
  summary: 'word a statement anew before you decide; TEXT is the rest of the line',
  run: async (call) => {
    const [id = '', ...words] = call.args
    if (words.length === 0) throw new UsageError('the new text is missing. Give it after the ID.')
    return withLessons({ ...call, args: [id] }, 'Change', async ([lesson], shelf) => {
      const after = await shelf.edit(lesson.id, words.join(' '))
      return { text: storyOf(after, call), data: after }
    })
  },
}

export const learnedReject: Command = {
  takes: 'ID...',
  summary: 'reject statements permanently; they are not learned again, in other words either',
  run: async (call) =>
    withLessons(call, 'Reject', async (lessons, shelf) => {
      for (const { id } of lessons) await shelf.reject(id)
      const text = lessons.map(({ statement }) => `rejected: ${marked(statement, mostShown)}`).join('\n')
      return { text, data: { rejected: lessons.map(({ id }) => ({ id })) } }
    }),
}

type Lessons = readonly [LearnedLesson, ...(readonly LearnedLesson[])]

/** Shows what is decided about, and goes on only once a person said yes. */
async function withLessons(
  call: Call,
  verb: 'Keep' | 'Change' | 'Reject',
  work: (lessons: Lessons, shelf: LearnedShelf) => Promise<Answer>,
): Promise<Answer> {
  // Looked up without opening the log for writing, which would make one.
  const reader = await call.reader()
  const known = await reader.learned(await reader.owner())
  const [wanted = ''] = call.args
  if (known === undefined) throw new NoteAbsentError(wanted)
  const [first, ...more] = await Promise.all([...new Set(call.args)].map(async (id) => known.show(id)))
  if (first === undefined) throw new UsageError('an ID is missing. To list them: agentm learned')
  const lessons: Lessons = [first, ...more]
  const refusal = () => new PersonNeededError(first.id, 'decide')
  if (callerOf(call).by !== 'person') throw refusal()
  for (const lesson of lessons) call.terminal.out(`${storyOf(lesson, call)}\n\n`)
  const question = `${verb} ${lessons.length === 1 ? 'it' : `all ${lessons.length}`}?`
  if (!(await personSaysYes(call.terminal, question))) throw refusal()
  const learning = await (await call.workspace()).learning()
  return work(lessons, learning.learned(learning.owner))
}

function lineOf(lesson: LearnedLesson, { terminal }: Pick<Call, 'terminal'>): string {
  const { kind, statement, partition, evidence, evidenceAt, isEdited, confidence } = lesson
  const sessions = new Set(evidence.map(({ seen }) => seen?.session)).size
  const facts = [
    shortOf(lesson.id),
    kind,
    partition,
    `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`,
    `confidence ${confidence.toFixed(2)}`,
    ...(isEdited ? ['worded by you'] : []),
  ]
  return `${evidenceAt.slice(0, 10)}  ${marked(statement, mostShown)}\n      ${terminal.dim(facts.map((fact) => oneLine(fact)).join(', '))}`
}

function storyOf(lesson: LearnedLesson, call: Pick<Call, 'terminal'>): string {
  const from = lesson.evidence.flatMap(({ turn, seen }) => {
    if (seen === undefined) return [`  ${oneLine(turn)} (deleted)`]
    const { host, session, number, records, at, asked } = seen
    const where = `${at.slice(0, 16).replace('T', ' ')}  ${host} session ${session}, turn ${number}, records ${records[0]} to ${records[1]}`
    return [`  ${oneLine(where)}`, ...(asked === '' ? [] : [`    > ${marked(asked, mostShown)}`])]
  })
  const note = lesson.note === undefined ? [] : [`Saved as ${oneLine(lesson.note)}`]
  return [lineOf(lesson, call), ...note, 'Learned from:', ...(from.length === 0 ? ['  no turn'] : from)].join('\n')
}

function shortOf(id: string): string {
  return (id.split(':').at(-1) ?? id).slice(0, shortId)
}

function statusOf(call: Call): (typeof statuses)[number] {
  const given = call.get('status') ?? 'waiting'
  const status = statuses.find((each) => each === given)
  if (status === undefined)
    throw new UsageError(`--status does not accept ${JSON.stringify(given)}. Use ${statuses.join(', ')}.`)
  return status
}

function noneText(status: string): string {
  return status === 'waiting'
    ? typed(
        'Nothing that was learned here waits for your decision. Agent sessions are learned from after: agentm capture sessions',
      )
    : `Nothing that was learned here is ${status}.`
}
