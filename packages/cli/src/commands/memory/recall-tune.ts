/** Measures an embedder on the user's own notes, beside what is in use, and puts it to use. */
import { setConfigValue, unsetConfigValue, processWorld } from '@agentm/selection'
import type { MemoryEmbedder } from '@agentm/memory'
import type { Workspace } from '@agentm/workspace'
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { endSignal } from '../../end-signal.ts'
import type { LabelledNote } from '../../eval/labelled-set.ts'
import { type Tuned, tuneEmbedder } from '../../eval/tune-embedder.ts'
import { tuningTable } from '../../eval/pure/tuning-table.ts'
import { commandWord } from '../../typed.ts'
import { countOption, given } from '../number-options.ts'
import { progressOf } from '../../progress.ts'
import { prepareVectors } from './prepare-vectors.ts'
import { whereOption } from './where-option.ts'

type TriedEmbedder = Awaited<ReturnType<Awaited<ReturnType<Workspace['embedders']>>['at']>>

export const recallTune: Command = {
  summary: 'measure an embedder on your own notes, and use it with --use',
  details:
    'With --url and --model: any OpenAI-compatible embeddings endpoint, such as Ollama, LM Studio, vLLM or llama.cpp. It is tested, then ' +
    'measured beside words alone and the embedder in use, with questions made from your notes: a title or a sentence is taken away from ' +
    'a note, and the note has to be found by it. Without --url, the embedder in use is measured. Nothing is changed without --use. With ' +
    '--use, all notes get vectors first; recall goes on with the old ones until all new ones are there. Ctrl-C keeps what is done; the ' +
    'same command goes on. The texts of your notes are sent to the endpoint. A key is read from AGENTM_EMBEDDER_KEY. To search for the ' +
    'word "tune", put your question in quotes.',
  options: {
    url: { value: 'URL', help: 'the endpoint, such as http://127.0.0.1:11434/v1' },
    model: { value: 'NAME', help: 'the name of its model' },
    dimensions: { value: 'N', help: 'how many numbers a vector has (default: the endpoint is asked)' },
    'query-prefix': { value: 'TEXT', help: 'what stands in front of a question (default: known for common models)' },
    'document-prefix': { value: 'TEXT', help: 'what stands in front of the text of a note' },
    questions: { value: 'N', help: 'how many questions to make (default: 150)' },
    notes: { value: 'N', help: 'how many notes to measure with (default: 300)' },
    use: { help: 'make all vectors, then use the embedder with the measured weight' },
    ...whereOption,
  },
  async run(call) {
    const workspace = await call.workspace()
    const wanted = wantedOf(call)
    const signal = endSignal()
    const embedders = await workspace.embedders()
    const configured = await embedders.inUse()
    // The built-in word table makes no vectors of notes, so with it words alone decide.
    const inUse = configured?.averagesWords === true ? undefined : configured
    const tried = wanted === undefined ? undefined : await embedders.at(wanted)
    const candidate = tried?.embedder ?? inUse
    if (candidate === undefined)
      throw new UsageError('there is no embedder to measure. Name one with --url and --model.')
    const known = call.has('use') && tried !== undefined ? await embedders.measured(candidate.name) : undefined
    const tuned =
      known === undefined
        ? await measured(call, {
            workspace,
            signal,
            candidate,
            ...(tried !== undefined && inUse !== undefined && { inUse }),
          })
        : undefined
    if (tuned === 'stopped') return { text: 'Stopped; nothing was changed.', data: { isWhole: false }, exit: 1 }
    const found = tuned === undefined ? known : measuredIn(tuned)
    if (found !== undefined) await embedders.keepMeasured(candidate.name, found)
    const head = headOf(candidate, tried, tuned)
    if (!call.has('use')) return withHint({ text: head, data: dataOf(candidate, tuned) }, { wanted, tuned })
    if (tuned?.verdict === 'worse')
      return {
        text: `${head}\n\nIt is not used, because it finds fewer of your notes.`,
        data: dataOf(candidate, tuned),
        exit: 1,
      }
    return use(call, { workspace, signal, head, tried, tuned, ...(found !== undefined && { found }) })
  },
}

function wantedOf(call: Call) {
  const [url, model] = [call.get('url'), call.get('model')]
  if (url === undefined && model === undefined) return undefined
  if (url === undefined || model === undefined) throw new UsageError('--url and --model are needed together.')
  if (!/^https?:\/\/[^\s/]/.test(url))
    throw new UsageError(
      `--url does not accept ${JSON.stringify(url)}. Use an address such as http://127.0.0.1:11434/v1.`,
    )
  return {
    url,
    model,
    ...given('dimensions', countOption(call, 'dimensions')),
    ...given('questionPrefix', call.get('query-prefix')),
    ...given('documentPrefix', call.get('document-prefix')),
  }
}

function measuredIn({ weight, near }: Tuned): { readonly weight: number; readonly near: number } | undefined {
  return weight === undefined || near === undefined ? undefined : { weight, near }
}

interface Measuring {
  readonly workspace: Workspace
  readonly signal: AbortSignal
  readonly candidate: MemoryEmbedder
  readonly inUse?: MemoryEmbedder
}

async function measured(call: Call, { workspace, signal, candidate, inUse }: Measuring): Promise<Tuned | 'stopped'> {
  const line = progressOf(call)
  try {
    const notes = await notesOf(workspace, signal)
    return await tuneEmbedder(notes, {
      workspace,
      candidate,
      ...(inUse === undefined ? {} : { inUse }),
      notes: countOption(call, 'notes') ?? 300,
      questions: countOption(call, 'questions') ?? 150,
      signal,
      onProgress: (doing, done, total) => line.show(doing, done, total),
    })
  } catch (error) {
    if (signal.aborted) return 'stopped'
    throw error
  } finally {
    line.clear()
  }
}

/** Active notes of this project and personal ones, with their texts. */
async function notesOf(workspace: Workspace, signal: AbortSignal): Promise<readonly LabelledNote[]> {
  if (await workspace.isUntouched()) return []
  const memory = await workspace.memory()
  const found: LabelledNote[] = []
  for (const { key, title, createdAt } of await memory.notes()) {
    signal.throwIfAborted()
    const [version] = await memory.history(key).catch(() => [])
    if (version === undefined) continue
    const at = createdAt === 0 ? {} : { at: new Date(createdAt).toISOString() }
    found.push({ id: key, title, text: version.text, ...at })
  }
  return found
}

function headOf(candidate: MemoryEmbedder, tried: TriedEmbedder | undefined, tuned: Tuned | undefined): string {
  const lines: string[] = []
  if (tried !== undefined) {
    const { prefixes, questionMs, settings } = tried
    const said = [prefixes.question, prefixes.document]
      .filter((prefix) => prefix !== '')
      .map((prefix) => JSON.stringify(prefix))
    lines.push(
      `${settings['embedder.model']} answers: ${candidate.dimensions} dimensions, ${Math.round(questionMs)} ms for a question${
        said.length === 0 ? '' : `, prefixes ${said.join(' and ')}`
      }.`,
    )
  }
  if (tuned === undefined) return lines.join('\n')
  if (tuned.systems.length === 0)
    return [
      ...lines,
      `Your notes are too few to measure it: they give ${tuned.kinds.length} questions, and ${tuned.fewest} are needed.`,
    ].join('\n')
  lines.push(
    `${tuned.kinds.length} questions, made from ${tuned.notes} of your notes:`,
    '',
    tuningTable(tuned),
    '',
    verdictText(tuned),
  )
  return lines.join('\n')
}

function verdictText({ verdict, against, chance = 1, weight }: Tuned): string {
  const p = chance < 0.001 ? 'p < .001' : `p = ${chance.toFixed(3).replace(/^0/, '')}`
  const what = {
    better: `It finds more than ${against} (${p}).`,
    worse: `It finds fewer of your notes than ${against} (${p}).`,
    unclear: `There is no clear difference to ${against} (${p}).`,
  }[verdict]
  return weight === undefined ? what : `${what} The weight of meaning that suits your notes: ${weight}.`
}

function withHint(
  answer: Answer,
  { wanted, tuned }: { readonly wanted: ReturnType<typeof wantedOf>; readonly tuned: Tuned | undefined },
): Answer {
  if (tuned?.verdict === 'worse' || (wanted === undefined && tuned?.weight === undefined)) return answer
  const again =
    wanted === undefined ? 'recall tune --use' : `recall tune --url ${wanted.url} --model ${wanted.model} --use`
  return { ...answer, notices: [`nothing was changed. To use it: ${commandWord()} ${again}`] }
}

function dataOf({ name }: MemoryEmbedder, tuned: Tuned | undefined) {
  return { embedder: name, ...tuned }
}

interface Using {
  readonly workspace: Workspace
  readonly signal: AbortSignal
  readonly head: string
  readonly tried: TriedEmbedder | undefined
  readonly tuned: Tuned | undefined
  readonly found?: { readonly weight: number; readonly near: number }
}

async function use(call: Call, { workspace, signal, head, tried, tuned, found }: Using): Promise<Answer> {
  // What was measured for another model does not hold for this one.
  const unmeasured = { 'embedder.weight': undefined, 'embedder.near': undefined }
  const figures = found === undefined ? unmeasured : { 'embedder.weight': found.weight, 'embedder.near': found.near }
  const settings = tried === undefined && found === undefined ? {} : { ...tried?.settings, ...figures }
  const before = head === '' ? '' : `${head}\n\n`
  if (tried !== undefined) {
    const stopped = await prepareVectors(call, { workspace, signal, embedder: tried.kept })
    if (stopped !== undefined) return { text: `${before}${stopped}`, data: { isWhole: false, ...tuned }, exit: 1 }
  }
  for (const [key, value] of Object.entries(settings))
    await (value === undefined ? unsetConfigValue(key, processWorld()) : setConfigValue(key, value, processWorld()))
  const left = tried === undefined ? 0 : await filled(call, workspace, signal)
  const named = Object.entries(settings).flatMap(([key, value]) =>
    value === undefined ? [] : [`  ${key} = ${JSON.stringify(value)}`],
  )
  if (named.length === 0) return { text: `${before}There is no weight to set.`, data: { isWhole: true, ...tuned } }
  return {
    text: `${before}It is used from now on:\n${named.join('\n')}`,
    data: { isWhole: left === 0, settings, ...tuned },
    notices:
      left === 0 ? [] : [`${left} texts get their vectors with the next commands; until then they are found by words`],
  }
}

/** Puts the vectors, which are all made, into the index. Answers how many are left. */
async function filled(call: Call, { directory }: Workspace, signal: AbortSignal): Promise<number> {
  const { openWorkspace } = await import('@agentm/workspace')
  const workspace = await openWorkspace(directory)
  const line = progressOf(call)
  try {
    const memory = await workspace.memory()
    const onProgress = (done: number, total: number) => line.show('Putting vectors into the index', done, total)
    const { waiting, refused } = await memory.embedPending({ signal, onProgress, force: true })
    return Math.max(0, waiting - refused)
  } finally {
    line.clear()
    await workspace.close()
  }
}
