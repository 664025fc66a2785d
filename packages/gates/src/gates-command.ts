/** The `agentm-gates` command: 0 clean, 1 findings, 2 wrong usage or a source that cannot be judged. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { GatesError } from './gates-error.ts'
import { gates } from './gates.ts'
import { sarifReport } from './report/sarif-report.ts'
import { textReport } from './report/text-report.ts'
import { runGates, type GatesReport } from './run-gates.ts'

/** Where a command starts, and where it prints. */
export interface CommandOutput {
  /** The directory relative names start from. */
  readonly cwd: string
  out(text: string): void
  err(text: string): void
}

/**
 * The `agentm-gates` command. Returns its exit code: 0 clean, 1 findings, 2 wrong usage or a source that cannot be checked.
 *
 * @example
 * ```ts
 * import { gatesCommand } from '@agentm/gates'
 *
 * const lines: string[] = []
 * const output = { cwd: '.', out: (text: string) => lines.push(text), err: (text: string) => lines.push(text) }
 * console.log(await gatesCommand(['--help'], output)) // 0
 * ```
 */
export async function gatesCommand(args: readonly string[], output: CommandOutput): Promise<0 | 1 | 2> {
  try {
    const asked = parse(args)
    if (asked.help) {
      output.out(usage)
      return 0
    }
    const report = await runGates({
      root: path.resolve(output.cwd, asked.root),
      ...(asked.config === undefined ? {} : { config: path.resolve(output.cwd, asked.config) }),
      ...(asked.only === undefined ? {} : { only: asked.only }),
    })
    await print(report, asked, output)
    return report.findings.length === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof GatesError)) throw error
    output.err(`agentm-gates: ${error.message}\n`)
    return 2
  }
}

const usage = `agentm-gates [ROOT] [--only ID,ID] [--config FILE] [--json] [--sarif [FILE]]

Checks what must be true of the source. ROOT is the current directory by default.

${gates.map(({ id, promise }) => `  ${id.padEnd(27)}${promise}`).join('\n')}

  --only ID,ID     run these gates only
  --config FILE    instead of agentm-gates.config.mjs or .json at the root
  --json           the report as JSON
  --sarif [FILE]   the report as SARIF 2.1.0, into FILE or to standard output

Exit: 0 clean, 1 findings, 2 wrong usage or a source that cannot be judged.
`

interface Asked {
  readonly root: string
  readonly help: boolean
  readonly json: boolean
  /** `''`: to standard output. */
  readonly sarif: string | undefined
  readonly config: string | undefined
  readonly only: readonly string[] | undefined
}

function parse(args: readonly string[]): Asked {
  try {
    const { values, positionals } = parseArgs({ args: withSarifFile(args), options, allowPositionals: true })
    if (positionals.length > 1) throw new GatesError('USAGE', `one root at a time, not ${positionals.join(' ')}.`)
    return {
      root: positionals[0] ?? '.',
      help: values.help ?? false,
      json: values.json ?? false,
      sarif: values.sarif,
      config: values.config,
      only: values.only?.split(',').map((id) => id.trim()),
    }
  } catch (error) {
    if (error instanceof GatesError) throw error
    throw new GatesError('USAGE', `${String(error)}\n\n${usage}`, { cause: error })
  }
}

const options = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  sarif: { type: 'string' },
  config: { type: 'string' },
  only: { type: 'string' },
} as const

/** Fills in the file of `--sarif`, because `parseArgs` does not support optional values. */
function withSarifFile(args: readonly string[]): string[] {
  return args.map((arg, i) => {
    const next = args[i + 1]
    return arg === '--sarif' && (next === undefined || next.startsWith('-')) ? '--sarif=' : arg
  })
}

async function print(report: GatesReport, asked: Asked, output: CommandOutput): Promise<void> {
  if (asked.sarif === '') return output.out(sarifReport(report))
  if (asked.sarif !== undefined) await writeFile(path.resolve(output.cwd, asked.sarif), sarifReport(report))
  output.out(asked.json ? `${JSON.stringify(report, null, 2)}\n` : textReport(report))
}
