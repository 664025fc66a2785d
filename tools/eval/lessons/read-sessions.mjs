// @ts-check
/** The labelled sessions: their entries as a host would have written them, and what is worth learning from each. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * @typedef {{ readonly project: string, readonly session: string, readonly turn: number }} Place
 * @typedef {Place & { readonly kind: string, readonly words: readonly RegExp[], readonly text: string }} Worth
 * @typedef {Place & { readonly why: string, readonly quote: string }} Tempting
 * @typedef {import('../../../packages/transcripts/dist/index.js').TranscriptEvent} TranscriptEvent
 * @typedef {import('../../../packages/transcripts/dist/index.js').TranscriptHost} TranscriptHost
 * @typedef {{ readonly id: string, readonly host: TranscriptHost, readonly startedAt: number, readonly events: readonly TranscriptEvent[] }} Session
 * @typedef {{ readonly name: string, readonly part: 'tuning' | 'kept' | 'fresh', readonly sessions: readonly Session[], readonly worth: readonly Worth[], readonly tempting: readonly Tempting[] }} Project
 */

const folder = path.join(import.meta.dirname, 'sets')

/** @returns {readonly Project[]} */
export function readSessions() {
  const files = readdirSync(folder).filter((file) => file.endsWith('.txt'))
  return files.toSorted().flatMap((file) => {
    const texts = readFileSync(path.join(folder, file), 'utf8').split(/^(?=project )/m)
    return texts.filter((text) => text.startsWith('project ')).map((text) => readProject(text, partOfFile(file)))
  })
}

/** Files that were written after the rules: one was used to mend them afterwards, the other was not. @param {string} file */
function partOfFile(file) {
  return file === 'fresh.txt' ? 'fresh' : file === 'more-tuning.txt' ? 'tuning' : undefined
}

/** @param {string} name */
function halfOf(name) {
  const [digit = '0'] = createHash('sha256').update(name).digest('hex')
  return Number.parseInt(digit, 16) % 2 === 0 ? 'kept' : 'tuning'
}

/** @param {string} text @param {Project['part'] | undefined} part @returns {Project} */
function readProject(text, part) {
  const [head = '', ...sessions] = text.split(/^(?=session )/m)
  const [, name = '', given = ''] = head.trim().split(' ')
  const host = /** @type {TranscriptHost} */ (given)
  const read = sessions.map((session, i) => readSession(session, { name, host, number: i + 1 }))
  return {
    name,
    part: part ?? halfOf(name),
    sessions: read.map(({ session }) => session),
    worth: read.flatMap(({ worth }) => worth),
    tempting: read.flatMap(({ tempting }) => tempting),
  }
}

/** @param {string} text @param {{ name: string, host: TranscriptHost, number: number }} project */
function readSession(text, { name, host, number }) {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const date = head.slice('session '.length).trim()
  const id = `${name}-${number}`
  /** @type {TranscriptEvent[]} */
  const events = []
  /** @type {Worth[]} */
  const worth = []
  /** @type {Tempting[]} */
  const tempting = []
  let turn = 0
  for (const [record, line] of lines.entries()) {
    const [sign, rest] = [line.slice(0, 1), line.slice(2)]
    if (sign === '>') turn += 1
    if (turn === 0) throw new Error(`${id}: the session begins with ${line}`)
    const place = { project: name, session: id, turn }
    const at = Date.parse(`${date}T09:00:00Z`) + turn * 300_000
    if (sign === '+') worth.push({ ...place, ...worthIn(rest) })
    else if (sign === '-') tempting.push({ ...place, ...temptingIn(rest) })
    else if (sign === '|') events.push(continued(events.pop(), rest))
    else events.push(...eventsIn(sign, rest, { host, session: id, record: record + 1, at }))
  }
  return { session: { id, host, startedAt: events[0]?.at ?? 0, events }, worth, tempting }
}

/**
 * What a host would have written.
 * @param {string} sign @param {string} rest @param {{ host: TranscriptHost, session: string, record: number, at: number }} place
 * @returns {TranscriptEvent[]}
 */
function eventsIn(sign, rest, place) {
  if (sign === '>') return [{ ...place, type: 'prompt', text: rest }]
  if (sign === '<') return [{ ...place, type: 'reply', text: rest }]
  const id = `${place.session}-${place.record}`
  const call = { ...place, type: /** @type {const} */ ('call'), id, tool: 'tool', input: null }
  if (sign === 'r') return [{ ...call, use: { does: 'read', files: [rest] } }]
  if (sign === 'w') return [{ ...call, use: { does: 'write', files: [rest] } }]
  if (sign !== '$') throw new Error(`${place.session}: ${sign} ${rest}`)
  const { command, exitCode, text } = commandIn(rest)
  return [
    { ...call, use: { does: 'command', command } },
    { ...place, type: 'result', call: id, text, isError: exitCode !== 0, exitCode },
  ]
}

/** A further line of a prompt. @param {TranscriptEvent | undefined} event @param {string} line @returns {TranscriptEvent} */
function continued(event, line) {
  if (event?.type !== 'prompt') throw new Error(`no prompt is above: ${line}`)
  return { ...event, text: `${event.text}\n${line}` }
}

/** @param {string} text */
function commandIn(text) {
  const [, command = '', code = '0', error = ''] = /^(.*) => (\d+)(?: !! (.*))?$/.exec(text) ?? []
  if (command === '') throw new Error(`no command: ${text}`)
  return { command, exitCode: Number(code), text: error }
}

/** @param {string} text */
function temptingIn(text) {
  const at = text.indexOf(': ')
  return { why: text.slice(0, at), quote: text.slice(at + 2) }
}

/** @param {string} text */
function worthIn(text) {
  const [, kind = '', words = '', statement = ''] = /^(\w+) \[(.+?)\] (.+)$/.exec(text) ?? []
  if (kind === '') throw new Error(`not a label: ${text}`)
  const escaped = words.split(';').map((word) => {
    const plain = word.trim().replaceAll(/[.*+?^${}()[\]\\]/g, String.raw`\$&`)
    return new RegExp(plain, 'iu')
  })
  return { kind, words: escaped, text: statement }
}
