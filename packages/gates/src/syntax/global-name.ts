/**
 * Whether an identifier refers to the platform's global of that name. It does not if the file declares the name in an enclosing scope. A
 * `declare` statement hides nothing, because it only states a type.
 */
import { ts } from 'ts-morph'
import { walk } from './walk.ts'

export function isGlobalUse(node: ts.Identifier): boolean {
  return isReference(node) && !isDeclaredAround(node)
}

/** A use of the name as a value, not a declaration, a property, a label or a type. */
export function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isExportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return false
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false
  if ((parent as { readonly name?: ts.Node }).name === node) return false
  if (ts.isExpressionWithTypeArguments(parent)) return isExtended(parent)
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent) || ts.isTypeParameterDeclaration(parent)) return false
  return !(ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent) || ts.isMetaProperty(parent))
}

function isExtended(node: ts.ExpressionWithTypeArguments): boolean {
  return ts.isHeritageClause(node.parent) && node.parent.token === ts.SyntaxKind.ExtendsKeyword
}

const memo = new WeakMap<ts.Node, ReadonlySet<string>>()

function isDeclaredAround(node: ts.Identifier): boolean {
  for (let scope: ts.Node | undefined = node.parent; scope !== undefined; scope = scope.parent)
    if (isScope(scope) && namesIn(scope).has(node.text)) return true
  return false
}

function isScope(node: ts.Node): boolean {
  return (
    ts.isSourceFile(node) ||
    ts.isFunctionLike(node) ||
    ts.isBlock(node) ||
    ts.isModuleBlock(node) ||
    ts.isClassLike(node) ||
    ts.isCatchClause(node) ||
    ts.isCaseBlock(node) ||
    ts.isIterationStatement(node, false)
  )
}

function namesIn(scope: ts.Node): ReadonlySet<string> {
  const known = memo.get(scope)
  if (known !== undefined) return known
  const names = new Set<string>()
  collect(scope, scope, names)
  memo.set(scope, names)
  return names
}

function collect(node: ts.Node, scope: ts.Node, names: Set<string>): void {
  ts.forEachChild(node, (child) => {
    for (const name of declaredBy(child)) names.add(name)
    if (!isScope(child) && !isAmbient(child)) collect(child, scope, names)
  })
  if (node === scope && (ts.isFunctionExpression(node) || ts.isClassExpression(node)) && node.name !== undefined)
    names.add(node.name.text)
}

function declaredBy(node: ts.Node): readonly string[] {
  if (isAmbient(node)) return []
  if (ts.isVariableDeclaration(node) || ts.isParameter(node)) return boundNames(node.name)
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isEnumDeclaration(node))
    return node.name === undefined ? [] : [node.name.text]
  if (ts.isImportSpecifier(node) || ts.isNamespaceImport(node) || ts.isImportEqualsDeclaration(node))
    return [node.name.text]
  return ts.isImportClause(node) && node.name !== undefined ? [node.name.text] : []
}

function isAmbient(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)
  )
}

function boundNames(name: ts.BindingName): readonly string[] {
  const found: string[] = []
  walk(name, (node) => {
    if (ts.isIdentifier(node) && (node === name || (ts.isBindingElement(node.parent) && node.parent.name === node)))
      found.push(node.text)
  })
  return found
}
