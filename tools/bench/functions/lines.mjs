// @ts-check
/** How long a program is: its lines without blank ones and comments, as the repository's formatter lays them out. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import ts from 'typescript'

/** @param {'ours' | 'dbos' | 'openworkflow'} engine @param {string} program */
export async function linesOf(engine, program) {
  const file = path.join(import.meta.dirname, engine, `${program}.mjs`)
  return countLines(await readFile(file, 'utf8'))
}

/** Lines on which some code stands. @param {string} source */
export function countLines(source) {
  const file = ts.createSourceFile('program.mjs', source, ts.ScriptTarget.Latest, true)
  /** @type {Set<number>} */
  const lines = new Set()
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isJSDoc(node)) return
    const children = node.getChildren(file)
    if (children.length > 0) return children.forEach(visit)
    if (node.getWidth(file) === 0) return
    const [first, last] = [node.getStart(file), node.getEnd()].map((at) => file.getLineAndCharacterOfPosition(at).line)
    for (let line = first ?? 0; line <= (last ?? 0); line++) lines.add(line)
  }
  visit(file)
  return lines.size
}
