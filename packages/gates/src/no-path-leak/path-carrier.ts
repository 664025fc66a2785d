/** Recognises types that are a path on this machine, or that contain one. */
import { ts } from 'ts-morph'
import type { TypedProgram } from '../typed-program.ts'

/** Foreign types are leaves: their name decides. */
const carriers = new Set(
  (
    'PathLike PathOrFileDescriptor Stats StatsBase BigIntStats StatsFs BigIntStatsFs Dirent Dir FileHandle ReadStream ' +
    'WriteStream FSWatcher StatWatcher PlatformPath ParsedPath FormatInputPathObject URL Path PathBase'
  ).split(' '),
)

/** Modules of Node in which every export handles paths. */
const pathModules = new Set(['path', 'path/posix', 'path/win32', 'fs', 'fs/promises', 'url', 'os'])

/** The name of our brand for a path, and of any type alias spelled like it. */
const brand = 'FilePath'

export class PathCarriers {
  readonly #brandMembers: ReadonlySet<ts.Declaration>

  constructor(typed: TypedProgram) {
    this.#brandMembers = new Set(brandMembers(typed))
  }

  /** What the type is called when it is one; `undefined` when it is not. */
  nameOf(type: ts.Type): string | undefined {
    const alias = type.aliasSymbol?.name
    if (alias === brand) return brand
    if (alias !== undefined && carriers.has(alias) && isForeign(type.aliasSymbol)) return alias
    if (type.isIntersection() && type.types.some((part) => this.#isBrand(part))) return brand
    const symbol = type.getSymbol()
    if (symbol === undefined || !isForeign(symbol)) return undefined
    if (carriers.has(symbol.name) && isNamed(symbol)) return symbol.name
    const module = pathModuleOf(symbol)
    return module === undefined || isNamed(symbol) ? undefined : `a part of node:${module}`
  }

  #isBrand(part: ts.Type): boolean {
    return part.getProperties().some(({ declarations }) => declarations?.some((each) => this.#brandMembers.has(each)))
  }
}

/** Declared in a package from npm, or by TypeScript itself. */
export function isForeign(symbol: ts.Symbol | undefined): boolean {
  const declarations = symbol?.declarations ?? []
  return declarations.length > 0 && declarations.every((each) => isForeignFile(each.getSourceFile().fileName))
}

/** The path module of Node that declares a symbol, or that it is. */
export function pathModuleOf(symbol: ts.Symbol): string | undefined {
  for (const declaration of symbol.declarations ?? [])
    for (let node: ts.Node | undefined = declaration; node !== undefined; node = node.parent) {
      if (!ts.isModuleDeclaration(node) || !ts.isStringLiteral(node.name)) continue
      const module = node.name.text.replace(/^node:/, '')
      if (pathModules.has(module) && isForeignFile(node.getSourceFile().fileName)) return module
    }
  return undefined
}

function isForeignFile(file: string): boolean {
  return file.includes('/node_modules/')
}

function isNamed(symbol: ts.Symbol): boolean {
  return (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0
}

/** The property that makes our brand different from text, wherever `FilePath` is declared. */
function brandMembers({ program, checker }: TypedProgram): ts.Declaration[] {
  const aliases = program
    .getSourceFiles()
    .filter((source) => source.text.includes(brand))
    .flatMap((source) => source.statements.filter((each) => ts.isTypeAliasDeclaration(each)))
    .filter(({ name }) => name.text === brand)
  return aliases.flatMap(({ type }) => {
    const resolved = checker.getTypeFromTypeNode(type)
    const parts = resolved.isIntersection() ? resolved.types.filter(({ flags }) => flags & ts.TypeFlags.Object) : []
    return parts.flatMap((part) => part.getProperties().flatMap(({ declarations = [] }) => declarations))
  })
}
