/**
 * Checks that no path crosses the seam. A path may be typed as plain text, so names in signatures prove nothing. The gate walks the
 * resolved types of every backend, of the errors beside it, and of all exports of the configured packages.
 */
import { ts } from 'ts-morph'
import type { Finding } from '../finding.ts'
import type { Gate } from '../gate.ts'
import type { GatesConfig } from '../gates-config.ts'
import { GatesError } from '../gates-error.ts'
import type { CodeFile, Sources } from '../sources.ts'
import { placeOf } from '../syntax/place.ts'
import { walk } from '../syntax/walk.ts'
import type { WorkspacePackage } from '../workspace-package.ts'
import { backendLeaks } from './backend-leaks.ts'
import { backendsIn } from './backends.ts'
import { declarationsAt, exportsOf } from './exceptions.ts'
import { PathCarriers, pathModuleOf } from './path-carrier.ts'
import { isDeclaredIn, seamContract, type SeamContract } from './seam-contract.ts'
import { TypeWalk, type Leak } from './type-walk.ts'

export const noPathLeak: Gate = {
  id: 'storage-seam-no-path-leak',
  promise: 'no result or property of a backend, or of what stands above the seam, is a path on this machine',
  rules: {
    leak: 'a result or property that carries a path, at any depth',
    verb: 'a verb that does not answer exactly what the seam promises',
    parameter: 'a verb that takes more than the seam gives it',
    merge: 'a change to the types of the seam',
    're-export': 'a part of node:path, node:fs or the like, exported on',
    'no-backend': 'nothing to hold to the seam',
  },
  async check(sources, { noPathLeak: config, importDirection: direction }) {
    const named = namedPackages(sources, config.packages, Object.keys(direction?.arrows ?? {}))
    const contract = seamContract(sources, config.seam)
    const backends = backendsIn(sources)
    if (backends.length === 0 && named.length === 0) throw nothingToHold(sources)
    const held = new Set([...named, ...backends.map(({ file }) => file.package)])
    const { checker } = sources.typed
    const types = new TypeWalk({
      checker,
      carriers: new PathCarriers(sources.typed),
      locator: contract.locator,
      excused: new Set(config.exceptions.flatMap(({ at }) => declarationsAt(sources, [...held], at))),
    })
    const faults = backends.flatMap((backend) => backendLeaks({ checker, contract, backend, types }))
    for (const owner of held) errorLeaks(sources, owner, types)
    for (const owner of named) exportLeaks(sources, owner, types)
    const say = reporter(sources)
    return distinct([
      ...faults.map(({ node, rule, message }) => say(node, rule, message)),
      ...types.leaks.map((leak) => say(leak.node, 'leak', leakMessage(leak))),
      ...mergeFindings(sources, contract, config, say),
      ...[...held].flatMap((owner) => reExportFindings(sources, owner, say)),
    ])
  },
}

type Say = (node: ts.Node, rule: string, message: string) => Finding

/** The configured packages. A package may be absent if the arrow table contains it; otherwise the name is a typing mistake. */
function namedPackages(sources: Sources, folders: readonly string[], rows: readonly string[]): WorkspacePackage[] {
  const unknown = folders.find((name) => !rows.includes(name) && !sources.packages.some((each) => each.folder === name))
  if (unknown !== undefined)
    throw new GatesError('USAGE', `noPathLeak.packages names ${unknown}, and there is no such package.`)
  return sources.packages.filter(({ folder }) => folders.includes(folder))
}

function nothingToHold({ root }: Sources): GatesError {
  return new GatesError(
    'UNREADABLE',
    `${root} has nothing with the seven verbs of a backend, so there was nothing to check. Run other gates with --only.`,
  )
}

function leakMessage({ trail, what }: Leak): string {
  if (what === 'any' || what === 'unknown') return `${trail} is ${what}, which may be a path. Write its type down.`
  return `${trail} is ${what}, and paths never cross the seam. Answer a Locator, or leave it out.`
}

/** Checks the fields of every error beside a backend, because thrown errors appear in no signature. */
function errorLeaks(sources: Sources, owner: WorkspacePackage, types: TypeWalk): void {
  const { checker } = sources.typed
  for (const file of sources.code.filter((each) => each.package === owner))
    walk(sources.typed.source(file.path), (node) => {
      if (!ts.isClassDeclaration(node)) return
      const type = checker.getTypeAtLocation(node)
      const bases = checker.getPropertyOfType(type, 'stack') ?? undefined
      if (bases === undefined || checker.getPropertyOfType(type, 'message') === undefined) return
      const step = { trail: node.name?.text ?? 'an error', node, strict: true }
      for (const field of checker.getPropertiesOfType(type)) types.property(field, step)
    })
}

function exportLeaks(sources: Sources, owner: WorkspacePackage, types: TypeWalk): void {
  const { checker } = sources.typed
  for (const symbol of exportsOf(sources, owner)) {
    const [node] = symbol.declarations ?? []
    if (node === undefined || !(symbol.flags & ts.SymbolFlags.Value)) continue
    // Declared in another package: that one answers for it.
    if (sources.packageAt(node.getSourceFile().fileName) !== owner) continue
    types.root(symbol, { trail: symbol.name, node, strict: false }, checker.getTypeOfSymbol(symbol))
  }
}

/** Reports declaration merging into the seam, because every backend would then match the changed seam. */
function mergeFindings(
  sources: Sources,
  contract: SeamContract,
  { seam }: GatesConfig['noPathLeak'],
  say: Say,
): Finding[] {
  const merged = contract.symbols.flatMap((symbol) =>
    (symbol.declarations ?? [])
      .filter((each) => !isDeclaredIn(contract.folder, each) && !isAugmentation(each.parent.parent, seam))
      .map((node) => say(node, 'merge', mergeMessage(symbol.name))),
  )
  const declared = sources.code
    .filter((file) => file.package.name !== seam)
    .flatMap((file) => augmentations(sources, file, seam).map((node) => say(node, 'merge', mergeMessage('a type'))))
  return [...merged, ...declared]
}

function mergeMessage(what: string): string {
  return `this adds to ${what} of the seam, so that everybody's backend would agree with it. Declare a type of your own.`
}

function augmentations({ typed }: Sources, file: CodeFile, seam: string): ts.Node[] {
  return typed.source(file.path).statements.filter((each) => isAugmentation(each, seam))
}

function isAugmentation(node: ts.Node | undefined, seam: string): boolean {
  if (node === undefined || !ts.isModuleDeclaration(node)) return false
  return node.name.text === seam || node.name.text.startsWith(`${seam}/`)
}

function reExportFindings(sources: Sources, owner: WorkspacePackage, say: Say): Finding[] {
  return exportsOf(sources, owner).flatMap((symbol) => {
    const module = pathModuleOf(symbol)
    if (module === undefined) return []
    const node = exportNaming(sources, owner, module)
    return node === undefined
      ? []
      : [say(node, 're-export', `this hands on node:${module}, whose business is paths. Keep it inside the package.`)]
  })
}

/** The statement that brings a module in, for the finding to point at. */
function exportNaming(sources: Sources, owner: WorkspacePackage, module: string): ts.Node | undefined {
  const statements = sources.code
    .filter((file) => file.package === owner)
    .flatMap((file) => [...sources.typed.source(file.path).statements])
  const from = (each: ts.Statement): boolean =>
    (ts.isExportDeclaration(each) || ts.isImportDeclaration(each)) &&
    each.moduleSpecifier !== undefined &&
    ts.isStringLiteral(each.moduleSpecifier) &&
    each.moduleSpecifier.text.replace(/^node:/, '') === module
  return statements.find((each) => ts.isExportDeclaration(each) && from(each)) ?? statements.find(from)
}

function reporter({ files, root }: Sources): Say {
  const byPath = new Map(files.map((file) => [file.path, file.file]))
  return (node, rule, message) => {
    const source = node.getSourceFile()
    const file = byPath.get(source.fileName) ?? source.fileName.replace(`${root}/`, '')
    return { rule: `storage-seam-no-path-leak/${rule}`, file, ...placeOf(node, source), message }
  }
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()]
}
