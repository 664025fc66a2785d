/**
 * The plan or step somebody means: by its id, by the beginning of it, or as `PLAN/KEY` for a step by the key its plan file
 * gives it. Somebody else's rows are absent.
 */
import { stepIdIn } from '@agentm/harness'
import { AbsentNodeError, type Head, type NodeLog, parseId, scanAll } from '@agentm/nodes'
import { UsageError } from '../../command.ts'
import { shortId } from './pure/short-id.ts'

export interface FoundRow {
  readonly concept: typeof planConcept | typeof stepConcept
  readonly id: string
}

export interface RowSource {
  readonly log: Pick<NodeLog, 'scan' | 'latest'>
  readonly owner: string
}

export const planConcept = 'v1:harness:plan'
export const stepConcept = 'v1:harness:step'

/** What is needed of it is gone for good. */
export class ErasedError extends Error {
  override readonly name = 'ErasedError'
  readonly code = 'ERASED'
  readonly id: string
  constructor(id: string) {
    super(`${shortId(id)} was erased, or a part of it that this needs. agentm trace PLAN tells what is left of a plan.`)
    this.id = id
  }
}

export async function findRow(source: RowSource, words: string): Promise<FoundRow> {
  const found = await findAnyRow(source, words)
  if ((await source.log.latest(found.id, { owner: source.owner }))?.redacted === true) throw new ErasedError(found.id)
  return found
}

/** Also one that was erased. */
export async function findAnyRow(source: RowSource, words: string): Promise<FoundRow> {
  const slash = words.indexOf('/')
  const found =
    (await byId(source, words)) ??
    (slash < 0 ? await byBeginning(source, words) : await byKey(source, words.slice(0, slash), words.slice(slash + 1)))
  if (found === undefined) throw new AbsentNodeError(words)
  return found
}

export async function findPlanId(source: RowSource, words: string): Promise<string> {
  return planIn(await findRow(source, words), words)
}

/** Also of one that was erased. */
export async function findAnyPlanId(source: RowSource, words: string): Promise<string> {
  return planIn(await findAnyRow(source, words), words)
}

function planIn({ concept, id }: FoundRow, words: string): string {
  if (concept === planConcept) return id
  throw new UsageError(`${words} is a step. Name its plan; agentm status lists them.`)
}

async function byKey(source: RowSource, plan: string, key: string): Promise<FoundRow | undefined> {
  const id = stepIdIn(await findAnyPlanId(source, plan), key)
  return (await isThere(source, id)) ? { concept: stepConcept, id } : undefined
}

async function byId(source: RowSource, words: string): Promise<FoundRow | undefined> {
  const concept = [planConcept, stepConcept].find((name) => words.startsWith(`${name}:`))
  if (concept !== undefined) return (await isThere(source, words)) ? rowOf(words) : undefined
  // What cannot stand in an id is none.
  if (words === '' || /[\s:]/.test(words)) return undefined
  for (const name of [planConcept, stepConcept])
    if (await isThere(source, `${name}:${words}`)) return rowOf(`${name}:${words}`)
  return undefined
}

/** Fewer characters fit too much by chance. */
const leastBeginning = 4

async function byBeginning({ log, owner }: RowSource, words: string): Promise<FoundRow | undefined> {
  if (words.length < leastBeginning) return undefined
  const fits = ({ id }: Head) => parseId(id).short.startsWith(words)
  const plans = (await scanAll(log, { owner, concepts: [planConcept] })).filter(fits)
  const found = plans.length > 0 ? plans : (await scanAll(log, { owner, concepts: [stepConcept] })).filter(fits)
  const [first, ...others] = found
  if (first === undefined) return undefined
  if (others.length === 0) return rowOf(first.id)
  const meant = found.slice(0, 5).map(({ id }) => shortId(id, 16))
  throw new UsageError(`"${words}" may be ${found.length} rows: ${meant.join(', ')}${found.length > 5 ? ', …' : ''}.`)
}

function rowOf(id: string): FoundRow {
  return { concept: id.startsWith(`${planConcept}:`) ? planConcept : stepConcept, id }
}

async function isThere({ log, owner }: RowSource, id: string): Promise<boolean> {
  return (await log.latest(id, { owner })) !== undefined
}
