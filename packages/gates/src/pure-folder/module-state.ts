/**
 * State that a module keeps between calls: a variable of the file, or a container that a function changes. A result that depends on it
 * depends on the order of calls.
 */
import { ts } from 'ts-morph'
import { walk } from '../syntax/walk.ts'

export interface ModuleState {
  readonly node: ts.Node
  readonly name: string
}

export function moduleState(source: ts.SourceFile): ModuleState[] {
  const lists = source.statements.filter(
    (each): each is ts.VariableStatement => ts.isVariableStatement(each) && !isAmbient(each),
  )
  const declared = lists.flatMap(({ declarationList }) =>
    declarationList.declarations.flatMap((each) =>
      namesOf(each.name).map((node) => ({ node, isConst: (declarationList.flags & ts.NodeFlags.Const) !== 0 })),
    ),
  )
  const changed = changedInFunctions(source)
  return declared
    .filter(({ node, isConst }) => !isConst || changed.has(node.text))
    .map(({ node }) => ({ node, name: node.text }))
}

/** Names of the file that a function changes: by a mutating method, an assignment or a delete. */
function changedInFunctions(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  walk(source, (node) => {
    const owner = changedOwner(node)
    if (owner !== undefined && isInFunction(owner) && !isShadowed(owner)) names.add(owner.text)
  })
  return names
}

const changing = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin append'.split(' '),
)

function changedOwner(node: ts.Node): ts.Identifier | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return changing.has(node.expression.name.text) ? rootOf(node.expression.expression) : assigned(node)
  if (ts.isDeleteExpression(node)) return memberRoot(node.expression)
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return memberRoot(node.left)
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken
      ? memberRoot(node.operand)
      : undefined
  return undefined
}

/** `Object.assign(kept, …)` and similar functions change their first argument. */
function assigned(node: ts.CallExpression): ts.Identifier | undefined {
  const call = node.expression
  if (!ts.isPropertyAccessExpression(call) || !ts.isIdentifier(call.expression)) return undefined
  const changes = /^(?:assign|defineProperty|defineProperties|set|deleteProperty)$/.test(call.name.text)
  const [first] = node.arguments
  if (!changes || !/^(?:Object|Reflect)$/.test(call.expression.text) || first === undefined) return undefined
  return rootOf(first)
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

function memberRoot(node: ts.Node): ts.Identifier | undefined {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ? rootOf(node) : undefined
}

function rootOf(node: ts.Node): ts.Identifier | undefined {
  if (ts.isIdentifier(node)) return node
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return rootOf(node.expression)
  return ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node) ? rootOf(node.expression) : undefined
}

function isInFunction(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent)
    if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) return true
  return false
}

/** Whether the name is declared again in an inner scope; then that variable is changed. */
function isShadowed(node: ts.Identifier): boolean {
  for (let at: ts.Node | undefined = node.parent; at !== undefined && !ts.isSourceFile(at); at = at.parent)
    if ((ts.isBlock(at) || ts.isFunctionLike(at) || ts.isIterationStatement(at, false)) && declares(at, node.text))
      return true
  return false
}

function declares(scope: ts.Node, name: string): boolean {
  const lists: ts.NamedDeclaration[] = []
  if (ts.isFunctionLike(scope)) lists.push(...scope.parameters)
  const add = (list: ts.Node | undefined): void => {
    if (list !== undefined && ts.isVariableDeclarationList(list)) lists.push(...list.declarations)
  }
  if (ts.isBlock(scope))
    for (const each of scope.statements) {
      if (ts.isVariableStatement(each)) add(each.declarationList)
      if (ts.isFunctionDeclaration(each) || ts.isClassDeclaration(each)) lists.push(each)
    }
  if (ts.isForStatement(scope) || ts.isForOfStatement(scope) || ts.isForInStatement(scope)) add(scope.initializer)
  return lists.some(
    (each) => each.name !== undefined && namesOf(each.name as ts.BindingName).some(({ text }) => text === name),
  )
}

function namesOf(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name]
  return name.elements.flatMap((each) => (ts.isBindingElement(each) ? namesOf(each.name) : []))
}

function isAmbient(node: ts.VariableStatement): boolean {
  return (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)
}
