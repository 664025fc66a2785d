/** The exports of a single file that Node runs without any other file. */
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)
const exported = z.record(z.string(), z.object({ kind: z.enum(['class', 'function', 'value']), arity: z.number() }))

export type Exported = z.output<typeof exported>

/** The exports, or the reason Node gave for refusing the file. */
export async function bareExports(
  file: string,
): Promise<{ readonly exports: Exported } | { readonly refused: string }> {
  const alone = await mkdtemp(path.join(os.tmpdir(), 'agentm-gates-bare-'))
  try {
    const copy = path.join(alone, path.basename(file))
    await copyFile(file, copy)
    const { NODE_OPTIONS: _options, NODE_PATH: _path, ...env } = process.env
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', probe, copy], { cwd: alone, env })
    return { exports: exported.parse(JSON.parse(stdout)) }
  } catch (error) {
    return { refused: reasonIn(error) }
  } finally {
    await rm(alone, { recursive: true, force: true })
  }
}

const probe = `
  const { pathToFileURL } = await import('node:url')
  const exports = await import(pathToFileURL(process.argv[1]).href)
  const isClass = (value) => /^class\\b/.test(Function.prototype.toString.call(value))
  const describe = (value) =>
    typeof value !== 'function' ? { kind: 'value', arity: 0 } : { kind: isClass(value) ? 'class' : 'function', arity: value.length }
  process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, describe(value)]))))
  process.exit(0)
`

function reasonIn(error: unknown): string {
  const { stderr = String(error) } = error as { readonly stderr?: string }
  return stderr.split('\n').find((line) => /\bError\b/.test(line)) ?? stderr.trim()
}
