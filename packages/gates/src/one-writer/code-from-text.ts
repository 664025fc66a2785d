/** Finds code that is made from text at run time, because it may write anything and no gate has read it. */
import { ts } from 'ts-morph'
import { isGlobalUse } from '../syntax/global-name.ts'
import { literalText } from '../syntax/literal-text.ts'

/** What makes the code, as a finding names it. */
export function codeFromText(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return makers.has(node.text) && isGlobalUse(node) ? node.text : undefined
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) return loadedText(node)
  if (ts.isPropertyAssignment(node)) return isEvalOption(node) ? 'a worker with eval: true' : undefined
  if (!ts.isCallExpression(node)) return undefined
  const callee = node.expression
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'constructor') return '.constructor'
  return ts.isElementAccessExpression(callee) && literalText(callee.argumentExpression) === 'constructor'
    ? '.constructor'
    : undefined
}

const makers = new Set(['eval', 'Function'])

/** Modules that run text, and addresses that are text, wherever such a string is loaded from. */
function loadedText(node: ts.StringLiteralLike | ts.TemplateHead): string | undefined {
  const whole = ts.isTemplateHead(node) ? node.parent : node
  if (/^data:/i.test(node.text))
    return isImported(whole) || ts.isNewExpression(whole.parent) ? 'a data: import' : undefined
  if (!/^(?:node:)?(?:vm|repl)$/.test(node.text)) return undefined
  // Every call with the module's name counts as loading it.
  return isImported(whole) || ts.isCallExpression(whole.parent) ? node.text.replace(/^(?:node:)?/, 'node:') : undefined
}

function isImported(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isImportDeclaration(parent)) return parent.importClause?.isTypeOnly !== true
  if (ts.isExportDeclaration(parent)) return !parent.isTypeOnly
  if (ts.isCallExpression(parent)) return parent.expression.kind === ts.SyntaxKind.ImportKeyword
  return ts.isExternalModuleReference(parent)
}

function isEvalOption(node: ts.PropertyAssignment): boolean {
  const named = ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? node.name.text : undefined
  return named === 'eval' && node.initializer.kind === ts.SyntaxKind.TrueKeyword
}
