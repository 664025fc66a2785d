/** Checks what a backend exposes: its verbs are exactly those of the seam, and no other member is a path. */
import { ts } from 'ts-morph'
import type { Backend } from './backends.ts'
import { isSameType } from './same-type.ts'
import type { SeamContract } from './seam-contract.ts'
import { isHidden, ownDeclaration, type TypeWalk } from './type-walk.ts'

export interface VerbFault {
  readonly rule: 'verb' | 'parameter'
  readonly node: ts.Node
  readonly message: string
}

export function backendLeaks(given: {
  readonly checker: ts.TypeChecker
  readonly contract: SeamContract
  readonly backend: Backend
  readonly types: TypeWalk
}): VerbFault[] {
  const { checker, contract, backend, types } = given
  const step = { trail: backend.name, node: backend.node, strict: true, known: true }
  const faults = checker.getPropertiesOfType(backend.type).flatMap((member) => {
    const promised = checker.getPropertyOfType(contract.backend, member.name)
    if (promised === member || isHidden(member)) return []
    const calls = promised === undefined ? [] : checker.getTypeOfSymbol(promised).getCallSignatures()
    if (calls.length > 0) return verbFaults(given, member, calls)
    types.property(member, step)
    return []
  })
  for (const member of backend.statics === undefined ? [] : checker.getPropertiesOfType(backend.statics))
    types.property(member, step)
  for (const member of unnamedMembers(checker, backend.node))
    types.visit(checker.getTypeAtLocation(member), { ...step, trail: `${backend.name}[…]`, node: member })
  return faults
}

/** Members whose name is only known while the program runs: the type of a class does not have them. */
function unnamedMembers(checker: ts.TypeChecker, node: ts.Node): readonly ts.ClassElement[] {
  if (!ts.isClassLike(node)) return []
  return node.members.filter(({ name }) => {
    if (name === undefined || !ts.isComputedPropertyName(name)) return false
    const named = ts.TypeFlags.UniqueESSymbol | ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral
    return (checker.getTypeAtLocation(name.expression).flags & named) === 0
  })
}

type Given = Parameters<typeof backendLeaks>[0]

function verbFaults(
  { checker, backend, types }: Given,
  member: ts.Symbol,
  promised: readonly ts.Signature[],
): VerbFault[] {
  const node = ownDeclaration(member) ?? backend.node
  const trail = `${backend.name}.${member.name}`
  const [wanted] = promised
  const calls = checker.getTypeOfSymbol(member).getCallSignatures()
  if (wanted === undefined) return []
  if (calls.length === 0)
    return [
      { rule: 'verb', node, message: `${trail} is not a method, so its answers cannot be known. Write it as one.` },
    ]
  return calls.flatMap((call) => {
    for (const parameter of call.parameters)
      types.visit(checker.getTypeOfSymbol(parameter), { trail: `${trail}(${parameter.name})`, node, strict: false })
    return [...answerFaults({ checker, call, wanted, trail, node }), ...parameterFaults({ call, wanted, trail, node })]
  })
}

interface Call {
  readonly call: ts.Signature
  readonly wanted: ts.Signature
  readonly trail: string
  readonly node: ts.Node
}

function answerFaults({ checker, call, wanted, trail, node }: Call & { checker: ts.TypeChecker }): VerbFault[] {
  const [answer, promise] = [call.getReturnType(), wanted.getReturnType()]
  if (isSameType(checker, answer, promise)) return []
  const [is, shall] = [checker.typeToString(answer), checker.typeToString(promise)]
  const message = `${trail} answers ${is}, not exactly the seam's ${shall}. Write that type down as its result.`
  return [{ rule: 'verb', node, message }]
}

function parameterFaults({ call, wanted, trail, node }: Call): VerbFault[] {
  const extra = call.parameters[wanted.parameters.length]
  if (extra === undefined) return []
  const message = `${trail} takes ${extra.name}, which the seam does not have. A verb takes only what the seam gives it.`
  return [{ rule: 'parameter', node, message }]
}
