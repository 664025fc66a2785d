/**
 * `agentm-conformance MODULE`: the suite as a command. Exit codes: 0 every contract that applies is kept, 1 one is
 * broken, 2 the command was called wrongly.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadPlugin, moduleUrl } from './load-plugin.ts'
import { pluginSubject } from './plugin-subject.ts'
import { chosenContracts, type ConformanceReport, runConformance } from './run-conformance.ts'

export const usage = `usage: agentm-conformance MODULE [--settings JSON] [--only ID[,ID]] [--scale N] [--json]

Proves that the backend a module exports as \`plugin\` keeps every contract of the storage seam.

  MODULE           a package name, a path or a URL
  --settings JSON  for plugin.open; {directory} in a text becomes a fresh directory, and so does an unset root setting
  --only ID[,ID]   only these contracts
  --scale N        more rounds and larger texts; 1 is quick
  --json           the report as JSON: { passed, failed, skipped }
`

interface Request {
  readonly module: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly only: readonly string[] | undefined
  readonly scale: number
  readonly json: boolean
}

/** Answers the exit code. `print` gets everything for stdout, `complain` everything for stderr. */
export async function command(
  args: readonly string[],
  print: (text: string) => void,
  complain: (text: string) => void,
): Promise<0 | 1 | 2> {
  if (args.includes('--help')) {
    print(usage)
    return 0
  }
  let report: ConformanceReport
  let request: Request
  try {
    request = parseRequest(args)
    report = await prove(request)
  } catch (error) {
    complain(`agentm-conformance: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    return 2
  }
  print(request.json ? `${JSON.stringify(plain(report), undefined, 2)}\n` : rendered(report))
  return report.failed.length === 0 ? 0 : 1
}

function parseRequest(args: readonly string[]): Request {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      settings: { type: 'string', default: '{}' },
      only: { type: 'string', multiple: true },
      scale: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  })
  const [module, ...rest] = positionals
  if (module === undefined || rest.length > 0) throw new TypeError('name one MODULE')
  const only = values.only?.flatMap((ids) => ids.split(','))
  chosenContracts(only)
  const scale = Number(values.scale)
  if (!(scale > 0)) throw new TypeError(`--scale wants a number above 0, not ${JSON.stringify(values.scale)}`)
  return { module, settings: parseSettings(values.settings), only, scale, json: values.json }
}

function parseSettings(json: string): Readonly<Record<string, unknown>> {
  const settings: unknown = JSON.parse(json)
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new TypeError('--settings wants a JSON object')
  return settings as Readonly<Record<string, unknown>>
}

/** Runs with its own HOME, because a backend that keeps locks or caches there must not touch the user's. */
async function prove({ module, settings, only, scale }: Request): Promise<ConformanceReport> {
  const home = await mkdtemp(join(tmpdir(), 'agentm-conformance-home-'))
  const homes = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: join(home, 'cache') }
  const before = Object.keys(homes).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, homes)
  try {
    const url = await moduleUrl(module)
    const { make, options } = pluginSubject(await loadPlugin(url), { module: url, settings })
    await make(join(home, 'trial'))
    return await runConformance(make, { ...options, scale, ...(only === undefined ? {} : { only }) })
  } finally {
    for (const [name, value] of before) restore(name, value)
    await rm(home, { recursive: true, force: true })
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

function plain({ passed, failed, skipped }: ConformanceReport): object {
  return { passed, failed: failed.map(({ error, ...name }) => ({ ...name, error: textOf(error) })), skipped }
}

function rendered({ passed, failed, skipped }: ConformanceReport): string {
  const lines = [
    ...passed.map(({ sentence }) => `  kept     ${sentence}`),
    ...skipped.map(({ sentence, why }) => `  skipped  ${sentence} (${why})`),
    ...failed.flatMap(({ id, sentence, error }) => [`  BROKEN   ${sentence}`, `           ${id}: ${textOf(error)}`]),
    `${passed.length} kept, ${skipped.length} skipped, ${failed.length} broken`,
  ]
  return `${lines.join('\n')}\n`
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
