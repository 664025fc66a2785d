/** Judges one import (or other reach) of one file; usually there is no finding. */
import { existsSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import type { GatesConfig, NamedRow } from '../gates-config.ts'
import { isWithin, type CodeFile, type Sources } from '../sources.ts'
import { packageNameOf, type WorkspacePackage } from '../workspace-package.ts'
import { brokenRows, parseTarget, refusal, type Edge } from './arrow-table.ts'
import { isInScope } from './manifest-findings.ts'
import type { Reach } from './reaches.ts'
import { testTargets } from './test-targets.ts'

type Direction = NonNullable<GatesConfig['importDirection']>

export interface ReachCase {
  readonly sources: Sources
  readonly file: CodeFile
  readonly direction: Direction
  readonly reach: Reach
}

export interface Judged {
  readonly rule: string
  readonly message: string
}

export function judgeReach(given: ReachCase): Judged[] {
  const { sources, file, reach } = given
  const { how, specifier } = reach
  const runs = file.zone === 'code'
  if (how === 'computed') return runs ? [computed] : []
  if (how === 'evaluated') return runs ? [evaluated] : []
  // In tests, a string that loads no module counts as data.
  if (how === 'text' && !runs) return []
  if (specifier.startsWith('.')) return relative(given)
  if (isInScope(specifier, sources.scope)) return named(given)
  return how === 'text' || how === 'augment' ? [] : fromNpm(given)
}

const computed: Judged = {
  rule: 'computed',
  message:
    'the module loaded here is named at run time, so nothing can say where it leads. Write the name as a literal.',
}
const evaluated: Judged = {
  rule: 'evaluated',
  message: 'code made from text can reach anything. Write it as a module.',
}

function relative({ sources, file, reach }: ReachCase): Judged[] {
  const target = path.resolve(path.dirname(file.path), reach.specifier)
  const owner = sources.packageAt(target)
  if (owner === file.package) return []
  if (owner !== undefined && target !== owner.root && !isWithin(target, file.package.root))
    return [{ rule: 'path', message: `${reach.specifier} reaches into ${owner.name} by path. Import ${owner.name}.` }]
  const loads = reach.how !== 'text'
  if (file.zone === 'test' || (!loads && !isFile(target))) return []
  return [{ rule: 'path', message: `${reach.specifier} leaves the package; it will not be there when installed.` }]
}

function isFile(target: string): boolean {
  return existsSync(target) && statSync(target).isFile()
}

function named({ sources, file, direction, reach }: ReachCase): Judged[] {
  const { specifier, how } = reach
  const name = packageNameOf(specifier)
  const target = sources.packageNamed(name)
  if (target === file.package) return []
  if (target === undefined) {
    const to = name.slice(sources.scope.length + 1)
    if (direction.arrows[to] === undefined)
      return [{ rule: 'unknown', message: `${specifier} names no package of this workspace.` }]
  }
  if (how === 'augment')
    return [
      { rule: 'augment', message: `this changes the types of ${name} for everybody. Declare a type of your own.` },
    ]
  const to = target?.folder ?? name.slice(sources.scope.length + 1)
  const edge: Edge = { from: file.package.folder, to, entry: specifier.slice(name.length + 1), how: kindOf(how) }
  return edgeFindings({ edge, file, direction, target, name })
}

function kindOf(how: Reach['how']): Edge['how'] {
  if (how === 'type') return 'types'
  return how === 'static' ? 'loads' : 'loads by name'
}

interface EdgeCase {
  readonly edge: Edge
  readonly file: CodeFile
  readonly direction: Direction
  readonly target: WorkspacePackage | undefined
  readonly name: string
}

function edgeFindings({ edge, file, direction, target, name }: EdgeCase): Judged[] {
  const test = file.zone === 'test'
  const also = test ? testTargets(direction, edge.from) : []
  const broken = also.includes(edge.to) ? [] : brokenRows(direction.rows, edge)
  if (broken.length > 0) return broken.map((row) => rowBroken(row, edge))
  const why = refusal(direction.arrows, edge, also)
  if (why !== undefined) return [{ rule: 'direction', message: why }]
  if (target !== undefined && !hasEntry(target, edge.entry))
    return [{ rule: 'unknown', message: `${name}/${edge.entry} is no entry of ${name}.` }]
  if (isDeclared(file, name, edge.how) || isLazy(direction, edge)) return []
  return [undeclared(name, test)]
}

function rowBroken(row: NamedRow, { from, to, entry }: Edge): Judged {
  return { rule: `row/${row.id}`, message: `${from} reaches ${entry === '' ? to : `${to}/${entry}`}: ${row.says}` }
}

function isLazy({ arrows }: Direction, { from, to }: Edge): boolean {
  return (arrows[from]?.may ?? []).map(parseTarget).some((target) => target.to === to && target.kind === 'lazy')
}

function hasEntry({ manifest }: WorkspacePackage, entry: string): boolean {
  const { exports } = manifest
  if (entry === '' || typeof exports !== 'object' || exports === null) return entry === ''
  return Object.keys(exports).some((key) => {
    const [before = '', after] = key.split('*')
    const wanted = `./${entry}`
    return after === undefined ? key === wanted : wanted.startsWith(before) && wanted.endsWith(after)
  })
}

function fromNpm({ sources, file, reach }: ReachCase): Judged[] {
  const { specifier, how } = reach
  if (specifier.startsWith('#') || isBuiltin(specifier)) return []
  const test = file.zone === 'test'
  if (path.isAbsolute(specifier) || /^[a-z][a-z+.-]*:/i.test(specifier))
    return test
      ? []
      : [{ rule: 'path', message: `${specifier} is a place of its own, not a package. Import a package.` }]
  const name = packageNameOf(specifier)
  if (name === file.package.name || isDeclared(file, name, how === 'type' ? 'types' : 'loads')) return []
  if (test && declares(sources.top, name)) return []
  return [undeclared(name, test)]
}

function undeclared(name: string, test: boolean): Judged {
  const where = test ? 'dependencies or devDependencies' : 'dependencies'
  return { rule: 'undeclared', message: `${name} is not in ${where} of this package. Declare it.` }
}

function isDeclared({ package: owner, zone }: CodeFile, name: string, how: Edge['how']): boolean {
  const { dependencies, peerDependencies, optionalDependencies } = owner.manifest
  const runtime = { ...dependencies, ...peerDependencies, ...optionalDependencies }
  if (name in runtime || (zone === 'test' && declares(owner, name))) return true
  // The types of a JavaScript package come from its `@types` package.
  return how === 'types' && `@types/${name.replace('@', '').replace('/', '__')}` in runtime
}

function declares({ manifest }: WorkspacePackage, name: string): boolean {
  return name in manifest.dependencies || name in manifest.devDependencies
}
