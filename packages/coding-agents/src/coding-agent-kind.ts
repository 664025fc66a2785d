/**
 * Steps that the coding agent of the user carries out. It runs without a terminal in the directory of the step, within the permissions
 * of the user. Its session is recorded in the log as soon as it is known, so that the next run resumes it instead of beginning again.
 */
import { fingerprint, whyNotStarted } from '@agentm/agent-loop/internal'
import type { StepKind, StepOutcome, StepRun } from '@agentm/harness'
import { feedbackText } from '@agentm/harness/control'
import { scanAll } from '@agentm/nodes'
import { homedir, hostname } from 'node:os'
import path from 'node:path'
import { ClientRecord } from './client-record.ts'
import { clients } from './clients.ts'
import { clientEnvironment } from './client-environment.ts'
import { type CodingAgentInput, codingAgentInput } from './coding-agent-input.ts'
import { type CodingAgentName, codingAgents } from './coding-agents.ts'
import { endStarted } from './end-started.ts'
import { grantedFiles } from './granted-files.ts'
import { leftBehindEnded } from './left-behind.ts'
import type { ClientGrant } from './pure/client-grant.ts'
import { type ClientPolicy, narrowed } from './pure/client-policy.ts'
import { type EarlierWork, earlierWork, type SessionPlace } from './pure/earlier-work.ts'
import { type Heard, nothingHeard, outcomeOf } from './pure/run-outcome.ts'
import { budgetText, failed, outOfBudget, refused, unpriced } from './pure/step-failures.ts'
import type { TokenPrice } from './pure/token-cost.ts'
import { type ClientEnd, type Hear, runClient } from './run-client.ts'
import { SessionFile } from './session-file.ts'

/** What a step of a coding agent needs beside its input. */
export interface CodingAgentOptions {
  /** What the user allows. A step can only make it narrower. */
  readonly policy: ClientPolicy
  /** The program, with its first arguments (default: the agent's own name, searched on the PATH). */
  readonly command?: readonly string[]
  /** The environment that allowed variables are read from (default: this process's environment). */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Names of more variables that the agent can see, such as that of its key. */
  readonly variables?: readonly string[]
  /** What a model costs, for agents that do not report it. A cost limit needs it. */
  readonly priceOf?: (model: string) => TokenPrice | undefined
  /** Where files with permissions are written (default: `~/.agentm/coding-agents`). */
  readonly stateDirectory?: string
}

/** A kind of step that a coding agent carries out. After a failed check it resumes its session with what the check said. */
export interface CodingAgentKind extends StepKind {
  readonly name: CodingAgentName
}

/**
 * Steps that a coding agent of this machine carries out, in its own session, which is resumed after a crash.
 *
 * @example
 * ```ts
 * import { codingAgentKind } from '@agentm/coding-agents'
 *
 * const claude = codingAgentKind('claude-code', { policy: { files: 'write', shell: ['npm test'], hosts: [] } })
 * console.log(claude.name) // claude-code
 * ```
 */
export function codingAgentKind(name: CodingAgentName, options: CodingAgentOptions): CodingAgentKind {
  return {
    name,
    natureOf: () => 'idempotent',
    heedsChecks: true,
    run: async (run) => runStep(run, name, { ...options, prompt: await afterCheck(run) }),
  }
}

/** The prompt that tells the session what the last failed check said. */
async function afterCheck(run: StepRun): Promise<string | undefined> {
  const last = (await run.failedChecks()).at(-1)
  return last && feedbackText(last, run.step.check?.rounds ?? last.round)
}

interface StepOptions extends CodingAgentOptions {
  /** The prompt for the resumed session (default: to continue as before). */
  readonly prompt: string | undefined
}

async function runStep(run: StepRun, name: CodingAgentName, options: StepOptions): Promise<StepOutcome> {
  const parsed = codingAgentInput.safeParse(run.step.input ?? {})
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
    return refused(`its input does not fit: ${problems.join('; ')}`)
  }
  const input = parsed.data
  const own = narrowed(options.policy, input.permissions)
  if ('refused' in own) return refused(own.refused, 'PERMISSION')
  const grant = clients[name].grant(own.policy)
  if ('refused' in grant) return refused(grant.refused, 'PERMISSION')
  const price = options.priceOf?.(input.model ?? '')
  const limitsMoney = await run.budget.limitsMoney()
  if (limitsMoney && price === undefined && !codingAgents[name].reportsCost)
    return refused(unpriced(codingAgents[name].title, input.model), 'MODEL_UNPRICED')
  const work = await workOf(run, name, { ...options, input, grant, price })
  if (!(await leftBehindEnded(work.earlier?.group, run.runtime, run.signal))) {
    run.signal.throwIfAborted()
    return failed(
      `the lost run of this step still runs; end it with: kill -- -${work.earlier?.group}`,
      'CLIENT_RUNNING',
    )
  }
  if (work.earlier !== undefined) await endStarted(run.id)
  const outcome = await runReady(work)
  if (outcome !== 'session gone') return outcome
  const again = await runReady({ ...work, earlier: undefined })
  return again === 'session gone' ? failed('its session is gone', 'CLIENT_FAILED') : again
}

/** Starts an agent anew that says at its start that its tools will fail. After a few starts it may go on as it is. */
async function runReady(work: Work): Promise<StepOutcome | 'session gone'> {
  const { run, place } = work
  let now = work
  for (let start = 1; ; start++) {
    const outcome = await runOnce({ ...now, mayStartAgain: start < mostStarts })
    if (outcome !== 'not ready') return outcome
    await run.runtime.sleep(start * betweenStartsMs, run.signal)
    now = { ...work, earlier: earlierWork(await dataOf(run), place) }
  }
}

const mostStarts = 5
const betweenStartsMs = 100

interface Work extends StepOptions {
  readonly run: StepRun
  readonly name: CodingAgentName
  readonly input: CodingAgentInput
  readonly grant: ClientGrant
  readonly price: TokenPrice | undefined
  readonly place: SessionPlace
  readonly earlier: EarlierWork | undefined
}

async function workOf(
  run: StepRun,
  name: CodingAgentName,
  options: StepOptions & Pick<Work, 'input' | 'grant' | 'price'>,
): Promise<Work> {
  const { input, grant } = options
  const place = { client: name, host: hostname(), directory: await run.directory(), prompt: fingerprint(input.prompt) }
  const earlier = earlierWork(await dataOf(run), place)
  if (earlier === undefined && grant.withheld.length > 0)
    await run.observe({
      kind: 'note',
      content: `${codingAgents[name].title} does not get: ${grant.withheld.join('; ')}`,
    })
  return { ...options, run, name, place, earlier }
}

/** The data of all observations of the step, oldest first. */
async function dataOf({ log, owner, id }: StepRun): Promise<readonly unknown[]> {
  const query = { owner, concepts: ['v1:harness:observation'], parent: id, order: 'oldest' } as const
  return (await scanAll(log, query)).flatMap(({ redacted, payload }) => (redacted ? [] : [payload['data']]))
}

/** `session gone`: that which was to be resumed is not there. */
async function runOnce(
  work: Work & { readonly mayStartAgain: boolean },
): Promise<StepOutcome | 'session gone' | 'not ready'> {
  const { run, name, input, earlier, place, price } = work
  const told = work.prompt === undefined ? undefined : fingerprint(work.prompt)
  const file = new SessionFile(clients[name].sessions, environmentOf(work))
  const start = earlier && (await file.used(earlier.session))
  const record = new ClientRecord(run, { place, earlier, start, told, price })
  await record.bookLost()
  const over = await run.overrun()
  if (over !== undefined) return outOfBudget(over.limit)
  let heard = nothingHeard
  const readFile = async () => {
    const used = await file.used(record.sessionId)
    if (used !== undefined) record.usedSoFar(used)
  }
  const hear: Hear = async (event, group) => {
    if (clients[name].sessions?.isLive === true) await readFile()
    heard = await listen(event, { record, heard, group })
    if (heard.limit !== undefined || heard.isSessionAbsent) return true
    if (heard.notReady !== undefined && work.mayStartAgain) return true
    // What it has finished is not taken from it, even if that used up the budget.
    if (heard.isAtEnd) return false
    if (input.maxTurns !== undefined && record.turns > input.maxTurns)
      heard = { ...heard, fault: { message: `no answer after ${input.maxTurns} replies`, code: 'max_turns' } }
    const limit = record.takeSpending() ? await run.overrun() : undefined
    if (limit !== undefined) heard = { ...heard, fault: { message: budgetText(limit.limit), code: 'budget_exhausted' } }
    return heard.fault?.code !== undefined
  }
  const end = await runClient(clients[name], await programOf(work), { run, hear })
  if (run.signal.aborted) throw run.signal.reason
  await readFile()
  await record.flush()
  if (heard.notReady !== undefined && work.mayStartAgain) {
    await run.observe({ kind: 'note', content: `${codingAgents[name].title} is started again: ${heard.notReady}` })
    return 'not ready'
  }
  if (heard.isSessionAbsent && earlier !== undefined) {
    await record.over(`the session ${earlier.session} is not there any more; a new one begins`)
    return 'session gone'
  }
  const why = whyEnded(work, end)
  const outcome = outcomeOf(heard, { end: why, now: run.now(), title: codingAgents[name].title, record })
  // The same prompt would meet the same fault again in the same session.
  if (outcome.end === 'failed' && earlier !== undefined && !record.hasWorked && !('signal' in end.ended))
    await record.over(`the session ${earlier.session} is given up: ${outcome.failure.message}`)
  return outcome
}

async function listen(
  event: Parameters<Hear>[0],
  {
    record,
    heard,
    group,
  }: { readonly record: ClientRecord; readonly heard: Heard; readonly group: number | undefined },
): Promise<Heard> {
  switch (event.is) {
    case 'session':
      await record.session(event.id, group)
      return heard
    case 'reply':
      record.reply(event)
      return heard
    case 'text':
      await record.text(event)
      return heard
    case 'call':
      await record.call(event)
      return heard
    case 'result':
      await record.outcome(event)
      return heard
    case 'usage':
      await record.total(event)
      return { ...heard, isAtEnd: true }
    case 'not ready':
      return { ...heard, notReady: event.message }
    case 'no session':
      return { ...heard, isSessionAbsent: true }
    case 'limit':
      return { ...heard, limit: laterLimit(heard.limit, event) }
    case 'fault':
      return { ...heard, fault: event }
    default:
      return { ...heard, isAtEnd: true, answer: { text: event.text } }
  }
}

/** A message without a time adds nothing to one with a time. */
function laterLimit(known: Heard['limit'], found: NonNullable<Heard['limit']>): NonNullable<Heard['limit']> {
  return known?.until !== undefined && found.until === undefined ? known : found
}

async function programOf(work: Work) {
  const { run, name, input, grant, earlier, place } = work
  const { command = [codingAgents[name].program], stateDirectory = path.join(homedir(), '.agentm', 'coding-agents') } =
    work
  const files = await grantedFiles(grant.files, stateDirectory)
  const costMicrosLeft = (await run.budget.left()).costMicros
  const args = clients[name].args({
    session: earlier?.session,
    model: input.model,
    maxTurns: input.maxTurns,
    costMicrosLeft,
    granted: [...grant.args, ...files.args],
  })
  const [program = '', ...first] = command
  const environment = {
    ...environmentOf(work),
    ...clients[name].environment,
    ...grant.environment,
    ...files.environment,
  }
  return {
    command: program,
    args: [...first, ...args],
    environment,
    directory: place.directory,
    prompt: promptOf(work),
  }
}

function environmentOf({ run, name, environment, variables }: Work): Readonly<Record<string, string>> {
  return clientEnvironment(run, { name, environment, variables })
}

/** A further prompt is told once. After that, as after a crash, the session only has to go on. */
function promptOf({ input, prompt, earlier }: Work): string {
  if (earlier === undefined) return prompt === undefined ? input.prompt : `${input.prompt}\n\n${prompt}`
  return prompt === undefined || earlier.told.includes(fingerprint(prompt)) ? goOn : prompt
}

const goOn =
  'This session was interrupted. Go on with the task where you stopped. First look whether what you did last has taken effect.'

function whyEnded(
  { name, command, place }: Work,
  { ended, stderr }: ClientEnd,
): { readonly message: string; readonly code?: string } | undefined {
  if ('code' in ended && ended.code === 0) return undefined
  const { title, program, npmPackage } = codingAgents[name]
  if ('error' in ended) {
    const isAbsent = 'code' in ended.error && ended.error.code === 'ENOENT'
    const started = command?.[0] ?? program
    const why = whyNotStarted(started, { error: ended.error, directory: place.directory })
    const cure = `Install ${title} (npm install -g ${npmPackage}) and log in once, or name its program: agentm config set codingAgents.${name} '{"command": "/path/to/${program}"}'`
    return isAbsent ? { message: `${why}. ${cure}`, code: 'CLIENT_ABSENT' } : { message: why }
  }
  const how = 'code' in ended ? `ended with ${ended.code}` : `was ended by ${ended.signal}`
  return { message: `${title} ${how}${stderr.lastLine === '' ? '' : `: ${stderr.lastLine}`}` }
}
