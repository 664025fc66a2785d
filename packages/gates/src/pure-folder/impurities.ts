/** The impurities of one file: clocks, randomness, waiting, the machine's time zone and language, and platform access. */
import { ts } from 'ts-morph'
import { isGlobalUse } from '../syntax/global-name.ts'
import { literalText } from '../syntax/literal-text.ts'
import { walk } from '../syntax/walk.ts'

export interface Impurity {
  readonly rule: 'clock' | 'zone' | 'random' | 'async' | 'io'
  readonly node: ts.Node
  readonly what: string
}

/** With `strictTypes`, a promise is refused even if only a type names it. */
export function impuritiesOf(source: ts.SourceFile, { strictTypes }: { readonly strictTypes: boolean }): Impurity[] {
  const found: Impurity[] = []
  walk(source, (node) => {
    const impurity = impurityOf(node, strictTypes)
    if (impurity !== undefined) found.push({ node, ...impurity })
  })
  return found
}

type Named = Omit<Impurity, 'node'>

function impurityOf(node: ts.Node, strictTypes: boolean): Named | undefined {
  if (ts.isIdentifier(node)) return isGlobalUse(node) ? globalUse(node) : typeUse(node, strictTypes)
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return { rule: 'async', what: 'an async function' }
  if (ts.isAwaitExpression(node)) return { rule: 'async', what: 'await' }
  if (ts.isForOfStatement(node) && node.awaitModifier !== undefined) return { rule: 'async', what: 'for await' }
  if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword)
    return { rule: 'io', what: 'import.meta' }
  if (ts.isVariableDeclarationList(node) && isAwaitUsing(node)) return { rule: 'async', what: 'await using' }
  const member = memberName(node)
  if (member !== undefined && zoned.has(member)) return { rule: 'zone', what: member }
  if (!ts.isCallExpression(node)) return undefined
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword) return { rule: 'async', what: 'import()' }
  const called = memberName(node.expression)
  if (called === 'constructor') return { rule: 'io', what: 'a call of .constructor, which makes code from text' }
  return called !== undefined && localized.has(called) && namesNoLanguage(node, called)
    ? { rule: 'zone', what: `${called} without a language` }
    : undefined
}

/** Date members that depend on the machine's time zone. Nothing else common has these names. */
const zoned = new Set(
  (
    'getFullYear getMonth getDate getDay getHours getMinutes getSeconds getTimezoneOffset getYear setFullYear setMonth ' +
    'setDate setHours setMinutes setSeconds toDateString toTimeString toLocaleDateString toLocaleTimeString'
  ).split(' '),
)

/** Methods that depend on the machine's language, unless a language is given. */
const localized = new Set(['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase'])

function namesNoLanguage({ arguments: given }: ts.CallExpression, called: string): boolean {
  const language = given[called === 'localeCompare' ? 1 : 0]
  return language === undefined || (ts.isIdentifier(language) && language.text === 'undefined')
}

function isAwaitUsing(node: ts.VariableDeclarationList): boolean {
  const { AwaitUsing }: { readonly AwaitUsing: number } = ts.NodeFlags
  return (node.flags & AwaitUsing) === AwaitUsing
}

function typeUse(node: ts.Identifier, strictTypes: boolean): Named | undefined {
  const named = node.text === 'Promise' || node.text === 'PromiseLike'
  return strictTypes && named && ts.isTypeReferenceNode(node.parent) ? { rule: 'async', what: node.text } : undefined
}

const outside = new Set(
  (
    'process globalThis global window self navigator console fetch XMLHttpRequest WebSocket EventSource Worker ' +
    'SharedWorker MessageChannel BroadcastChannel localStorage sessionStorage indexedDB require module exports ' +
    '__dirname __filename eval Function Atomics WeakRef FinalizationRegistry alert prompt document'
  ).split(' '),
)
const waiting = new Set('Promise setTimeout setInterval setImmediate queueMicrotask requestAnimationFrame'.split(' '))
const clocks = new Set(['performance', 'Temporal'])

function globalUse(node: ts.Identifier): Named | undefined {
  const { text } = node
  if (text === 'Date') return dateUse(node)
  if (text === 'Math') return mathUse(node)
  if (text === 'Intl') return intlUse(node)
  if (text === 'Reflect') return undefined
  if (text === 'crypto') return { rule: 'random', what: 'crypto' }
  if (clocks.has(text)) return { rule: 'clock', what: text }
  if (waiting.has(text)) return { rule: 'async', what: text }
  if (text === 'Array' && memberName(node.parent) === 'fromAsync') return { rule: 'async', what: 'Array.fromAsync' }
  return outside.has(text) ? { rule: 'io', what: text } : undefined
}

/** A date made from a value is data. Every other use of `Date` may read the clock. */
function dateUse(node: ts.Identifier): Named | undefined {
  const { parent } = node
  const called = ts.isCallExpression(parent) && parent.expression === node
  if (called) return { rule: 'clock', what: 'Date()' }
  if (ts.isNewExpression(parent) && parent.expression === node) {
    const [first] = parent.arguments ?? []
    if (first === undefined) return { rule: 'clock', what: 'new Date()' }
    if (ts.isSpreadElement(first)) return { rule: 'clock', what: 'new Date(...), which may get nothing' }
    return parent.arguments?.[1] === undefined
      ? undefined
      : { rule: 'zone', what: 'new Date(year, month, …), a day in the zone of this machine' }
  }
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) return undefined
  const member = memberName(parent)
  if (member === 'UTC' || member === 'parse' || member === 'prototype') return undefined
  return { rule: 'clock', what: member === undefined ? 'Date as a value' : `Date.${member}` }
}

function mathUse(node: ts.Identifier): Named | undefined {
  const member = memberName(node.parent)
  if (member === undefined) return { rule: 'random', what: 'Math as a value, which holds Math.random' }
  return member === 'random' ? { rule: 'random', what: 'Math.random' } : undefined
}

/** A formatter without a date formats the current time, in the machine's language and time zone. */
function intlUse(node: ts.Identifier): Named | undefined {
  const member = memberName(node.parent)
  if (member === undefined) return { rule: 'clock', what: 'Intl as a value, which holds Intl.DateTimeFormat' }
  return member === 'DateTimeFormat' ? { rule: 'clock', what: 'Intl.DateTimeFormat' } : undefined
}

function memberName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  return ts.isElementAccessExpression(node) ? literalText(node.argumentExpression) : undefined
}
