/** Finds every backend in the code: a type with the seven verbs, whatever its name and place. */
import { ts } from 'ts-morph'
import type { CodeFile, Sources } from '../sources.ts'
import { walk } from '../syntax/walk.ts'
import { aliased, isSeamType, verbs } from './seam-contract.ts'

export interface Backend {
  readonly name: string
  readonly file: CodeFile
  readonly node: ts.Node
  readonly type: ts.Type
  /** The class itself, for what is static. */
  readonly statics: ts.Type | undefined
}

export function backendsIn(sources: Sources): readonly Backend[] {
  const seen = new Set<ts.Type | ts.Symbol>()
  const isNew = (type: ts.Type): boolean => {
    const known = seen.has(type.symbol ?? type)
    seen.add(type.symbol ?? type)
    return !known
  }
  return sources.code
    .flatMap((file) => [...declaredIn(sources, file), ...exportedFrom(sources, file)])
    .filter(({ type }) => isSeamType(sources.typed.checker, type) && isNew(type))
}

function declaredIn(sources: Sources, file: CodeFile): Backend[] {
  const { checker } = sources.typed
  const found: Backend[] = []
  walk(sources.typed.source(file.path), (node) => {
    if (ts.isClassLike(node)) found.push(...classAt(checker, file, node))
    else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      found.push({ name: node.name.text, file, node, type: checker.getTypeAtLocation(node), statics: undefined })
    else if (ts.isObjectLiteralExpression(node) && mayHaveVerbs(node))
      found.push({ name: 'a backend', file, node, type: checker.getTypeAtLocation(node), statics: undefined })
  })
  return found
}

function classAt(checker: ts.TypeChecker, file: CodeFile, node: ts.ClassLikeDeclaration): Backend[] {
  const name = node.name?.text ?? 'a class'
  const at = checker.getTypeAtLocation(node)
  const symbol = at.getSymbol()
  const statics = symbol === undefined ? undefined : checker.getTypeOfSymbol(symbol)
  if (ts.isClassDeclaration(node)) return [{ name, file, node, type: at, statics }]
  return at.getConstructSignatures().map((each) => ({ name, file, node, type: each.getReturnType(), statics: at }))
}

/** What an exported function, mixin or constructor makes. */
function exportedFrom(sources: Sources, file: CodeFile): Backend[] {
  const { checker } = sources.typed
  const module = checker.getSymbolAtLocation(sources.typed.source(file.path))
  if (module === undefined) return []
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = aliased(checker, exported)
    const [node] = symbol.declarations ?? []
    if (node?.getSourceFile() !== sources.typed.source(file.path) || !(symbol.flags & ts.SymbolFlags.Value)) return []
    const type = checker.getTypeOfSymbol(symbol)
    const made = [...type.getCallSignatures(), ...type.getConstructSignatures()].map((each) => each.getReturnType())
    return [type, ...made.map((each) => checker.getAwaitedType(each) ?? each)].map((each) => ({
      name: symbol.name,
      file,
      node,
      type: each,
      statics: undefined,
    }))
  })
}

function mayHaveVerbs(node: ts.ObjectLiteralExpression): boolean {
  const names = node.properties.map((each) => each.name?.getText())
  return verbs.every((verb) => names.includes(verb)) || node.properties.some(ts.isSpreadAssignment)
}
