/** Whether two types are identical. Assignable is not enough, because a type could carry extra properties. */
import { ts } from 'ts-morph'

export function isSameType(checker: ts.TypeChecker, a: ts.Type, b: ts.Type): boolean {
  if (a === b) return true
  if (a.isUnion() && b.isUnion())
    return (
      a.types.length === b.types.length &&
      a.types.every((part) => b.types.some((other) => isSameType(checker, part, other)))
    )
  if (!(a.flags & b.flags & ts.TypeFlags.Object)) return false
  const [mine, theirs] = [argumentsOf(checker, a), argumentsOf(checker, b)]
  return (
    isSameSymbol(a.symbol, b.symbol) &&
    mine.length === theirs.length &&
    mine.every((part, i) => isSameType(checker, part, theirs[i] ?? part))
  )
}

/** One declaration, or the same one in a second copy or build of its package. */
function isSameSymbol(a: ts.Symbol | undefined, b: ts.Symbol | undefined): boolean {
  if (a === undefined || b === undefined || a.name !== b.name || a.name.startsWith('__')) return false
  return a === b || fileNames(a).join() === fileNames(b).join()
}

function fileNames({ declarations = [] }: ts.Symbol): string[] {
  return declarations.map((each) =>
    each
      .getSourceFile()
      .fileName.replace(/^.*\/(?:src|dist)\//, '')
      .replace(/(?:\.d)?\.[cm]?ts$/, ''),
  )
}

function argumentsOf(checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] {
  const { objectFlags } = type as ts.ObjectType
  if (!(objectFlags & ts.ObjectFlags.Reference)) return []
  // A class has its own `this` as a hidden argument.
  return checker.getTypeArguments(type as ts.TypeReference).filter((each) => !isThisType(each))
}

function isThisType(type: ts.Type): boolean {
  return (type as { readonly isThisType?: boolean }).isThisType === true
}
