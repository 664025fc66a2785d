// @ts-check
/**
 * docs/reference/errors.md: every error of the packages with its cause and its cure. Codes and causes are read from the sources, cures
 * from tools/errors/cures.mjs; a code without a cure, or a cure without a code, is a fault. `--write` writes the document,
 * `--check` fails when another one is there.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Project, SyntaxKind } from 'ts-morph'
import { cures } from './errors/cures.mjs'

/** @typedef {import('ts-morph').SourceFile} SourceFile */
/** @typedef {import('ts-morph').ClassDeclaration} ClassDeclaration */
/** @typedef {ReadonlyMap<string | undefined, ClassDeclaration>} Bases by name */

/**
 * @typedef {object} KnownError
 * @property {string} package
 * @property {string} name of the class
 * @property {string} code what callers compare
 * @property {string} cause the first sentences of its comment
 */

const root = path.resolve(import.meta.dirname, '..')
const document = path.join(root, 'docs', 'reference', 'errors.md')

/** @returns {KnownError[]} */
export function knownErrors() {
  // Read as they stand, without types: everything asked for is written out in the sources.
  const project = new Project({ skipAddingFilesFromTsConfig: true, skipFileDependencyResolution: true })
  project.addSourceFilesAtPaths(path.join(root, 'packages', '*', 'src', '**', '*.ts'))
  const files = project.getSourceFiles()
  const names = new Set(files.map(packageOf))
  return [...names].toSorted().flatMap((name) =>
    errorsOf(
      name,
      files.filter((file) => packageOf(file) === name),
    ),
  )
}

/** @param {SourceFile} file */
function packageOf(file) {
  return path.relative(path.join(root, 'packages'), file.getFilePath()).split(path.sep)[0] ?? ''
}

/** @param {string} name @param {readonly SourceFile[]} files @returns {KnownError[]} */
function errorsOf(name, files) {
  const classes = files.flatMap((file) => file.getClasses())
  const bases = new Map(classes.map((made) => [made.getName(), made]))
  return classes
    .filter((made) => made.isExported() && !made.isAbstract() && lineOf(made, bases).at(-1) === 'Error')
    .flatMap((made) => {
      const docs = made.getJsDocs().map((doc) => doc.getDescription().trim().replaceAll(/\s+/g, ' '))
      const codes = codesOf(made, bases, files)
      return codes.map((code) => ({ package: name, name: made.getName() ?? '', code, cause: docs.join(' ') }))
    })
}

/** What it extends, up to where this package ends. @param {ClassDeclaration} made @param {Bases} bases @returns {string[]} */
function lineOf(made, bases) {
  const above = made.getExtends()?.getExpression().getText()
  if (above === undefined) return []
  const base = bases.get(above)
  return base === undefined ? [above] : [above, ...lineOf(base, bases)]
}

/** @param {ClassDeclaration} made @param {Bases} bases @param {readonly SourceFile[]} files @returns {readonly string[]} */
function codesOf(made, bases, files) {
  const declared = [made, ...lineOf(made, bases).map((above) => bases.get(above))]
    .map((one) => one?.getProperty('code'))
    .find((property) => property !== undefined && !property.isAbstract())
  const value = declared?.getInitializerIfKind(SyntaxKind.StringLiteral)?.getLiteralText()
  if (value !== undefined) return [value]
  const written = declared?.getTypeNode()?.getText() ?? ''
  const literals = literalsIn(written)
  return literals.length > 0 ? literals : listedCodes(written, files)
}

/** Codes by the name of their type: `type Code = (typeof codes)[number]`. @param {string} name @param {readonly SourceFile[]} files */
function listedCodes(name, files) {
  const alias = files.flatMap((file) => file.getTypeAliases()).find((one) => one.getName() === name)
  const list = /typeof (\w+)/.exec(alias?.getTypeNode()?.getText() ?? '')?.[1]
  const written = files.map((file) => file.getVariableDeclaration(list ?? '')).find((one) => one !== undefined)
  const codes = literalsIn(written?.getInitializer()?.getText() ?? '')
  if (codes.length === 0)
    throw new TypeError(`which codes is ${name || 'a class without code'}? Give the class a \`code\``)
  return codes
}

/** @param {string} text */
function literalsIn(text) {
  return [...text.matchAll(/'([A-Z0-9_]+)'/g)].map(([, code]) => code ?? '')
}

/** @param {KnownError} error */
export function keyOf({ package: name, code }) {
  return `${name} ${code}`
}

/** What is wrong with the table of cures, a line each. @param {readonly KnownError[]} errors */
export function faultsOf(errors) {
  const keys = new Set(errors.map(keyOf))
  return [
    ...errors
      .filter((error) => cures[keyOf(error)] === undefined)
      .map((error) => `${keyOf(error)}: no cure in tools/errors/cures.mjs`),
    ...errors
      .filter((error) => causeOf(error) === '')
      .map((error) => `${keyOf(error)}: ${error.name} has no comment that says when it is thrown`),
    ...Object.keys(cures)
      .filter((key) => !keys.has(key))
      .map((key) => `${key}: a cure in tools/errors/cures.mjs for an error that does not exist`),
  ]
}

/** @param {KnownError} error */
function causeOf(error) {
  return cures[keyOf(error)]?.cause ?? error.cause
}

/** @param {readonly KnownError[]} errors */
export function errorsDocument(errors) {
  const names = [...new Set(errors.map((error) => error.package))]
  const parts = names.map((name) => {
    const own = errors.filter((error) => error.package === name)
    const keys = [...new Set(own.map(keyOf))]
    return [`## ${name}`, ...keys.map((key) => entryOf(own.filter((error) => keyOf(error) === key)))].join('\n\n')
  })
  return `${preface}\n\n${parts.join('\n\n')}\n`
}

/** Several classes may share a code. @param {readonly KnownError[]} errors */
function entryOf(errors) {
  const [error] = errors
  if (error === undefined) return ''
  const classes = errors.map((one) => `\`${one.name}\``).join(', ')
  return `### ${error.code}\n\n${classes}. ${causeOf(error)} **Cure:** ${cures[keyOf(error)]?.cure ?? ''}`
}

const preface = `# Errors

Every error the packages throw on purpose: when it comes, and what to do. Compare \`code\`, not the class: a process may hold
two copies of a package. The message of each names the thing and the place; \`agentm\` prints the code in brackets. Anything
without a code of this list is a \`TypeError\` (the program was called wrongly) or a fault of ours: please report it.

Printed from the sources by \`npm run docs\`.`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const errors = knownErrors()
  const faults = faultsOf(errors)
  for (const fault of faults) console.error(fault)
  const text = errorsDocument(errors)
  if (faults.length > 0) process.exitCode = 1
  else if (process.argv.includes('--write')) writeFileSync(document, text)
  else if (!process.argv.includes('--check')) process.stdout.write(text)
  else if (!existsSync(document) || readFileSync(document, 'utf8') !== text) {
    console.error('docs/reference/errors.md is not what the sources say. Run: npm run docs')
    process.exitCode = 1
  }
}
