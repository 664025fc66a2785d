/** Runs the gates over a repository. Returns the findings and the gates that did not run, so that a skipped gate is never silent. */
import path from 'node:path'
import { compareFindings, type Finding } from './finding.ts'
import type { Gate } from './gate.ts'
import { parseConfig, readConfig, type GatesConfig, type GatesConfigInput } from './gates-config.ts'
import { GatesError } from './gates-error.ts'
import { gates } from './gates.ts'
import { Sources } from './sources.ts'

/** What the gates found, which of them ran, and which had nothing to do. */
export interface GatesReport {
  readonly root: string
  readonly findings: readonly Finding[]
  /** The gates that ran, with the milliseconds each took. */
  readonly ran: readonly { readonly gate: string; readonly ms: number }[]
  /** The gates that had nothing to do, and why. */
  readonly unconfigured: readonly { readonly gate: string; readonly why: string }[]
  /** Source files that were read. */
  readonly files: number
}

export interface GatesRun {
  readonly root: string
  /** A configuration, or the file that holds one; by default `agentm-gates.config.mjs` or `.json` at the root. */
  readonly config?: GatesConfigInput | string
  /** Ids of the gates to run; by default all that are configured. */
  readonly only?: readonly string[]
}

/**
 * Runs the gates over a repository. Throws `GatesError` if the source cannot be checked.
 *
 * @example
 * ```ts
 * import { runGates, textReport } from '@agentm/gates'
 * import { mkdtemp, mkdir, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const root = await mkdtemp(path.join(tmpdir(), 'gates-'))
 * await mkdir(path.join(root, 'src/pure'), { recursive: true })
 * await writeFile(path.join(root, 'package.json'), '{ "name": "my-backend", "type": "module" }')
 * await writeFile(path.join(root, 'src/pure/age.js'), 'export const age = (since) => Date.now() - since\n')
 * const report = await runGates({ root, only: ['pure-folder'] })
 * for (const { file, line } of report.findings) console.log(`${file}:${line}`) // src/pure/age.js:1
 * console.log(textReport(report).includes('pure-folder')) // true
 * ```
 */
export async function runGates({ root, config, only }: GatesRun): Promise<GatesReport> {
  const where = path.resolve(root)
  const settled =
    typeof config === 'object' ? parseConfig(config, 'the configuration given') : await readConfig(where, config)
  const wanted = chosen(only ?? settled.gates)
  const unconfigured = wanted.flatMap((gate) => {
    const why = gate.unconfigured?.(settled)
    return why === undefined ? [] : [{ gate: gate.id, why }]
  })
  const [missing] = unconfigured
  if ((only ?? settled.gates) !== undefined && missing !== undefined)
    throw new GatesError('USAGE', `${missing.gate} was asked for, but ${missing.why}.`)
  const running = wanted.filter((gate) => !unconfigured.some(({ gate: id }) => id === gate.id))
  const sources = await Sources.read(where, settled)
  const { findings, ran } = await runEach(running, sources, settled)
  return {
    root: sources.root,
    findings: findings.toSorted(compareFindings),
    ran,
    unconfigured,
    files: sources.files.length,
  }
}

function chosen(ids: readonly string[] | undefined): readonly Gate[] {
  const unknown = ids?.find((id) => !gates.some((gate) => gate.id === id))
  if (unknown !== undefined)
    throw new GatesError('USAGE', `there is no gate ${unknown}; there are ${gates.map(({ id }) => id).join(', ')}.`)
  if (ids?.length === 0) throw new GatesError('USAGE', 'no gate was chosen, so nothing was checked.')
  return ids === undefined ? gates : gates.filter(({ id }) => ids.includes(id))
}

async function runEach(running: readonly Gate[], sources: Sources, config: GatesConfig) {
  const findings: Finding[] = []
  const ran: { gate: string; ms: number }[] = []
  for (const gate of running) {
    const start = performance.now()
    findings.push(...(await gate.check(sources, config)))
    ran.push({ gate: gate.id, ms: Math.round(performance.now() - start) })
  }
  return { findings, ran }
}
