/**
 * Walks from a result or property into everything that can be read from it: aliases, promises, arrays, maps, unions, generics, getters,
 * generators, inferred types. Types of this repository are walked into. Of foreign types only the type arguments are.
 */
import { ts } from 'ts-morph'
import { isForeign, type PathCarriers } from './path-carrier.ts'

export interface Step {
  /** The path to this type, such as `resolveProject().projectRoot`. */
  readonly trail: string
  /** The declaration a finding points at. */
  readonly node: ts.Node
  /** Also report text whose name says that it is a path. */
  readonly strict: boolean
  /** Also report `unknown`, because it may hide a path. */
  readonly known?: boolean
  /** Inside a type of a package from npm, whose `any` says nothing about us. */
  readonly foreign?: boolean
}

export interface Leak extends Step {
  readonly what: string
}

export class TypeWalk {
  readonly leaks: Leak[] = []
  readonly #checker: ts.TypeChecker
  readonly #carriers: PathCarriers
  readonly #locator: ts.Type
  /** Declarations that may carry a path. */
  readonly #excused: ReadonlySet<ts.Node>
  readonly #seen = { strict: new Set<ts.Type>(), loose: new Set<ts.Type>() }

  constructor(given: {
    checker: ts.TypeChecker
    carriers: PathCarriers
    locator: ts.Type
    excused: ReadonlySet<ts.Node>
  }) {
    this.#checker = given.checker
    this.#carriers = given.carriers
    this.#locator = given.locator
    this.#excused = given.excused
  }

  visit(type: ts.Type, step: Step): void {
    const carrier = this.#carriers.nameOf(type)
    if (carrier !== undefined) return this.#leak(step, carrier)
    if (type.flags & ts.TypeFlags.Any) return this.#any(type, step)
    if (isUnknown(type) && step.known === true) return this.#leak(step, 'unknown')
    const seen = step.strict ? this.#seen.strict : this.#seen.loose
    if (seen.has(type) || step.trail.length > longestTrail) return
    seen.add(type)
    if (type.isUnionOrIntersection()) for (const part of type.types) this.visit(part, step)
    else if (type.flags & ts.TypeFlags.Object) this.#object(type as ts.ObjectType, step)
    else if (type.flags & ts.TypeFlags.Instantiable) this.#generic(type, step)
    if (isForeign(type.aliasSymbol)) for (const argument of type.aliasTypeArguments ?? []) this.visit(argument, step)
  }

  /** Walks an exported symbol, under its name. */
  root(symbol: ts.Symbol, step: Step, type: ts.Type): void {
    if (!this.#isExcused(symbol)) this.visit(type, step)
  }

  /** Walks a property or method, under its name. */
  property(symbol: ts.Symbol, step: Step): void {
    const declaration = ownDeclaration(symbol)
    if (declaration === undefined && (symbol.declarations ?? []).length > 0) return
    if (isHidden(symbol) || this.#isExcused(symbol)) return
    const here = { ...step, trail: `${step.trail}${memberName(symbol)}`, node: declaration ?? step.node }
    const type = this.#checker.getTypeOfSymbol(symbol)
    if (step.strict && saysPath(symbol.name) && this.#isText(type))
      return this.#leak(here, 'text that its name calls a path')
    this.visit(type, here)
  }

  /** Checks the result of a call, and the arguments of callbacks, because these are results as well. */
  signature(signature: ts.Signature, step: Step): void {
    this.visit(signature.getReturnType(), step)
    for (const parameter of signature.getParameters())
      this.#handedOut(this.#checker.getTypeOfSymbol(parameter), { ...step, trail: `${step.trail} ${parameter.name}` })
  }

  /** Only for a callback that is itself a parameter. A function among options counts as a port that the backend calls. */
  #handedOut(type: ts.Type, step: Step): void {
    for (const part of partsOf(this.#checker.getNonNullableType(type)))
      for (const call of part.getCallSignatures())
        for (const given of call.getParameters())
          this.visit(this.#checker.getTypeOfSymbol(given), { ...step, trail: `${step.trail}(${given.name})` })
  }

  #leak(step: Step, what: string): void {
    if (!this.leaks.some((leak) => leak.node === step.node && leak.what === what)) this.leaks.push({ ...step, what })
  }

  #any(type: ts.Type, step: Step): void {
    if (isUnresolved(type)) this.#leak(step, 'a type that cannot be resolved')
    else if (step.foreign !== true) this.#leak(step, 'any')
  }

  #isExcused({ declarations = [] }: ts.Symbol): boolean {
    return declarations.some((each) => this.#excused.has(each))
  }

  #object(type: ts.ObjectType, step: Step): void {
    const { symbol } = type
    const named = symbol !== undefined && (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) !== 0
    if (this.#checker.isTupleType(type) || (named && isForeign(symbol))) return this.#arguments(type, step)
    if (named) this.#bases(type, step)
    for (const signature of type.getCallSignatures()) this.signature(signature, { ...step, trail: `${step.trail}()` })
    for (const signature of type.getConstructSignatures()) this.signature(signature, step)
    for (const { type: value } of this.#checker.getIndexInfosOfType(type))
      this.visit(value, { ...step, trail: `${step.trail}[]` })
    for (const property of this.#checker.getPropertiesOfType(type)) this.property(property, step)
  }

  /** Walks into the type arguments of a foreign type. Iterators get `any` or `unknown` for arguments that were not given. */
  #arguments(type: ts.ObjectType, step: Step): void {
    const ending = /(?:Iterator|Iterable|Generator|IteratorObject)$/.test(type.symbol?.name ?? '')
    const foreign = step.foreign === true || isFromNpm(type.symbol)
    for (const [i, argument] of argumentsOf(this.#checker, type).entries())
      if (i === 0 || !ending || !(argument.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)))
        this.visit(argument, { ...step, foreign })
  }

  /** Checks the base types: a type of this repository may extend a foreign path type, or a locator with more than its key. */
  #bases(type: ts.ObjectType, step: Step): void {
    const bases = type.isClassOrInterface() ? this.#checker.getBaseTypes(type) : []
    for (const base of bases) {
      const carrier = this.#carriers.nameOf(base)
      if (carrier !== undefined) this.#leak(step, carrier)
      if (base.symbol === this.#locator.symbol) this.#locatorMembers(type, step)
    }
  }

  #locatorMembers(type: ts.ObjectType, step: Step): void {
    const added = this.#checker
      .getPropertiesOfType(type)
      .filter(({ name }) => this.#checker.getPropertyOfType(this.#locator, name) === undefined)
    for (const { name } of added) this.#leak(step, `a ${type.symbol.name}, a locator that also carries ${name}`)
  }

  #generic(type: ts.Type, step: Step): void {
    if (type.flags & ts.TypeFlags.Conditional) {
      const { root } = type as ts.ConditionalType
      for (const branch of [root.node.trueType, root.node.falseType])
        this.visit(this.#checker.getTypeFromTypeNode(branch), step)
    }
    const constraint = this.#checker.getBaseConstraintOfType(type)
    if (constraint !== undefined && constraint !== type) this.visit(constraint, step)
    const standard = this.#checker.getDefaultFromTypeParameter(type)
    if (standard !== undefined) this.visit(standard, step)
  }

  /** Whether the type is text, or a function that returns text, optional or in a promise. */
  #isText(type: ts.Type): boolean {
    const plain = this.#checker.getNonNullableType(this.#checker.getAwaitedType(type) ?? type)
    if (plain.flags & ts.TypeFlags.StringLike) return !plain.isStringLiteral()
    const [call] = plain.getCallSignatures()
    const result = call === undefined ? undefined : this.#checker.getAwaitedType(call.getReturnType())
    return result !== undefined && (this.#checker.getNonNullableType(result).flags & ts.TypeFlags.String) !== 0
  }
}

function isUnknown({ flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.Unknown) !== 0
}

/** A member under a symbol has a name that only the checker reads. */
function memberName({ name }: ts.Symbol): string {
  const symbol = /^__@(.+)@\d+$/.exec(name)?.[1]
  return symbol === undefined ? `.${name}` : `[${symbol}]`
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type]
}

/** Ends the walk of a type that grows endlessly. */
const longestTrail = 400

export function isHidden(symbol: ts.Symbol): boolean {
  if (symbol.name.startsWith('#') || symbol.name === 'prototype') return true
  return (symbol.declarations ?? []).some(
    (each) => (ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Private) !== 0,
  )
}

export function ownDeclaration(symbol: ts.Symbol): ts.Declaration | undefined {
  return symbol.declarations?.find((each) => !each.getSourceFile().fileName.includes('/node_modules/'))
}

function argumentsOf(checker: ts.TypeChecker, type: ts.ObjectType): readonly ts.Type[] {
  return type.objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type as ts.TypeReference) : []
}

/** Declared by a package that is neither TypeScript nor Node. */
function isFromNpm(symbol: ts.Symbol | undefined): boolean {
  const [declaration] = symbol?.declarations ?? []
  const file = declaration?.getSourceFile().fileName ?? ''
  return file.includes('/node_modules/') && !/\/(?:@types\/node|typescript)\//.test(file)
}

function isUnresolved(type: ts.Type): boolean {
  return (type as { readonly intrinsicName?: string }).intrinsicName === 'error'
}

function saysPath(name: string): boolean {
  return /^path(?![a-z])|Path(?![a-z])|^(?:root|rootDir|dir|directory|folder|cwd|dirname|filename|realpath|absolute)$/.test(
    name,
  )
}
