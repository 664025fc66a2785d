/** The contract of the seam as types: its verbs and the types it declares. */
import path from 'node:path'
import { ts } from 'ts-morph'
import { GatesError } from '../gates-error.ts'
import { isWithin, type Sources } from '../sources.ts'

export const verbs = ['resolve', 'read', 'write', 'list', 'exists', 'info', 'mkdir'] as const

export interface SeamContract {
  /** The folder of the package that declares the seam. */
  readonly folder: string
  readonly backend: ts.Type
  readonly locator: ts.Type
  /** Everything the seam exports, aliases resolved. */
  readonly symbols: readonly ts.Symbol[]
}

/** Throws if the seam cannot be found, because then nothing can be compared. */
export function seamContract(sources: Sources, seam: string): SeamContract {
  const entry = seamEntry(sources, seam)
  const { checker } = sources.typed
  const module = checker.getSymbolAtLocation(sources.typed.source(entry))
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module).map((each) => aliased(checker, each))
  const declared = (name: string): ts.Type => {
    const symbol = symbols.find((each) => each.name === name)
    if (symbol !== undefined) return checker.getDeclaredTypeOfSymbol(symbol)
    throw new GatesError('UNREADABLE', `${seam} exports no ${name}, so no backend can be compared with it.`)
  }
  return { folder: packageFolder(entry), backend: declared('StorageBackend'), locator: declared('Locator'), symbols }
}

export function isSeamType(checker: ts.TypeChecker, type: ts.Type): boolean {
  return verbs.every((verb) => checker.getPropertyOfType(type, verb) !== undefined)
}

export function aliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

export function isDeclaredIn(folder: string, declaration: ts.Declaration): boolean {
  return isWithin(folder, path.normalize(declaration.getSourceFile().fileName))
}

function seamEntry(sources: Sources, seam: string): string {
  const { typed, code } = sources
  const importer = code.find(({ syntax }) => syntax.text.includes(seam)) ?? code[0]
  const found = importer === undefined ? undefined : typed.resolve(seam, importer.path)
  const entry = found ?? code.find(({ package: owner, file }) => owner.name === seam && /\bindex\.ts$/.test(file))?.path
  if (entry !== undefined && typed.program.getSourceFile(entry) !== undefined) return entry
  throw new GatesError(
    'UNREADABLE',
    `${seam} cannot be resolved from ${sources.root}, so no backend can be compared with it. Install it, or run other gates with --only.`,
  )
}

function packageFolder(entry: string): string {
  let folder = path.dirname(entry)
  while (!ts.sys.fileExists(path.join(folder, 'package.json')) && path.dirname(folder) !== folder)
    folder = path.dirname(folder)
  return folder
}
