// @ts-check
/** Facts that look alike and are not: each differs from another in one number, name, date or "not". From a seed. */
import { randomFrom } from './eval/recall/random-from.mjs'

/** @typedef {'number' | 'name' | 'date' | 'negation'} Kind */
/** @typedef {{ readonly a: number, readonly b: number, readonly by: Kind }} Apart positions of two facts, and what tells them apart */

/** @type {readonly ((name: string, number: string, date: string, not: string) => string)[]} */
const frames = [
  (name, number, date, not) => `${name} does${not} restart the cache after ${number} minutes since ${date}.`,
  (name, number, date, not) => `The ${name} service was${not} moved to port ${number} on ${date}.`,
  (name, number, date, not) => `On ${date} the team decided that ${name} should${not} keep ${number} backups.`,
  (name, number, date, not) => `Deploys of ${name} are${not} frozen for ${number} hours from ${date}.`,
  (name, number, date, not) => `${name} has${not} passed review ${number} of the audit on ${date}.`,
]
const names = ['Alice', 'Bob', 'Berlin', 'Paris', 'Kestrel', 'Osprey', 'Redis', 'Kafka', 'billing-api', 'search_api']
const numbers = ['3', '4', '15', '50', '5432', '5433', '0.5', '1.5', 'two', 'seven', '-5', '5']
const dates = ['Monday', 'Friday', '2026-03-01', '2026-03-10', 'March 3', 'April 3', 'summer', 'winter']
/** @type {readonly Kind[]} */
const kinds = ['number', 'name', 'date', 'negation']

/** @param {number} count an even number @param {number} [seed] */
export function nearDuplicates(count, seed = 20260301) {
  const { pick } = randomFrom(seed)
  /** @template T @param {readonly T[]} list @param {T} than @returns {T} */
  const other = (list, than) => pick(list.filter((each) => each !== than))
  /** @type {string[]} */
  const facts = []
  /** @type {Apart[]} */
  const pairs = []
  while (facts.length < count) {
    const [frame, name, number, date] = [pick(frames), pick(names), pick(numbers), pick(dates)]
    const by = kinds[(facts.length / 2) % kinds.length] ?? 'number'
    const a = frame(name, number, date, '')
    const b = frame(
      by === 'name' ? other(names, name) : name,
      by === 'number' ? other(numbers, number) : number,
      by === 'date' ? other(dates, date) : date,
      by === 'negation' ? ' not' : '',
    )
    if (facts.includes(a) || facts.includes(b)) continue
    pairs.push({ a: facts.length, b: facts.length + 1, by })
    facts.push(a, b)
  }
  return { facts, pairs }
}
