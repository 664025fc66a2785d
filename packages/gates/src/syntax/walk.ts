/** Every node below one, parents first. */
import { ts } from 'ts-morph'

export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}
