/**
 * Every way in which a file can write another, by syntax: named imports under any alias, namespaces, `promises`, destructuring, `require`,
 * `getBuiltinModule`, `import()`, handles, and ports shaped like `fs`. If `fs` is passed on as a whole, its use cannot be followed, so that
 * counts as well.
 */
import { ts } from 'ts-morph'
import { isGlobalUse, isReference } from '../syntax/global-name.ts'
import { literalText } from '../syntax/literal-text.ts'
import { walk } from '../syntax/walk.ts'
import { packageNameOf } from '../workspace-package.ts'
import { codeFromText } from './code-from-text.ts'
import { fileWriters, isFileSystem, openers, unmistakable } from './file-writers.ts'

export interface Write {
  /** The name in `fs`; `fs` itself when it is handed on whole; a package that writes; what makes code from text. */
  readonly call: string
  readonly kind: 'write' | 'escape' | 'package' | 'code'
  readonly node: ts.Node
}

/** `isPort` returns whether a value offers the functions of `fs`. It is called only if a name suggests that. */
export function writesOf(
  source: ts.SourceFile,
  writerPackages: readonly string[],
  isPort: (value: ts.Expression | ts.BindingPattern) => boolean,
): Write[] {
  const bound = { ...boundNames(source), isPort }
  const writes: Write[] = []
  walk(source, (node) => {
    const packaged = loadedPackage(node)
    if (packaged !== undefined && writerPackages.includes(packaged))
      writes.push({ call: packaged, kind: 'package', node })
    const code = codeFromText(node)
    if (code !== undefined) writes.push({ call: code, kind: 'code', node })
    writes.push(...writesAt(node, bound))
  })
  return writes
}

interface Bound extends Names {
  isPort(value: ts.Expression | ts.BindingPattern): boolean
}

interface Names {
  /** Names of `fs` itself, or of its `promises`. */
  readonly whole: ReadonlySet<string>
  /** Local names of `open` and `openSync`. */
  readonly opens: ReadonlySet<string>
}

function boundNames(source: ts.SourceFile): Names {
  const whole = new Set<string>()
  const opens = new Set<string>()
  walk(source, (node) => {
    if (ts.isImportDeclaration(node) && isFileSystem(literalText(node.moduleSpecifier))) bindImport(node, whole, opens)
    if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
      if (isFileSystem(literalText(node.moduleReference.expression))) whole.add(node.name.text)
    if (
      !ts.isVariableDeclaration(node) ||
      node.initializer === undefined ||
      !isWhole(node.initializer, { whole, opens })
    )
      return
    if (ts.isIdentifier(node.name)) whole.add(node.name.text)
    else bindElements(node.name, whole, opens)
  })
  return { whole, opens }
}

function bindImport(node: ts.ImportDeclaration, whole: Set<string>, opens: Set<string>): void {
  const clause = node.importClause
  if (clause === undefined || clause.isTypeOnly) return
  if (clause.name !== undefined) whole.add(clause.name.text)
  if (clause.namedBindings === undefined) return
  if (ts.isNamespaceImport(clause.namedBindings)) whole.add(clause.namedBindings.name.text)
  else for (const each of clause.namedBindings.elements) bindName(nameTaken(each), each.name.text, whole, opens)
}

function bindElements(pattern: ts.BindingPattern, whole: Set<string>, opens: Set<string>): void {
  for (const element of pattern.elements)
    if (ts.isBindingElement(element) && ts.isIdentifier(element.name))
      bindName(keyOf(element), element.name.text, whole, opens)
}

function bindName(taken: string | undefined, local: string, whole: Set<string>, opens: Set<string>): void {
  if (taken === 'promises' || taken === 'default') whole.add(local)
  if (taken !== undefined && openers.has(taken)) opens.add(local)
}

/** The name in the module, not its alias in this file. */
function nameTaken(node: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (node.propertyName ?? node.name).text
}

function keyOf(element: ts.BindingElement): string | undefined {
  const key = element.propertyName ?? element.name
  if (ts.isIdentifier(key)) return key.text
  return ts.isComputedPropertyName(key) ? literalText(key.expression) : literalText(key)
}

/** Whether an expression is `fs` or its promises. */
function isWhole(node: ts.Expression, bound: Names): boolean {
  if (ts.isIdentifier(node)) return bound.whole.has(node.text)
  if (ts.isAwaitExpression(node) || isWrapped(node)) return isWhole(node.expression, bound)
  if (ts.isCallExpression(node)) return isLoad(node)
  const member = memberOf(node)
  return (
    member !== undefined && (member.name === 'promises' || member.name === 'default') && isWhole(member.owner, bound)
  )
}

function isWrapped(node: ts.Node): node is ts.Expression & { readonly expression: ts.Expression } {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  )
}

/** Every call with the module's name counts as loading it. */
function isLoad(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && isFileSystem(literalText(node.arguments[0]))
}

function memberOf(node: ts.Node): { readonly owner: ts.Expression; readonly name: string | undefined } | undefined {
  if (ts.isPropertyAccessExpression(node)) return { owner: node.expression, name: node.name.text }
  if (ts.isElementAccessExpression(node)) return { owner: node.expression, name: literalText(node.argumentExpression) }
  return undefined
}

function writesAt(node: ts.Node, bound: Bound): Write[] {
  if (ts.isImportSpecifier(node)) return importedWrite(node)
  if (ts.isExportDeclaration(node)) return exportedWrites(node)
  if (ts.isBindingElement(node)) return destructured(node, bound)
  if (ts.isCallExpression(node) && isLoad(node)) return isKept(node) ? [] : [escape(node)]
  if (ts.isIdentifier(node)) return identifierWrite(node, bound)
  const member = memberOf(node)
  return member === undefined ? [] : memberWrite(node, member, bound)
}

function importedWrite(node: ts.ImportSpecifier): Write[] {
  const clause = node.parent.parent
  const specifier = literalText(clause.parent.moduleSpecifier)
  if (node.isTypeOnly || clause.isTypeOnly || !isFileSystem(specifier)) return []
  return fileWriters.has(nameTaken(node)) ? [write(nameTaken(node), node)] : []
}

function exportedWrites(node: ts.ExportDeclaration): Write[] {
  if (node.isTypeOnly || !isFileSystem(literalText(node.moduleSpecifier))) return []
  if (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause)) return [escape(node)]
  return node.exportClause.elements
    .filter((element) => !element.isTypeOnly && (fileWriters.has(nameTaken(element)) || isOpaque(nameTaken(element))))
    .map((element) => write(nameTaken(element), element))
}

function isOpaque(name: string): boolean {
  return openers.has(name) || name === 'promises' || name === 'default'
}

function destructured(node: ts.BindingElement, bound: Bound): Write[] {
  const key = keyOf(node)
  const declaration = node.parent.parent
  const from =
    ts.isVariableDeclaration(declaration) || ts.isParameter(declaration) ? declaration.initializer : undefined
  const whole = from !== undefined && isWhole(from, bound)
  if (whole && (key === undefined || node.dotDotDotToken !== undefined)) return [escape(node)]
  if (key === undefined) return []
  const writes = unmistakable.has(key) || (fileWriters.has(key) && (whole || bound.isPort(node.parent)))
  return writes ? [write(key, node)] : []
}

function memberWrite(node: ts.Node, { owner, name }: NonNullable<ReturnType<typeof memberOf>>, bound: Bound): Write[] {
  const whole = isWhole(owner, bound)
  if (name === undefined) return whole ? [escape(node)] : []
  if (unmistakable.has(name)) return [write(name, node)]
  const opens = openers.has(name) && !opensForReading(node)
  return (opens || fileWriters.has(name)) && (whole || bound.isPort(owner)) ? [write(name, node)] : []
}

function identifierWrite(node: ts.Identifier, bound: Bound): Write[] {
  if (!isReference(node) || isGlobalUse(node)) return []
  if (bound.opens.has(node.text)) return opensForReading(node) ? [] : [write('open', node)]
  return bound.whole.has(node.text) && !isKept(node) ? [escape(node)] : []
}

/** Whether the gate can follow the use: a member is read, or it gets another name. */
function isKept(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isAwaitExpression(parent) || isWrapped(parent)) return isKept(parent)
  if (ts.isExpressionStatement(parent)) return true
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node
  const member = memberOf(parent)
  if (member === undefined || member.owner !== node) return false
  // `import('node:fs').then(…)` hands it to a function.
  if (isUnawaited(node)) return false
  return member.name === 'promises' || member.name === 'default' ? isKept(parent as ts.Expression) : true
}

function isUnawaited(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
}

function opensForReading(callee: ts.Node): boolean {
  const call = callee.parent
  if (!ts.isCallExpression(call) || call.expression !== callee) return false
  const flags = call.arguments[1]
  if (flags === undefined || ['r', 'rs', 'sr'].includes(literalText(flags) ?? '')) return true
  return memberOf(flags)?.name === 'O_RDONLY'
}

function loadedPackage(node: ts.Node): string | undefined {
  const specifier = specifierOf(node)
  return specifier === undefined ? undefined : packageNameOf(specifier)
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node))
    return node.importClause?.isTypeOnly === true ? undefined : literalText(node.moduleSpecifier)
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? undefined : literalText(node.moduleSpecifier)
  if (ts.isExternalModuleReference(node)) return literalText(node.expression)
  return ts.isCallExpression(node) ? literalText(node.arguments[0]) : undefined
}

function write(call: string, node: ts.Node): Write {
  return { call, kind: 'write', node }
}

function escape(node: ts.Node): Write {
  return { call: 'fs', kind: 'escape', node }
}
