/** What earlier runs of a step left in the log: the session to resume, and what it has used. */
import { countOf, fieldsOf, textOf } from './fields.ts'

/** What each observation of a coding agent carries, so that a later run can find its session and continue its counts. */
export interface SessionMark {
  /** The name of the kind. */
  readonly client: string
  readonly session: string
}

/** Where a session can be resumed: its files are on one machine, and belong to one directory and one task. */
export interface SessionPlace {
  readonly client: string
  readonly host: string
  readonly directory: string
  /** A hash of the prompt. */
  readonly prompt: string
}

export interface EarlierWork {
  readonly session: string
  /** The process group that ran it last. */
  readonly group: number | undefined
  /** Hashes of the further prompts that it was already given. */
  readonly told: readonly string[]
  readonly files: readonly string[]
  /** Booked for the session by all runs. */
  readonly tokens: number
  readonly costMicros: number
}

/** `data` are the data of all observations of the step, oldest first. */
export function earlierWork(data: readonly unknown[], place: SessionPlace): EarlierWork | undefined {
  const facts = data.map(fieldsOf).filter(({ client }) => client === place.client)
  const last = facts.findLast(({ isSession, isOver }) => isSession === true || isOver === true)
  const { host, directory, prompt } = place
  if (last === undefined || last['isOver'] === true) return undefined
  if (last['host'] !== host || last['directory'] !== directory || last['prompt'] !== prompt) return undefined
  const session = textOf(last['session'])
  const own = facts.filter((each) => each['session'] === session)
  const group = countOf(last['group'])
  return {
    session,
    group: group === 0 ? undefined : group,
    told: own.flatMap(({ told }) => textOf(told) || []),
    files: [...new Set(own.flatMap(({ files }) => (Array.isArray(files) ? files.map(textOf) : [])))],
    tokens: own.reduce((sum, { tokens }) => sum + countOf(tokens), 0),
    costMicros: own.reduce((sum, { costMicros }) => sum + countOf(costMicros), 0),
  }
}
