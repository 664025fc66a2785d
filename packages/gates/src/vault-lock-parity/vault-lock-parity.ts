/**
 * Scripts that cannot install packages contain a copy of the lock. The copy must equal the output of the build tool byte for byte, export
 * the package's names, and run with Node alone.
 */
import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Finding } from '../finding.ts'
import type { Gate } from '../gate.ts'
import type { GatesConfig } from '../gates-config.ts'
import { GatesError } from '../gates-error.ts'
import type { Sources } from '../sources.ts'
import type { WorkspacePackage } from '../workspace-package.ts'
import { bareExports, type Exported } from './bare-exports.ts'
import { promisedExports } from './promised-exports.ts'

type VaultLock = NonNullable<GatesConfig['vaultLock']>

const run = promisify(execFile)

export const vaultLockParity: Gate = {
  id: 'vault-lock-parity',
  promise: 'the copy of the lock that scripts carry is the lock of the package, and runs on bare Node',
  rules: {
    bytes: 'the copy is not what the tool builds now',
    bare: 'the copy does not run with Node alone',
    names: 'the copy does not export what the package does',
    kinds: 'an export is another kind of thing, or takes another number of arguments',
  },
  unconfigured: ({ vaultLock }) => (vaultLock === undefined ? 'vaultLock is not configured' : undefined),
  async check(sources, { vaultLock: config }) {
    if (config === undefined) return []
    const owner = ownerOf(sources, config)
    await present(sources, config.vendored, 'the copy')
    const [bytes, bare] = await Promise.all([
      bytesFindings(sources, config),
      bareExports(path.join(sources.root, config.vendored)),
    ])
    if ('refused' in bare) return [...bytes, at(config, 'bare', `does not run with Node alone: ${bare.refused}`)]
    return [...bytes, ...agreement(config, promisedExports(sources, owner), bare.exports)]
  },
}

function ownerOf(sources: Sources, config: VaultLock): WorkspacePackage {
  const owner = sources.packages.find(({ folder }) => folder === config.package)
  if (owner === undefined)
    throw new GatesError('USAGE', `vaultLock.package names ${config.package}, and there is no such package.`)
  return owner
}

async function present({ root }: Sources, file: string, what: string): Promise<void> {
  await access(path.join(root, file)).catch((error: unknown) => {
    throw new GatesError('UNREADABLE', `${what} ${file} cannot be read, so nothing was compared.`, { cause: error })
  })
}

/** Runs the build tool's own check, because it knows how the copy is built. Its failure is the finding. */
async function bytesFindings(sources: Sources, config: VaultLock): Promise<Finding[]> {
  const [script = '', ...args] = config.check
  await present(sources, script, 'the tool')
  try {
    await run(process.execPath, [script, ...args], { cwd: sources.root })
    return []
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    const said = `${stdout}${stderr}`.trim().split('\n').at(-1) ?? ''
    return [at(config, 'bytes', `is not what ${script} builds now. Run it without ${args.join(' ')}. ${said}`.trim())]
  }
}

function agreement(config: VaultLock, promised: Exported, offered: Exported): Finding[] {
  const wanted = Object.keys(promised).filter((name) => !config.leavesOut.includes(name))
  const absent = wanted.filter((name) => offered[name] === undefined)
  const extra = Object.keys(offered).filter((name) => !wanted.includes(name))
  const other = wanted.flatMap((name) => difference(name, promised[name], offered[name]))
  return [
    ...absent.map((name) =>
      at(config, 'names', `does not export ${name}, and ${config.package} does. Build it again.`),
    ),
    ...extra.map((name) => at(config, 'names', `exports ${name}, which ${config.package} does not promise it.`)),
    ...other.map((message) => at(config, 'kinds', message)),
  ]
}

function difference(
  name: string,
  promised: Exported[string] | undefined,
  offered: Exported[string] | undefined,
): string[] {
  if (promised === undefined || offered === undefined) return []
  if (promised.kind !== offered.kind) return [`exports ${name} as a ${offered.kind}, and it is a ${promised.kind}.`]
  if (promised.arity === offered.arity) return []
  return [`exports ${name} with ${offered.arity} arguments, and it takes ${promised.arity}.`]
}

function at({ vendored }: VaultLock, rule: string, message: string): Finding {
  return { rule: `vault-lock-parity/${rule}`, file: vendored, line: 1, column: 1, message: `the copy ${message}` }
}
