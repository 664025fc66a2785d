import { AbsentNodeError, composeId, type Node, redactValue } from '@agentm/nodes'
import { isGoneHere, type PlansReader } from '@agentm/workspace/reader'
import type { Observation, StepChange, StepPage, StepRow } from '../contract/plans.ts'
import { entriesThatAsk, isPlanOpen } from './function-asks.ts'
import { asksIn, asksOfFunction } from './pure/asks-in.ts'
import { fieldsOf, numberIn, textIn } from '../pure/fields.ts'
import { short } from '../pure/short.ts'
import { shownText, shownValue } from '../pure/shown-value.ts'
import { stepRow } from './pure/step-row.ts'
import { waitOf } from './pure/wait-of.ts'

const mostObservations = 200

/** Everything about one step: what it was given, what it gave, each attempt, each tool call, and who ran it where. */
export async function stepPage({ log, work, owner }: PlansReader, stepId: string): Promise<StepPage> {
  const id = composeId('v1:harness:step', stepId)
  const versions = await log.history(id, { owner })
  const last = versions.at(-1)
  if (last === undefined) throw new AbsentNodeError(stepId)
  const planId = textIn(last.payload, 'planId') ?? (await log.latest(id, { owner }))?.parent ?? ''
  const [head, plan, observed, sessions, now] = await Promise.all([
    log.latest(id, { owner }),
    planId === '' ? undefined : log.latest(planId, { owner }),
    log.scan({
      owner,
      concepts: ['v1:harness:observation'],
      parent: id,
      versions: 'all',
      order: 'newest',
      limit: mostObservations,
    }),
    work.sessions(),
    work.now(),
  ])
  const payload = redactValue(last.payload)
  const failure = fieldsOf(payload['failure'])
  const cause = last.status === 'failed' ? textIn(failure, 'cause') : undefined
  const workers = sessions.map((each) => {
    const isAlive = each.leaseUntil > now && !isGoneHere(each)
    return { session: each.id, isAlive, name: `${each.facts['host'] ?? ''} (pid ${each.facts['pid'] ?? '?'})` }
  })
  const alive = new Map(workers.flatMap(({ session, isAlive, name }) => (isAlive ? [[session, name] as const] : [])))
  const asked = await entriesThatAsk({ log, owner }, last)
  const asks = [...asksIn(last), ...(isPlanOpen(plan) ? asksOfFunction(last, asked) : [])]
  const waits = head && waitOf(head, alive, asks.length > 0)
  return {
    row: rowOf(versions, last),
    planId: short(planId),
    goal: shownText(textIn(redactValue(plan?.payload ?? {}), 'goal') ?? '', 2_000),
    ...(payload['input'] !== undefined && { input: shownValue(payload['input']) }),
    ...(payload['result'] !== undefined && { result: shownValue(payload['result']) }),
    answers: answersIn(payload, asked),
    ...(cause !== undefined && { failure: failureOf(failure, cause) }),
    ...(waits !== undefined && { waits }),
    limits: limitsOf(payload),
    changes: versions.map(changeOf),
    observations: observed.nodes.map((node) => observationOf(node)).toReversed(),
    olderObservations: observed.cursor !== undefined,
    workers: Object.fromEntries(workers.map(({ session, name }) => [session, name])),
    asks,
    now,
  }
}

function rowOf(versions: readonly Node[], last: Node): StepRow {
  const row = versions.reduce<StepRow | undefined>(stepRow, undefined) ?? stepRow(undefined, last)
  return redactValue(row)
}

function failureOf(failure: Readonly<Record<string, unknown>>, cause: string): NonNullable<StepPage['failure']> {
  const { retryable } = failure
  return {
    cause,
    message: shownText(textIn(failure, 'message') ?? ''),
    ...(typeof retryable === 'boolean' && { retryable }),
  }
}

function answersIn(payload: Readonly<Record<string, unknown>>, asked: readonly Node[]): StepPage['answers'] {
  const given = asked.map((entry) => fieldsOf(redactValue(entry.payload)['answer']))
  const inOrder = given
    .filter((answer) => textIn(answer, 'value') !== undefined)
    .toSorted((a, b) => (numberIn(a, 'at') ?? 0) - (numberIn(b, 'at') ?? 0))
  return [...Object.values(fieldsOf(payload['answers'])).map(fieldsOf), ...inOrder].map(answerOf)
}

function answerOf(answer: Readonly<Record<string, unknown>>): StepPage['answers'][number] {
  const actor = textIn(answer, 'actor')
  const reason = textIn(answer, 'reason')
  return {
    value: shownText(textIn(answer, 'value') ?? ''),
    ...(actor !== undefined && { actor }),
    ...(reason !== undefined && { reason }),
  }
}

const limitFields = [
  'nature',
  'onUnknown',
  'timeoutMs',
  'retry',
  'limit',
  'rate',
  'priority',
  'startAt',
  'delayMs',
  'expiresInMs',
] as const

function limitsOf(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(limitFields.flatMap((name) => (name in payload ? [[name, payload[name]]] : [])))
}

function changeOf(node: Node): StepChange {
  const payload = redactValue(node.payload)
  const session = textIn(payload, 'session')
  const message = node.status === 'failed' ? textIn(payload, 'errorMessage') : undefined
  const isByHand = /^(?:retry|skip|edit|assign|answer)/.test(node.provenanceMutation)
  const actor = isByHand ? textIn(payload, 'actor') : undefined
  const reason = isByHand ? textIn(payload, 'reason') : undefined
  return {
    at: node.createdAt,
    status: node.status ?? '',
    mutation: node.provenanceMutation,
    by: node.createdBy,
    attempt: numberIn(payload, 'attempt') ?? 0,
    ...(session !== undefined && { session }),
    ...(message !== undefined && { message: shownText(message, 2_000) }),
    ...(actor !== undefined && { actor }),
    ...(reason !== undefined && { reason: shownText(reason, 2_000) }),
  }
}

/** The arguments of a tool call are stored as the model wrote them: JSON, if it was valid. */
function observationOf(node: Node): Observation {
  const stored = fieldsOf(node.payload['data'])
  const data = redactValue({ ...stored, args: parsed(stored['args']) })
  const kind = textIn(node.payload, 'kind') ?? ''
  const toolName = textIn(data, 'toolName')
  const calls = numberIn(data, 'toolCalls')
  return {
    at: node.createdAt,
    kind,
    content: node.redacted ? '(erased)' : shownText(textIn(redactValue(node.payload), 'content') ?? ''),
    ...(toolName !== undefined && { toolName }),
    ...(data.args !== undefined && { args: shownValue(data.args) }),
    ...('result' in data && data['result'] !== undefined && { result: shownValue(data['result']) }),
    tokens: (numberIn(data, 'tokens') ?? 0) + (numberIn(data, 'tokenCost') ?? 0),
    costMicros: numberIn(data, 'costMicros') ?? 0,
    toolCalls: calls ?? (kind === 'tool_result' ? 1 : 0),
  }
}

function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args
  try {
    return JSON.parse(args) as unknown
  } catch {
    return args
  }
}
