import { readFrontmatter } from '@agentm/memory/notes'
import { describe, expect, it } from 'vitest'
import { conversationText, mostOfConversation, mostOfMessage } from '../src/imports/pure/conversation-note.ts'
import { isExportedKey } from '../src/imports/pure/exported-key.ts'
import { isOfProject } from '../src/imports/pure/is-of-project.ts'
import { timeIn } from '../src/imports/pure/json-fields.ts'
import { jsonFormat } from '../src/imports/pure/json-format.ts'
import { linkSlugs } from '../src/imports/pure/link-slugs.ts'
import { relinked } from '../src/imports/pure/relinked.ts'
import { ruleEntries } from '../src/imports/pure/rule-entries.ts'

const slugs = linkSlugs([{ path: 'My Note.md' }, { path: 'a/Index.md' }, { path: 'b/Index.md', names: ['Über uns'] }])

describe('links', () => {
  it.each([
    ['[[My Note]]', '[[my-note|My Note]]'],
    ['[[my note|shown]]', '[[my-note|shown]]'],
    ['[[My Note#Part]]', '[[my-note#Part|My Note]]'],
    ['![[My Note]]', '![[my-note|My Note]]'],
    ['[[b/Index]]', '[[b-index|b/Index]]'],
    ['[[Über uns]]', '[[b-index|Über uns]]'],
    ['[x](./My%20Note.md#part)', '[x](my-note.md#part)'],
    ['[x](../a/Index.md)', '[x](index.md)'],
    ['[[Elsewhere]] [x](https://example.com/Index.md)', '[[Elsewhere]] [x](https://example.com/Index.md)'],
  ])('%s becomes %s', (text, expected) => {
    expect(relinked(text, slugs)).toBe(expected)
  })
})

describe('hostile texts', () => {
  const size = 300_000
  it.each([
    '['.repeat(size),
    '[[a#'.repeat(size / 4),
    '[[a|'.repeat(size / 4),
    `[[${'a'.repeat(size)}`,
    '](a'.repeat(size / 3),
    `# a${'#'.repeat(size)}b`,
    `${'/'.repeat(size)}x`,
  ])('take no longer than others', (text) => {
    const before = process.cpuUsage()
    relinked(text, slugs)
    ruleEntries({ source: 's', path: 'CLAUDE.md', frontmatter: readFrontmatter(text), changedAt: 0 })
    isOfProject({ project: text }, 'acme')
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1500)
  })
})

describe('a conversation', () => {
  it('is cut at its limits, and never within a character', () => {
    const said = Array.from({ length: 40 }, () => ({ by: 'You', text: `${'a'.repeat(mostOfMessage - 1)}🙂b` }))
    const text = conversationText('T', said) ?? ''
    expect(text.isWellFormed()).toBe(true)
    expect(text.length).toBeLessThan(mostOfConversation + mostOfMessage)
    expect(text).toMatch(/\(\d+ more messages were not imported\.\)$/)
    expect(conversationText('T', [{ by: 'You', text: ' ' }])).toBeUndefined()
  })
})

it('times are seconds, milliseconds or dates', () => {
  const at = Date.UTC(2026, 0, 5, 9)
  for (const value of [at, at / 1000, '2026-01-05T09:00:00Z', '2026-01-05T10:00:00+01:00'])
    expect(timeIn({ t: value }, 't')).toBe(at)
  for (const value of [null, 'soon', 1e300, {}, undefined]) expect(timeIn({ t: value }, 't')).toBeUndefined()
})

it('a JSON value is recognised by the fields that only its program writes', () => {
  expect(jsonFormat({ results: [{ id: 'a', memory: 'x' }] })).toBe('mem0')
  expect(jsonFormat({ memories: [{ id: 'a', content: 'x', state: 'active' }] })).toBe('openmemory')
  expect(jsonFormat({ entities: [], relations: [] })).toBe('server-memory')
  for (const value of [null, 1, 'x', [], {}, { type: 'entity' }, { results: [] }])
    expect(jsonFormat(value)).toBeUndefined()
})

it('a file of an export is a note unless it belongs to a program, a device or a hidden folder', () => {
  for (const key of [
    'personal/note/a.md',
    'personal/_archive/x/a.20260101.md',
    'personal/_inbox/a.md',
    'Mine/_inbox/a.md',
  ])
    expect(isExportedKey(key)).toBe(true)
  for (const key of ['_meta/a.md', 'projects/a/_harness/PLAN.md', '.obsidian/a.md', 'beliefs/d/a.md', 'personal/a.txt'])
    expect(isExportedKey(key)).toBe(false)
})
