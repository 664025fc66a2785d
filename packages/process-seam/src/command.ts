/** The shell's way in: the same functions, with flags. If there is nothing to say, it prints nothing and exits with 0. */
import { readFile } from 'node:fs/promises'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { SeamContext } from './context.ts'
import { phaseBudget } from './pure/phase-budget.ts'

/** Where the command prints. */
export interface SeamOutput {
  out(text: string): void
  err(text: string): void
}

const usage = `Usage: agentm-process-seam COMMAND [OPTIONS]

  recall-here                print what is known that matters here, as Markdown; nothing when there is no memory
      --cwd DIR  --phase PHASE  --query TEXT  --limit TOKENS
      --server-ms MS (how long a log on a server is waited for; 1000)
  state-path plan|progress   print where the active plan or its progress file is
      --cwd DIR  --plan NAME
  offer-save-here            print, as JSON, what could be saved and where it would go
      --kind KIND --slug SLUG (required)  --body-file FILE (- is standard input)
      --confidence N  --confidence-reason TEXT  --cwd DIR  --phase PHASE

It changes nothing, and exits with 0 when there is nothing to say.
`

class SeamUsageError extends Error {}

/** The `agentm-process-seam` command. Answers its exit code. */
export async function runSeam(argv: readonly string[], output: SeamOutput = processOutput): Promise<0 | 1 | 2> {
  const [command, ...rest] = argv
  try {
    if (command === undefined || command === '--help' || command === '-h') {
      output.out(usage)
      return command === undefined ? 2 : 0
    }
    const run = commands[command]
    if (run === undefined) throw new SeamUsageError(`there is no command ${JSON.stringify(command)}`)
    output.out(await run(rest, output))
    return 0
  } catch (error) {
    const wrongCall =
      error instanceof SeamUsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
    output.err(
      `agentm-process-seam: ${indented(error instanceof Error ? error.message : String(error))}\n${wrongCall ? `\n${usage}` : ''}`,
    )
    return wrongCall ? 2 : 1
  }
}

const commands: Readonly<Record<string, (args: readonly string[], output: SeamOutput) => Promise<string>>> = {
  async 'recall-here'(args, output) {
    const { values, positionals } = parse(args, ['cwd', 'phase', 'query', 'limit', 'server-ms'])
    if (positionals.length > 0) throw new SeamUsageError('recall-here takes options only')
    const limit = whole(values['limit'], '--limit', 'tokens')
    const serverMs = whole(values['server-ms'], '--server-ms', 'milliseconds')
    if (limit === undefined) await nameBadBudget(values['phase'], output)
    const { recallHere } = await import('./recall-here.ts')
    const text = await recallHere(contextOf(values), {
      query: values['query'] ?? null,
      limit: limit ?? null,
      ...(serverMs === undefined ? {} : { serverMs }),
    })
    return text === '' ? '' : `${text.replace(/\n+$/, '')}\n`
  },

  async 'state-path'(args) {
    const { values, positionals } = parse(args, ['cwd', 'plan'])
    const [which, extra] = positionals
    if ((which !== 'plan' && which !== 'progress') || extra !== undefined)
      throw new SeamUsageError('state-path needs plan or progress')
    const { statePath } = await import('./state-path.ts')
    // On a command line, an empty name means that no name was given.
    return `${await statePath(contextOf({ ...values, plan: values['plan'] || undefined }), which)}\n`
  },

  async 'offer-save-here'(args) {
    const { values } = parse(args, ['cwd', 'phase', 'kind', 'slug', 'body-file', 'confidence', 'confidence-reason'])
    const { kind, slug, confidence } = values
    if (kind === undefined || slug === undefined) throw new SeamUsageError('offer-save-here needs --kind and --slug')
    const sure = confidence === undefined ? undefined : Number(confidence)
    if (sure !== undefined && (confidence?.trim() === '' || !Number.isFinite(sure)))
      throw new SeamUsageError(`--confidence is ${JSON.stringify(confidence)}, which is not a number`)
    const { offerSaveHere } = await import('./offer-save-here.ts')
    const reason = values['confidence-reason']
    const offered = await offerSaveHere(contextOf(values), {
      kind,
      slug,
      body: await bodyFrom(values['body-file'] ?? '-'),
      ...(sure === undefined ? {} : { confidence: sure }),
      ...(reason === undefined ? {} : { confidence_reason: reason }),
    })
    return `${JSON.stringify(offered, undefined, 2)}\n`
  },
}

function whole(said: string | undefined, option: string, unit: string): number | undefined {
  const value = said === undefined ? undefined : Number(said)
  if (value !== undefined && !Number.isInteger(value))
    throw new SeamUsageError(`${option} is ${JSON.stringify(said)}, which is not a number of ${unit}`)
  return value
}

/** An invalid budget in the environment is reported beside the answer. It is no failure. */
async function nameBadBudget(phase: string | undefined, output: SeamOutput): Promise<void> {
  const { phaseOf } = await import('@agentm/workspace/reader')
  const { problem } = phaseBudget(phaseOf(phase), process.env)
  if (problem !== undefined) output.err(`agentm-process-seam: ${problem}\n`)
}

function parse(args: readonly string[], names: readonly string[]) {
  const options: ParseArgsConfig['options'] = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  return { values: values as Readonly<Record<string, string | undefined>>, positionals }
}

function contextOf({ cwd, phase, plan }: Readonly<Record<string, string | undefined>>): SeamContext {
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(phase === undefined ? {} : { phase }),
    ...(plan === undefined ? {} : { plan }),
  }
}

async function bodyFrom(file: string): Promise<string> {
  if (file !== '-') return readFile(file, 'utf8')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** A message may contain a file name with line breaks, so further lines are indented to distinguish them. */
function indented(message: string): string {
  return message.trimEnd().replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\n      ')
}

const processOutput: SeamOutput = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}
