/**
 * Every way in which one file names another module. A package is reached only by its name or a path, and both are text. So every string
 * counts, whatever the syntax around it; the syntax decides how the module is reached.
 */
import { ts } from 'ts-morph'
import { literalText } from '../syntax/literal-text.ts'
import { walk } from '../syntax/walk.ts'

export interface Reach {
  readonly specifier: string
  /**
   * How the module is reached: `static` and `dynamic` load code, `type` is erased, `augment` changes another module's types, `text` is any
   * other string, `computed` is a load whose name is computed at run time, `evaluated` is code made from text.
   */
  readonly how: 'static' | 'dynamic' | 'type' | 'augment' | 'text' | 'computed' | 'evaluated'
  readonly position: number
}

export function reachesOf(source: ts.SourceFile): readonly Reach[] {
  const loaders = loaderNames(source)
  const reaches: Reach[] = []
  const strings: { readonly from: number; readonly to: number }[] = []
  walk(source, (node) => {
    const position = node.getStart(source)
    if (isSymbolKey(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) {
      strings.push({ from: node.pos, to: node.end })
      reaches.push({ specifier: node.text, how: ts.isTemplateHead(node) ? 'text' : howOf(node, loaders), position })
    } else if (ts.isTemplateMiddle(node) || ts.isTemplateTail(node) || ts.isRegularExpressionLiteral(node)) {
      strings.push({ from: node.pos, to: node.end })
    } else if (isCall(node)) {
      if (evaluates(node)) reaches.push({ specifier: 'code from text', how: 'evaluated', position })
      else if (isComputed(node, loaders)) reaches.push({ specifier: 'computed', how: 'computed', position })
    }
  })
  return [...reaches, ...directives(source), ...documented(source, strings)]
}

type Call = ts.CallExpression | ts.NewExpression

interface Loaders {
  /** Functions that load a module: `require`, and the results of `createRequire`. */
  readonly requires: ReadonlySet<string>
  /** Functions that start a file: `Worker`, `fork`. */
  readonly starters: ReadonlySet<string>
  /** The file's constants and their values. */
  readonly constants: ReadonlyMap<string, ts.Expression>
}

/** `Symbol.for('@scope/package/brand')` names a symbol, and nothing can load that. */
function isSymbolKey(node: ts.Node): boolean {
  const { parent } = node
  return (
    ts.isStringLiteralLike(node) &&
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'for' &&
    ts.isIdentifier(parent.expression.expression) &&
    parent.expression.expression.text === 'Symbol'
  )
}

function isCall(node: ts.Node): node is Call {
  return ts.isCallExpression(node) || ts.isNewExpression(node)
}

function loaderNames(source: ts.SourceFile): Loaders {
  const requires = new Set(['require'])
  const starters = new Set(['Worker', 'SharedWorker'])
  const constants = new Map<string, ts.Expression>()
  walk(source, (node) => {
    if (ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'fork') starters.add(node.name.text)
    if (ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'Worker') starters.add(node.name.text)
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined) return
    if (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) constants.set(node.name.text, node.initializer)
    if (makesRequire(node.initializer)) requires.add(node.name.text)
    if (ts.isIdentifier(node.initializer) && requires.has(node.initializer.text)) requires.add(node.name.text)
  })
  return { requires, starters, constants }
}

function makesRequire(node: ts.Node): boolean {
  return ts.isCallExpression(node) && lastName(node.expression) === 'createRequire'
}

function lastName(callee: ts.Expression): string | undefined {
  if (ts.isIdentifier(callee)) return callee.text
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text
  return ts.isElementAccessExpression(callee) ? literalText(callee.argumentExpression) : undefined
}

function howOf(literal: ts.StringLiteralLike, loaders: Loaders): Reach['how'] {
  const { parent } = literal
  if (ts.isImportDeclaration(parent)) return parent.importClause?.isTypeOnly === true ? 'type' : 'static'
  if (ts.isExportDeclaration(parent)) return parent.isTypeOnly ? 'type' : 'static'
  if (ts.isExternalModuleReference(parent))
    return ts.isImportEqualsDeclaration(parent.parent) && parent.parent.isTypeOnly ? 'type' : 'static'
  if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent) ? 'type' : 'text'
  if (ts.isModuleDeclaration(parent)) return 'augment'
  return isCall(parent) && parent.arguments?.[0] === literal && loads(parent, loaders) ? 'dynamic' : 'text'
}

/** `import()`, `require()`, `createRequire()()`, `import.meta.resolve()`, `require.resolve()`. */
function loads(call: Call, { requires }: Loaders): boolean {
  const callee = call.expression
  if (callee.kind === ts.SyntaxKind.ImportKeyword || makesRequire(callee)) return true
  if (ts.isIdentifier(callee)) return requires.has(callee.text)
  if (!ts.isPropertyAccessExpression(callee) && !ts.isElementAccessExpression(callee)) return false
  const owner = callee.expression
  if (lastName(callee) === 'require') return true
  if (lastName(callee) !== 'resolve') return false
  return ts.isMetaProperty(owner) || makesRequire(owner) || (ts.isIdentifier(owner) && requires.has(owner.text))
}

function starts(call: Call, { starters }: Loaders): boolean {
  const name = lastName(call.expression)
  if (name === undefined) return false
  return ts.isIdentifier(call.expression) ? starters.has(name) : name === 'fork' || name === 'Worker'
}

function isComputed(call: Call, loaders: Loaders): boolean {
  const [target] = call.arguments ?? []
  if (target === undefined) return false
  if (loads(call, loaders)) return literalText(target) === undefined
  return starts(call, loaders) && !isFixed(target, loaders)
}

/** A literal, or `new URL('./literal', import.meta.url)` whatever turns it into a path. */
function isFixed(target: ts.Expression, loaders: Loaders): boolean {
  if (literalText(target) !== undefined) return true
  if (ts.isPropertyAccessExpression(target)) return isFixed(target.expression, loaders)
  if (ts.isIdentifier(target)) {
    const set = loaders.constants.get(target.text)
    return set !== undefined && set !== target && isFixed(set, loaders)
  }
  if (ts.isNewExpression(target)) return lastName(target.expression) === 'URL' && isLiteral(target.arguments?.[0])
  return (
    ts.isCallExpression(target) &&
    lastName(target.expression) === 'fileURLToPath' &&
    target.arguments[0] !== undefined &&
    isFixed(target.arguments[0], loaders)
  )
}

function isLiteral(node: ts.Expression | undefined): boolean {
  return literalText(node) !== undefined
}

function evaluates(call: Call): boolean {
  const callee = call.expression
  return ts.isIdentifier(callee) && (callee.text === 'eval' || callee.text === 'Function')
}

function directives(source: ts.SourceFile): Reach[] {
  return [...source.referencedFiles, ...source.typeReferenceDirectives].map(({ fileName, pos }) => ({
    specifier: fileName,
    how: 'type',
    position: pos,
  }))
}

const documentedImport = /(?:@import\b[^'"\n]*|\bimport\(\s*)['"]([^'"]+)['"]/g

/** In JavaScript, types are written in comments. */
function documented(source: ts.SourceFile, strings: readonly { from: number; to: number }[]): Reach[] {
  if (!/\.[cm]?jsx?$/.test(source.fileName)) return []
  const outside = (at: number): boolean => !strings.some(({ from, to }) => from <= at && at < to)
  return [...source.text.matchAll(documentedImport)]
    .filter(({ index, 0: text }) => outside(index) && outside(index + text.indexOf('@')) && isComment(source, index))
    .map(({ index, 1: specifier = '' }) => ({ specifier, how: 'type', position: index }))
}

function isComment(source: ts.SourceFile, at: number): boolean {
  const before = source.text.slice(0, at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return before.lastIndexOf('/*') > before.lastIndexOf('*/') || line.includes('//')
}
