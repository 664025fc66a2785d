import {
  type Explanation,
  type Floor,
  floors,
  type MemoryAnswer,
  type MemoryKind,
  type RecallRequest,
  type RecallResult,
} from '@agentm/memory/reader'
import { dataNotice, oneLine, sourceOf } from '@agentm/memory/shown'
import { type Call, type Command, UsageError } from '../../command.ts'
import type { Terminal } from '../../terminal.ts'
import { countOption, given, numberOption } from '../number-options.ts'
import { leftOutLines, rarityLine, reasonLines } from './pure/explanation-text.ts'
import { whereOption } from './where-option.ts'

export const recall: Command = {
  takes: 'TEXT...',
  summary: 'search notes, beliefs and past work, by meaning, words and time',
  details:
    'Each result shows the scores that explain its rank; --explain says it in words. If you give a weight, results are ranked by the plain formula with your weights.',
  options: {
    k: { value: 'N', help: 'how many results (default: 10, or all of them if the question asks for all of something)' },
    of: { value: 'WHAT', help: 'only note, belief, episode or session; may be given several times', repeats: true },
    kind: { value: 'KIND', help: 'only this kind; may be given several times', repeats: true },
    status: { value: 'STATUS', help: 'only this status (default: active); may be given several times', repeats: true },
    project: {
      value: 'NAME',
      help: 'the project of this directory, or _global for what belongs to none (default: both); other projects are refused',
    },
    window: { value: 'SECONDS', help: 'only what was created within the last SECONDS' },
    from: { value: 'DATE', help: 'only what was created on this date or later' },
    to: { value: 'DATE', help: 'only what was created before this date' },
    'half-life': { value: 'SECONDS', help: 'the age at which the recency score is one half' },
    'w-sem': { value: 'N', help: 'the weight of meaning' },
    'w-lex': { value: 'N', help: 'the weight of matching words' },
    'w-rec': { value: 'N', help: 'the weight of recency' },
    floor: { value: 'HOW', help: 'how well a result has to match: off, mild or strict (default: mild)' },
    routine: { help: 'include routine records of programs, such as which agent a step was assigned to' },
    explain: { help: 'say in words why each result has its place, and what was left out' },
    why: { help: 'print how many results were left out, and why' },
    ...whereOption,
  },
  async run(call) {
    const request = requestOf(call)
    const answer = (await answerAtOnce(call, request)) ?? (await answerUpToDate(call, request))
    return {
      text: answerText(answer, call),
      data: answer,
      notices: [...noticesOf(answer), ...(call.has('why') ? leftOutOf(answer) : [])],
    }
  },
}

function requestOf(call: Call): RecallRequest {
  return {
    text: call.args.join(' '),
    ...given('k', countOption(call, 'k')),
    ...given('of', sorts(call)),
    ...given('kinds', some(call.all('kind'))),
    ...given('status', some(call.all('status'))),
    ...given('project', call.get('project')),
    ...given('window', numberOption(call, 'window')),
    ...given('from', moment(call, 'from')),
    ...given('to', moment(call, 'to')),
    ...given('halfLife', numberOption(call, 'half-life')),
    ...given('wSem', numberOption(call, 'w-sem')),
    ...given('wLex', numberOption(call, 'w-lex')),
    ...given('wRec', numberOption(call, 'w-rec')),
    ...given('floor', floorOf(call)),
    ...(call.has('routine') ? { routine: true } : {}),
    ...(call.has('explain') ? { explain: true } : {}),
  }
}

/** The answer of a reader, if it is complete: the index is up to date and no source was left out. */
async function answerAtOnce(call: Call, request: RecallRequest): Promise<MemoryAnswer | undefined> {
  const opened = await (await call.reader()).memory()
  if (opened?.isWhole !== true) return undefined
  const answer = await opened.memory.recall(request)
  const { store, changed, touched = 0 } = answer.freshness
  return store === 'current' && changed + touched === 0 ? answer : undefined
}

/** Updates the index first, so that the next recall is answered at once. */
async function answerUpToDate(call: Call, request: RecallRequest): Promise<MemoryAnswer> {
  const [{ lookingAtMemory }, { progressOf }] = await Promise.all([
    import('./with-memory.ts'),
    import('../../progress.ts'),
  ])
  const line = progressOf(call, { hint: 'This is needed only once.' })
  const onProgress = (done: number, total: number) => line.show('Reading notes into the index', done, total)
  const asking = lookingAtMemory(call, ({ memory }) => memory.recall({ ...request, onProgress }), nothingYet)
  return asking.finally(() => line.clear())
}

function nothingYet(): MemoryAnswer {
  const freshness = { store: 'current', changed: 0, unreadable: [], conflictCopies: [], pendingVectors: 0 } as const
  return { results: [], freshness, at: Date.now() }
}

function answerText(answer: MemoryAnswer, call: Call): string {
  return answer.explanation === undefined ? plainText(answer, call) : explainedText(answer, answer.explanation, call)
}

function plainText({ results }: MemoryAnswer, { terminal }: Call): string {
  if (results.length === 0) return 'Nothing found.'
  const entries = results.map((result, i) => `${String(i + 1).padStart(2)}. ${entryText(result, terminal)}`)
  return [terminal.dim(dataNotice), ...entries].join('\n')
}

function explainedText(
  { results, leftOut = { belowFloor: 0, routine: 0 } }: MemoryAnswer,
  explanation: Explanation,
  { terminal }: Call,
): string {
  const entries = results.map((result, i) => {
    const reasons = reasonLines(result, explanation).map((line) => `      ${line}`)
    return [`${String(i + 1).padStart(2)}. ${entryText(result, terminal)}`, ...reasons].join('\n')
  })
  const missing = leftOutLines(explanation, leftOut).map((line) => `  - ${line}`)
  return [
    ...(entries.length === 0 ? ['Nothing found.'] : [terminal.dim(dataNotice), ...entries]),
    '',
    rarityLine(explanation),
    ...(missing.length === 0 ? [] : ['Left out:', ...missing]),
  ].join('\n')
}

function entryText(result: RecallResult, { bold, dim }: Pick<Terminal, 'bold' | 'dim'>): string {
  const place = dim(oneLine(result.key ?? result.id))
  const head = result.title === '' ? place : `${bold(oneLine(result.title, mostOfTitle))}  ${place}`
  return `${head}\n${body(result)}`
}

const mostOfTitle = 200

function body(result: RecallResult): string {
  const shown = oneLine(result.passage ?? result.text, 200)
  const why = [
    ['score', result.score],
    ['meaning', result.similarity],
    ['words', result.lexical],
    ['recency', result.recency],
  ] as const
  const figures = why.flatMap(([name, figure]) => (figure === undefined ? [] : [`${name} ${figure.toFixed(2)}`]))
  // 0 where nothing says when.
  const day = result.createdAt === 0 ? [] : [new Date(result.createdAt).toISOString().slice(0, 10)]
  const what = `${sourceOf(result)} [${oneLine(result.kind)}]`
  return `    > ${shown}\n    ${figures.join(', ')}; ${[what, ...day].join(', ')}`
}

/** What the asker should know about how fresh this is. */
export function noticesOf({ freshness }: MemoryAnswer): readonly string[] {
  const { notice, pendingVectors, unreadable, conflictCopies } = freshness
  return [
    ...(notice === undefined ? [] : [oneLine(notice)]),
    ...(pendingVectors === 0 ? [] : [`${pendingVectors} texts have no vector yet and are found by words only`]),
    ...(unreadable.length === 0 ? [] : [`cannot be read now: ${unreadable.map((key) => oneLine(key)).join(', ')}`]),
    ...(conflictCopies.length === 0
      ? []
      : [`${conflictCopies.length} conflict copies were left out. To list them: agentm conflicts`]),
  ]
}

function leftOutOf({ leftOut = { belowFloor: 0, routine: 0 } }: MemoryAnswer): readonly string[] {
  const { belowFloor, routine } = leftOut
  return [
    ...(belowFloor === 0
      ? []
      : [`${belowFloor} results were left out, because they match poorly. To see them: --floor off`]),
    ...(routine === 0 ? [] : [`${routine} routine records of programs were left out. To see them: --routine`]),
  ]
}

function floorOf(call: Call): Floor | undefined {
  const named = call.get('floor')
  const known = floors.find((floor) => floor === named)
  if (named !== undefined && known === undefined)
    throw new UsageError(`--floor does not accept ${JSON.stringify(named)}. Use off, mild or strict.`)
  return known
}

function sorts(call: Call): readonly MemoryKind[] | undefined {
  const named = call.all('of')
  const odd = named.find((each) => !['note', 'belief', 'episode', 'session'].includes(each))
  if (odd !== undefined)
    throw new UsageError(`--of does not accept ${JSON.stringify(odd)}. Use note, belief, episode or session.`)
  return some(named as readonly MemoryKind[])
}

function some<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values
}

function moment(call: Call, name: string): number | undefined {
  const text = call.get(name)
  if (text === undefined) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new UsageError(`--${name} does not accept ${JSON.stringify(text)}. Use a date, such as 2026-11-18.`)
  return at
}
