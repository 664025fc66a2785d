/** The text of a string or a template without holes; `undefined` for anything else. */
import { ts } from 'ts-morph'

export function literalText(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined
}
