/** The place of a node, in the form of findings. */
import type { ts } from 'ts-morph'

export function placeOf(node: ts.Node, source: ts.SourceFile): { readonly line: number; readonly column: number } {
  return placeAt(source, node.getStart(source))
}

export function placeAt(source: ts.SourceFile, position: number): { readonly line: number; readonly column: number } {
  const { line, character } = source.getLineAndCharacterOfPosition(position)
  return { line: line + 1, column: character + 1 }
}

/** The line of the first text in a file that is not code, such as a manifest. */
export function placeIn(text: string, wanted: string): { readonly line: number; readonly column: number } {
  const at = Math.max(0, text.indexOf(wanted))
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
