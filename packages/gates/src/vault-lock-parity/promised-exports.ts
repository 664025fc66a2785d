/** The exports of a package's entry, as its source declares them, in a form that can be compared with a running module. */
import { ts } from 'ts-morph'
import { exportsOf } from '../no-path-leak/exceptions.ts'
import type { Sources } from '../sources.ts'
import type { WorkspacePackage } from '../workspace-package.ts'
import type { Exported } from './bare-exports.ts'

export function promisedExports(sources: Sources, owner: WorkspacePackage): Exported {
  const { checker } = sources.typed
  const values = exportsOf(sources, owner).filter(({ flags }) => flags & ts.SymbolFlags.Value)
  return Object.fromEntries(values.map((symbol) => [symbol.name, described(symbol, checker.getTypeOfSymbol(symbol))]))
}

function described(symbol: ts.Symbol, type: ts.Type): Exported[string] {
  if (symbol.flags & ts.SymbolFlags.Class) return { kind: 'class', arity: constructorArity(symbol) }
  const [call] = type.getCallSignatures()
  const implemented = symbol.declarations?.findLast((each) => ts.isFunctionLike(each)) ?? call?.getDeclaration()
  return call === undefined
    ? { kind: 'value', arity: 0 }
    : { kind: 'function', arity: arityOf(implemented?.parameters) }
}

function constructorArity({ declarations = [] }: ts.Symbol): number {
  const members = declarations.flatMap((each) => (ts.isClassLike(each) ? [...each.members] : []))
  return arityOf(members.findLast((each) => ts.isConstructorDeclaration(each))?.parameters)
}

/** The `length` of a function: its parameters before the first default or rest parameter. */
function arityOf(parameters: readonly ts.Node[] = []): number {
  const counted = parameters
    .filter((each): each is ts.ParameterDeclaration => ts.isParameter(each))
    .filter((each) => !isThis(each))
  const end = counted.findIndex(
    ({ initializer, dotDotDotToken }) => initializer !== undefined || dotDotDotToken !== undefined,
  )
  return end < 0 ? counted.length : end
}

function isThis({ name }: ts.ParameterDeclaration): boolean {
  return ts.isIdentifier(name) && name.text === 'this'
}
