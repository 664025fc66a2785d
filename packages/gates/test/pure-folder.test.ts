import { beforeAll, describe, expect, it } from 'vitest'
import { findingsIn, manifest } from './repository.ts'

const packages = {
  'packages/a/package.json': manifest('a'),
  'packages/b/package.json': manifest('b'),
  'packages/b/src/index.ts': `export { rank } from './rank.ts'\nexport { save as keep } from './save.ts'\nexport { Far } from './far.ts'`,
  'packages/b/src/rank.ts': `export const rank = (n: number) => n + 1`,
  'packages/b/src/save.ts': `import { writeFile } from 'node:fs/promises'\nexport const save = writeFile`,
  'packages/b/src/far.ts': `import { deep } from './deep.ts'\nexport class Far { x = deep }`,
  'packages/b/src/deep.ts': `export const deep = () => Date.now()`,
}

async function pure(snippets: Readonly<Record<string, string>>) {
  const files = Object.fromEntries(Object.entries(snippets).map(([name, text]) => [`packages/a/src/${name}`, text]))
  return findingsIn({ ...packages, ...files }, {}, ['pure-folder'])
}

const io = 'reaches outside. A file under pure/ only decides; take what it gives as an argument.'
const clock = 'asks the time. A file under pure/ only decides; take the time as an argument.'
const random = 'is chance. A file under pure/ only decides; take the number or id as an argument.'
const zone =
  'answers by the zone or language of this machine. A file under pure/ only decides; use UTC and name the language, or take what it gives as an argument.'
const state =
  'remembers from one call to the next. A file under pure/ only decides; keep it where the deciding is asked for.'
const waits = 'waits. A file under pure/ only decides; do the waiting where it is called.'

const impure: readonly (readonly [way: string, text: string, ...says: string[]])[] = [
  ['Date.now', `export const a = () => Date.now()`, `clock: Date.now ${clock}`],
  ['Date.now by key', `export const a = () => Date['now']()`, `clock: Date.now ${clock}`],
  ['Date.now taken apart', `const { now } = Date\nexport const a = now`, `clock: Date as a value ${clock}`],
  ['an alias of Date', `const D = Date\nexport const a = new D()`, `clock: Date as a value ${clock}`],
  ['new Date', `export const a = () => new Date()`, `clock: new Date() ${clock}`],
  ['new Date without brackets', `export const a = () => new Date`, `clock: new Date() ${clock}`],
  [
    'new Date of a spread',
    `export const a = (n: []) => new Date(...n)`,
    `clock: new Date(...), which may get nothing ${clock}`,
  ],
  ['Date called', `export const a = () => Date()`, `clock: Date() ${clock}`],
  ['performance', `export const a = () => performance.now()`, `clock: performance ${clock}`],
  ['a formatter of now', `export const a = new Intl.DateTimeFormat()`, `clock: Intl.DateTimeFormat ${clock}`],
  ['an hour of the day', `export const a = (d: Date) => d.getHours()`, `zone: getHours ${zone}`],
  ['a day by key', `export const a = (d: Date) => d['getDate']()`, `zone: getDate ${zone}`],
  ['a getter handed on', `export const a = Date.prototype.getDay`, `zone: getDay ${zone}`],
  ['the offset of the zone', `export const a = (d: Date) => d.getTimezoneOffset()`, `zone: getTimezoneOffset ${zone}`],
  ['an hour set', `export const a = (d: Date) => d.setHours(0)`, `zone: setHours ${zone}`],
  ['a day as text', `export const a = (d: Date) => d.toDateString()`, `zone: toDateString ${zone}`],
  [
    'a day made of its parts',
    `export const a = new Date(2020, 1, 1)`,
    `zone: new Date(year, month, …), a day in the zone of this machine ${zone}`,
  ],
  [
    'an order by language',
    `export const a = (x: string, y: string) => x.localeCompare(y)`,
    `zone: localeCompare without a language ${zone}`,
  ],
  [
    'an order by a language that is not said',
    `export const a = (x: string, y: string) => x.localeCompare(y, undefined, { numeric: true })`,
    `zone: localeCompare without a language ${zone}`,
  ],
  [
    'a number as text',
    `export const a = (n: number) => n.toLocaleString()`,
    `zone: toLocaleString without a language ${zone}`,
  ],
  ['a variable', `let n = 0\nexport const a = () => (n += 1)`, `state: n ${state}`],
  ['a variable taken apart', `export let { n, m } = { n: 0, m: 0 }`, `state: n ${state}`, `state: m ${state}`],
  ['an old variable', `var n = 0\nexport const a = () => n++`, `state: n ${state}`],
  [
    'a map that is filled',
    `const seen = new Map<string, number>()\nexport function a(key: string) { seen.set(key, 1) }`,
    `state: seen ${state}`,
  ],
  [
    'a list that grows',
    `const seen: string[] = []\nexport const a = (key: string) => seen.push(key)`,
    `state: seen ${state}`,
  ],
  [
    'an object that is assigned to',
    `const last = { at: 0 }\nexport const a = (at: number) => { last.at = at }`,
    `state: last ${state}`,
  ],
  ['a counter in an object', `const n = { of: 0 }\nexport const a = () => n.of++`, `state: n ${state}`],
  [
    'a deleted key',
    `const known: Record<string, number> = { x: 1 }\nexport const a = (key: string) => delete known[key]`,
    `state: known ${state}`,
  ],
  [
    'a nested container',
    `const by = { key: new Set<string>() }\nexport const a = (key: string) => by.key.add(key)`,
    `state: by ${state}`,
  ],
  [
    'Object.assign',
    `const last = {}\nexport const a = (given: object) => Object.assign(last, given)`,
    `state: last ${state}`,
  ],
  [
    'a neighbour that remembers',
    `import { next } from '../counter.ts'\nexport const a = next`,
    'import: ../counter.ts leads to what is not pure: packages/a/src/counter.ts remembers count from one call to the next. Take what it gives as an argument.',
  ],
  ['Math.random', `export const a = () => Math.random()`, `random: Math.random ${random}`],
  ['Math.random by key', `export const a = () => Math['random']()`, `random: Math.random ${random}`],
  [
    'Math under another name',
    `const m = Math\nexport const a = () => m.random()`,
    `random: Math as a value, which holds Math.random ${random}`,
  ],
  ['crypto', `export const a = () => crypto.randomUUID()`, `random: crypto ${random}`],
  [
    'randomUUID',
    `import { randomUUID } from 'node:crypto'\nexport const a = randomUUID`,
    'import: randomUUID of node:crypto is not computed from its arguments alone. Take what it gives as an argument.',
  ],
  ['async', `export const a = async () => 1`, `async: an async function ${waits}`],
  ['an async generator', `export async function* a() {}`, `async: an async function ${waits}`],
  ['await', `export const a = await 1`, `async: await ${waits}`],
  ['Promise', `export const a = () => Promise.resolve(1)`, `async: Promise ${waits}`],
  ['a promised type', `export type A = () => Promise<number>`, `async: Promise ${waits}`],
  ['a timer', `export const a = () => setTimeout(() => 1, 1)`, `async: setTimeout ${waits}`],
  ['import()', `export const a = () => import('./b.ts')`, `async: import() ${waits}`],
  ['process', `export const a = process.env['HOME']`, `io: process ${io}`],
  ['globalThis', `export const a = globalThis['pro' + 'cess']`, `io: globalThis ${io}`],
  [
    'a claim about process',
    `declare const process: { argv: string[] }\nexport const a = process.argv`,
    `io: process ${io}`,
  ],
  ['console', `export const a = () => console.log(1)`, `io: console ${io}`],
  ['import.meta', `export const a = import.meta.url`, `io: import.meta ${io}`],
  ['Function', `export const a = Function('return this')()`, `io: Function ${io}`],
  [
    'a constructor of code',
    `export const a = (() => 1).constructor('return process')()`,
    `io: a call of .constructor, which makes code from text ${io}`,
  ],
  [
    'fs',
    `import { readFileSync } from 'node:fs'\nexport const a = readFileSync`,
    'import: node:fs does I/O or waits. Take what it gives as an argument.',
  ],
  ['fs without its prefix', `export * from 'fs'`, 'import: fs does I/O or waits. Take what it gives as an argument.'],
  [
    'a whole module that is pure in part',
    `import path from 'node:path'\nexport const a = path.resolve`,
    'import: node:path is taken whole, and only basename, dirname, extname, format, isAbsolute, join, normalize, parse, sep, delimiter of it are pure. Take what it gives as an argument.',
  ],
  [
    'a package from npm',
    `import { z } from 'zod'\nexport const a = z`,
    'import: zod is not known to be pure (pureFolder.packages may name it). Take what it gives as an argument.',
  ],
  [
    'a neighbour that asks the time',
    `import { b } from '../clock.ts'\nexport const a = b`,
    'import: ../clock.ts leads to what is not pure: packages/a/src/clock.ts:2 uses Date.now. Take what it gives as an argument.',
  ],
  [
    'a renamed export of another package',
    `import { keep } from '@acme/b'\nexport const a = keep`,
    'import: @acme/b leads to what is not pure: packages/b/src/save.ts: node:fs/promises does I/O or waits. Take what it gives as an argument.',
  ],
  [
    'an impure file two steps away',
    `import { Far } from '@acme/b'\nexport const a = new Far()`,
    'import: @acme/b leads to what is not pure: packages/b/src/far.ts: ./deep.ts leads to what is not pure: packages/b/src/deep.ts:1 uses Date.now. Take what it gives as an argument.',
  ],
]

const memo = (name: string) => ({ file: 'packages/a/src/pure/a.ts', name, why: 'changes how soon, never what' })

describe('pure-folder', () => {
  let found: Record<string, string[]> = {}
  beforeAll(async () => {
    const snippets = Object.fromEntries(impure.map(([, text], i) => [`pure/v${i}.ts`, text]))
    found = await pure({
      ...snippets,
      'clock.ts': `\nexport const b = () => Date.now()`,
      'counter.ts': `let count = 0\nexport const next = () => (count += 1)`,
    })
  })

  it.each(impure.map(([way, , ...says], i) => ({ way, says, i })))('refuses $way', ({ says, i }) => {
    expect(found[`packages/a/src/pure/v${i}.ts`]).toEqual(says.map((text) => `pure-folder/${text}`))
  })

  it('lets a decision fill what it made itself, hold tables, name a language, and count in UTC', async () => {
    const text = `
      const table = new Map([['a', 1]])
      const digits = new Uint8Array(8)
      for (const [i] of [1, 2].entries()) digits[i] = i
      declare let outside: number
      export function decide(seen: Map<string, number>, at: Date) {
        const found: string[] = []
        found.push('x')
        seen.set('a', table.get('a') ?? digits[0] ?? 0)
        let count = 0
        count += 1
        const table2 = { n: count }
        table2.n = 2
        {
          const table: string[] = []
          table.push('own')
        }
        for (const digits of [new Set<number>()]) digits.add(at.getUTCHours())
        return [found, at.toISOString(), 'a'.localeCompare('b', 'en'), new Date(Date.UTC(2020, 1, 1))]
      }
    `
    expect(await pure({ 'pure/a.ts': text })).toEqual({})
  })

  it('excuses a cache that is named with its reason, and finds the excuse once it excuses nothing', async () => {
    const files = {
      ...packages,
      'packages/a/src/pure/a.ts': `const seen = new Map<string, number>()
export const a = (key: string) => seen.set(key, 1)`,
    }
    const findings = async (name: string) => findingsIn(files, { pureFolder: { memos: [memo(name)] } }, ['pure-folder'])
    expect(await findings('seen')).toEqual({})
    expect(await findings('other')).toEqual({
      'packages/a/src/pure/a.ts': [
        'pure-folder/stale-memo: the exception for other excuses nothing here. Remove it from the configuration.',
        `pure-folder/state: seen ${state}`,
      ],
    })
  })

  it('lets a decision compute, take the time as an argument, and call pure neighbours', async () => {
    const text = `
      import { createHash } from 'node:crypto'
      import type { Stats } from 'node:fs'
      import { type Deep, rank } from '@acme/b'
      import { next } from './next.ts'
      import { Refusal } from '../refusal.ts'
      export function decide(now: Date, process: string, self: { performance: number }, stats: Stats) {
        const later = new Date(now.getTime() + 1000)
        if (!(now instanceof Date)) throw new Refusal(process + self.performance)
        const { Promise = 1 } = { Promise: 2 }
        return { at: Math.max(rank(1), next), on: Date.parse('2020-01-01'), later, Date: 1, name: createHash('sha256') }
      }
      class Timer { process() { return 1 } crypto = 2 }
      export const timer = new Timer().process()
    `
    expect(
      await pure({
        'pure/a.ts': text,
        'pure/next.ts': 'export const next = 1',
        'refusal.ts': 'export class Refusal extends Error {}',
        'clock.ts': 'export const now = () => Date.now()',
      }),
    ).toEqual({})
  })

  it('lets pure code use a package that the configuration names', async () => {
    const files = { ...packages, 'packages/a/src/pure/a.ts': `import { z } from 'zod'\nexport const a = z` }
    expect(await findingsIn(files, { pureFolder: { packages: ['zod'] } }, ['pure-folder'])).toEqual({})
  })
})
