/** The declarations that the configured exceptions excuse: `statePath`, `resolveProject().projectRoot`. */
import { ts } from 'ts-morph'
import { entryFiles } from '../entry-sources.ts'
import type { Sources } from '../sources.ts'
import type { WorkspacePackage } from '../workspace-package.ts'
import { aliased } from './seam-contract.ts'

/** The declarations at the end of a path of properties, in any of the packages. */
export function declarationsAt(sources: Sources, packages: readonly WorkspacePackage[], trail: string): ts.Node[] {
  const [name = '', ...steps] = trail.match(/\(\)|[^.()]+/g) ?? []
  return packages
    .flatMap((owner) => exportsOf(sources, owner))
    .filter((symbol) => symbol.name === name)
    .flatMap((symbol) => follow(sources.typed.checker, symbol, steps))
}

/** What a package exports through its entries, aliases resolved. */
export function exportsOf(sources: Sources, owner: WorkspacePackage): readonly ts.Symbol[] {
  const { checker } = sources.typed
  const symbols = entryFiles(sources, owner).flatMap((file) => {
    const module = checker.getSymbolAtLocation(sources.typed.source(file.path))
    return module === undefined ? [] : checker.getExportsOfModule(module)
  })
  return [...new Set(symbols.map((each) => aliased(checker, each)))]
}

function follow(checker: ts.TypeChecker, symbol: ts.Symbol, steps: readonly string[]): ts.Node[] {
  if (steps.length === 0) return symbol.declarations ?? []
  let types = [
    symbol.flags & ts.SymbolFlags.Class ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol),
  ]
  let reached: readonly ts.Symbol[] = []
  for (const step of steps) {
    if (step === '()') {
      types = types.flatMap((type) => type.getCallSignatures()).flatMap((call) => answers(checker, call))
      continue
    }
    reached = types.map((type) => checker.getPropertyOfType(type, step)).filter((found) => found !== undefined)
    types = reached.flatMap((found) => parts(checker, checker.getTypeOfSymbol(found)))
  }
  return steps.at(-1) === '()' ? [] : reached.flatMap(({ declarations = [] }) => declarations)
}

function answers(checker: ts.TypeChecker, call: ts.Signature): ts.Type[] {
  const result = call.getReturnType()
  return parts(checker, checker.getAwaitedType(result) ?? result)
}

function parts(checker: ts.TypeChecker, type: ts.Type): ts.Type[] {
  const present = checker.getNonNullableType(type)
  return present.isUnion() ? present.types : [present]
}
