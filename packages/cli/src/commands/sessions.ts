/** The agent sessions that were captured: list them, show the turns of one, forget one. */
import { type KeptTurn, type SessionSummary, UnknownSessionError } from '@agentm/learning/sessions'
import { PersonNeededError } from '@agentm/memory/errors'
import { dataNotice, marked, oneLine } from '@agentm/memory/shown'
import { type Call, type Command, UsageError } from '../command.ts'
import { personSaysYes } from '../person-says-yes.ts'
import { typed } from '../typed.ts'
import { callerOf } from './memory/caller.ts'
import { countOption } from './number-options.ts'

const mostShown = 160

export const sessionsList: Command = {
  summary: 'list the captured sessions of coding agents, newest first',
  options: {
    all: { help: 'sessions of every project (default: those of this project)' },
    limit: { value: 'N', help: 'the most sessions to list (default: 20)' },
    from: { value: 'DATE', help: 'only sessions of this day or later, such as 2026-11-02' },
    to: { value: 'DATE', help: 'only sessions before this day' },
  },
  run: async (call) => {
    const [limit = 20, from, to] = [countOption(call, 'limit'), dayOf(call, 'from'), dayOf(call, 'to')]
    const reader = await call.reader()
    const project = await reader.project()
    const shelf = await reader.sessions(await reader.owner())
    const sessions = await shelf?.list({
      limit,
      ...(call.has('all') ? {} : { partition: project.slug ?? '_global' }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    })
    const text =
      sessions === undefined || sessions.length === 0
        ? typed('No sessions were captured here. To capture what your agents did so far: agentm capture sessions')
        : sessions.map((session) => lineOf(session, call)).join('\n')
    return { text, data: { sessions: sessions ?? [] } }
  },
}

export const sessionsShow: Command = {
  takes: 'SESSION',
  summary: 'show the turns of a captured session',
  details: 'SESSION is the id of the session, the id of one of its turns, or the beginning of either.',
  run: async (call) => {
    const reader = await call.reader()
    const shelf = await reader.sessions(await reader.owner())
    const wanted = wantedIn(call)
    if (shelf === undefined) throw new UnknownSessionError(wanted)
    const { turns, timeline } = await shelf.show(wanted)
    return { text: `${dataNotice}\n\n${timeline}`, data: { turns } }
  },
}

export const sessionsForget: Command = {
  takes: 'SESSION',
  summary: 'permanently delete the captured turns of a session; it is not captured again',
  details:
    'The session file of the coding agent is not touched. What was learned from the session stays: agentm learned.',
  run: async (call) => {
    const wanted = wantedIn(call)
    const reader = await call.reader()
    // A log is made only by what writes.
    const shelf = await reader.sessions(await reader.owner())
    if (shelf === undefined) throw new UnknownSessionError(wanted)
    const { turns } = await shelf.show(wanted)
    const refusal = () => new PersonNeededError(wanted, 'erase')
    if (callerOf(call).by !== 'person') throw refusal()
    const question = `Permanently delete ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'} of ${nameOf(turns)}?`
    if (!(await personSaysYes(call.terminal, question))) throw refusal()
    const { sessions } = await (await call.workspace()).capture()
    const forgotten = await sessions.forget(wanted)
    return { text: `Deleted: ${oneLine(forgotten.session)}, ${forgotten.turns} turns.`, data: forgotten }
  },
}

function wantedIn({ args }: Call): string {
  const [wanted = ''] = args
  return wanted
}

function nameOf([first]: readonly KeptTurn[]): string {
  return first === undefined ? 'it' : `the ${first.turn.host} session ${oneLine(first.turn.session)}`
}

function dayOf(call: Call, option: 'from' | 'to'): number | undefined {
  const text = call.get(option)
  if (text === undefined) return undefined
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const at = new Date(Number(year), Number(month) - 1, Number(day)).getTime()
  if (Number.isNaN(at))
    throw new UsageError(`--${option} does not accept ${JSON.stringify(text)}. Use a day such as 2026-11-02.`)
  return at
}

function lineOf(session: SessionSummary, { terminal }: Pick<Call, 'terminal'>): string {
  const { host, startedAt, turns, asked, done, open, branch } = session
  const facts = [
    session.session.slice(0, 13),
    host,
    session.partition,
    `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(open.length === 0 ? [] : [`${open.length} left to do`]),
  ]
  return [
    `${timeOf(startedAt)}  ${marked(asked, mostShown)}`,
    ...(done === undefined ? [] : [`      ${marked(done, mostShown)}`]),
    `      ${terminal.dim(facts.map((fact) => oneLine(fact)).join(', '))}`,
  ].join('\n')
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
