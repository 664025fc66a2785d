/**
 * Files under a folder `pure/` only compute: no I/O, no clock, no randomness, no `async`, no memory of earlier calls. The same holds for
 * the code they call, so every module they import from at run time is checked too, through re-exports to the file that declares the name.
 */
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { ts } from 'ts-morph'
import { entryFile } from '../entry-sources.ts'
import type { Finding } from '../finding.ts'
import type { Gate } from '../gate.ts'
import type { GatesConfig } from '../gates-config.ts'
import type { CodeFile, Sources } from '../sources.ts'
import { placeOf } from '../syntax/place.ts'
import { packageNameOf } from '../workspace-package.ts'
import { impuritiesOf, type Impurity } from './impurities.ts'
import { moduleState, type ModuleState } from './module-state.ts'
import { handedOn, moduleUses, type ModuleUse } from './module-uses.ts'

export const pureFolder: Gate = {
  id: 'pure-folder',
  promise:
    'files under pure/ do no I/O, ask no clock, roll no dice, wait for nothing and remember nothing, nor does what they call',
  rules: {
    io: 'input, output or the platform',
    clock: 'the time',
    zone: 'the time zone or language of this machine',
    state: 'something remembered from one call to the next',
    'stale-memo': 'an exception for a memo that is not there',
    random: 'chance',
    async: 'waiting',
    import: 'a module that is not known to be pure',
  },
  async check(sources, { pureFolder: config }) {
    const context: Context = { sources, config, judged: new Map(), used: new Set() }
    const findings = sources.code.filter(({ file }) => isPure(file)).flatMap((file) => check(context, file))
    return [...findings, ...staleMemos(context)]
  },
}

interface Context {
  readonly sources: Sources
  readonly config: GatesConfig['pureFolder']
  /** The first impurity of each visited file, `undefined` if it has none. Also stops at import cycles. */
  readonly judged: Map<CodeFile, string | undefined>
  /** Collects each configured memo that excused a finding. */
  readonly used: Set<GatesConfig['pureFolder']['memos'][number]>
}

function isPure(file: string): boolean {
  return file.split('/').slice(0, -1).includes('pure')
}

function check(context: Context, file: CodeFile): Finding[] {
  const own = impuritiesOf(file.syntax, { strictTypes: true }).map(({ rule, node, what }) =>
    finding(file, { rule, node, message: `${what} ${advice[rule]}` }),
  )
  const taken = moduleUses(file.syntax).flatMap((use) => {
    const why = impureUse(context, file, use)
    return why === undefined
      ? []
      : [finding(file, { rule: 'import', node: use.node, message: `${why}. Take what it gives as an argument.` })]
  })
  return [...own, ...stateFindings(context, file), ...taken]
}

function stateFindings(context: Context, file: CodeFile): Finding[] {
  return remembered(context, file).map(({ name, node }) =>
    finding(file, { rule: 'state', node, message: `${name} ${stateAdvice}` }),
  )
}

const stateAdvice =
  'remembers from one call to the next. A file under pure/ only decides; keep it where the deciding is asked for.'

function remembered({ config, used }: Context, file: CodeFile): ModuleState[] {
  return moduleState(file.syntax).filter(({ name }) => {
    const memo = config.memos.find((each) => each.file === file.file && each.name === name)
    if (memo !== undefined) used.add(memo)
    return memo === undefined
  })
}

function staleMemos({ config, used }: Context): Finding[] {
  return config.memos
    .filter((memo) => !used.has(memo))
    .map(({ file, name }) => ({
      rule: 'pure-folder/stale-memo',
      file,
      line: 1,
      column: 1,
      message: `the exception for ${name} excuses nothing here. Remove it from the configuration.`,
    }))
}

const advice: Readonly<Record<Impurity['rule'], string>> = {
  io: 'reaches outside. A file under pure/ only decides; take what it gives as an argument.',
  clock: 'asks the time. A file under pure/ only decides; take the time as an argument.',
  random: 'is chance. A file under pure/ only decides; take the number or id as an argument.',
  zone: 'answers by the zone or language of this machine. A file under pure/ only decides; use UTC and name the language, or take what it gives as an argument.',
  async: 'waits. A file under pure/ only decides; do the waiting where it is called.',
}

function finding(file: CodeFile, found: { rule: string; node: ts.Node; message: string }): Finding {
  const { rule, node, message } = found
  return { rule: `pure-folder/${rule}`, file: file.file, ...placeOf(node, file.syntax), message }
}

/** Why an imported name is not allowed; `undefined` if it is. */
function impureUse(context: Context, from: CodeFile, use: ModuleUse): string | undefined {
  const { specifier, names } = use
  if (names?.length === 0) return undefined
  if (isBuiltin(specifier)) return impureBuiltin(specifier, names)
  const targets = targetsOf(context, from, use)
  if (targets === undefined) return foreign(context, specifier)
  for (const target of targets) {
    const why = impureFile(context, target)
    if (why !== undefined) return `${specifier} leads to what is not pure: ${why}`
  }
  return undefined
}

function foreign({ config }: Context, specifier: string): string | undefined {
  if (config.packages.includes(packageNameOf(specifier))) return undefined
  return `${specifier} is not known to be pure (pureFolder.packages may name it)`
}

/** The functions of Node that only compute. `path.resolve` and `path.relative` are missing, because they read the working directory. */
const computing: Readonly<Record<string, readonly string[] | 'all'>> = {
  assert: 'all',
  'assert/strict': 'all',
  buffer: ['Buffer'],
  crypto: ['createHash', 'createHmac', 'hash', 'timingSafeEqual'],
  path: ['basename', 'dirname', 'extname', 'format', 'isAbsolute', 'join', 'normalize', 'parse', 'sep', 'delimiter'],
  string_decoder: 'all',
  util: ['isDeepStrictEqual', 'stripVTControlCharacters', 'TextDecoder', 'TextEncoder', 'types'],
}

function impureBuiltin(specifier: string, names: readonly string[] | undefined): string | undefined {
  const module = specifier.replace(/^node:/, '').replace(/^path\/(?:posix|win32)$/, 'path')
  const allowed = computing[module]
  if (allowed === 'all') return undefined
  if (allowed === undefined) return `${specifier} does I/O or waits`
  if (names === undefined || names.includes('default'))
    return `${specifier} is taken whole, and only ${allowed.join(', ')} of it are pure`
  const other = names.find((name) => !allowed.includes(name))
  return other === undefined ? undefined : `${other} of ${specifier} is not computed from its arguments alone`
}

/** The files of this repository that an import leads to; `undefined` if it leads elsewhere. */
function targetsOf(context: Context, from: CodeFile, use: ModuleUse): readonly CodeFile[] | undefined {
  const file = fileOf(context.sources, from, use.specifier)
  if (file === undefined) return undefined
  return use.names?.map((name) => declaring(context.sources, file, name)) ?? [file]
}

function declaring(sources: Sources, file: CodeFile, name: string): CodeFile {
  const next = handedOn(file.syntax, name)
  const target = next === undefined ? undefined : fileOf(sources, file, next.specifier)
  return next === undefined || target === undefined ? file : declaring(sources, target, next.name)
}

function fileOf(sources: Sources, from: CodeFile, specifier: string): CodeFile | undefined {
  if (specifier.startsWith('.')) return at(sources, path.resolve(path.dirname(from.path), specifier))
  const name = packageNameOf(specifier)
  const owner = sources.packageNamed(name)
  return owner === undefined ? undefined : entryFile(sources, owner, specifier.slice(name.length + 1))
}

function at(sources: Sources, target: string): CodeFile | undefined {
  const spellings = [target, target.replace(/\.([cm]?)js$/, '.$1ts'), `${target}.ts`, path.join(target, 'index.ts')]
  return spellings.map((each) => sources.fileAt(each)).find((file) => file !== undefined)
}

function impureFile(context: Context, file: CodeFile): string | undefined {
  // A file under pure/ is checked by itself.
  if (isPure(file.file)) return undefined
  if (context.judged.has(file)) return context.judged.get(file)
  context.judged.set(file, undefined)
  const [first] = impuritiesOf(file.syntax, { strictTypes: false })
  const [state] = remembered(context, file)
  const why =
    first !== undefined
      ? said(file, first)
      : state !== undefined
        ? `${file.file} remembers ${state.name} from one call to the next`
        : firstImpureUse(context, file)
  context.judged.set(file, why)
  return why
}

function firstImpureUse(context: Context, file: CodeFile): string | undefined {
  for (const use of moduleUses(file.syntax)) {
    const why = impureUse(context, file, use)
    if (why !== undefined) return `${file.file}: ${why}`
  }
  return undefined
}

function said(file: CodeFile, { node, what }: Impurity): string {
  return `${file.file}:${placeOf(node, file.syntax).line} uses ${what}`
}
