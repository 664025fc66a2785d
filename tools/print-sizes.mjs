// @ts-check
/**
 * How long files and functions of the packages are, beside what they should mostly be. It informs and blocks nothing: a long one
 * may be right, and is worth a second look for the decision inside it.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Node, Project } from 'ts-morph'
import { root } from './run.mjs'

/** @typedef {{ readonly what: string, readonly lines: number }} Sized */

const usualFunction = 15
const longFunction = 40
const longFile = 300

/** @returns {{ readonly files: readonly Sized[], readonly functions: readonly Sized[] }} */
export function sizes() {
  const project = new Project({ skipAddingFilesFromTsConfig: true, skipFileDependencyResolution: true })
  project.addSourceFilesAtPaths(path.join(root, 'packages', '*', 'src', '**', '*.ts'))
  const sources = project.getSourceFiles()
  return {
    files: sources.map((file) => ({ what: placeOf(file), lines: file.getEndLineNumber() })),
    functions: sources.flatMap((file) =>
      file.getDescendants().flatMap((node) => {
        const name = nameOf(node)
        return name === undefined ? [] : [{ what: `${placeOf(file)} ${name}`, lines: linesOf(node) }]
      }),
    ),
  }
}

/** A function somebody named; callbacks are part of what they stand in. @param {Node} node */
function nameOf(node) {
  if (Node.isFunctionDeclaration(node) || Node.isMethodDeclaration(node)) return node.getName()
  if (!Node.isArrowFunction(node)) return undefined
  const parent = node.getParent()
  return Node.isVariableDeclaration(parent) ? parent.getName() : undefined
}

/** @param {Node} node */
function linesOf(node) {
  return node.getEndLineNumber() - node.getStartLineNumber() + 1
}

/** @param {import('ts-morph').SourceFile} file */
function placeOf(file) {
  return path.relative(root, file.getFilePath())
}

/** @param {ReturnType<typeof sizes>} found */
export function sizeLines({ files, functions }) {
  const lengths = functions.map(({ lines }) => lines).toSorted((a, b) => a - b)
  const usual = lengths.filter((lines) => lines <= usualFunction).length
  const share = Math.round((100 * usual) / Math.max(1, lengths.length))
  return [
    `${functions.length} functions, half of them within ${lengths[lengths.length >> 1] ?? 0} lines, ${share} % within ${usualFunction}`,
    ...above(functions, longFunction, 'functions'),
    `${files.length} files`,
    ...above(files, longFile, 'files'),
  ]
}

/** @param {readonly Sized[]} all @param {number} limit @param {string} word */
function above(all, limit, word) {
  const long = all.filter(({ lines }) => lines > limit).toSorted((a, b) => b.lines - a.lines)
  return [
    `${long.length} ${word} over ${limit} lines`,
    ...long.slice(0, 10).map(({ what, lines }) => `  ${lines}  ${what}`),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(sizeLines(sizes()).join('\n'))
