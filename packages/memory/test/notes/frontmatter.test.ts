import { expect, test } from 'vitest'
import { editFrontmatter, formatNote, parseNote, readFrontmatter } from '@agentm/memory/notes'

const noteOf = (text: string) => parseNote(text, 'personal/fix/a.md')

test('writes the fields of a new note in the order that older tools check', () => {
  const text = formatNote({
    kind: 'fix',
    created: '2026-01-02',
    tags: ['a', 'b'],
    group: 'personal',
    slug: 'one',
    more: { confidence: 0.9, title: 'Über: alles', nothing: undefined },
    text: 'Body\n\n\n',
  })
  expect(text).toBe(
    '---\nkind: fix\nstatus: active\ncreated: 2026-01-02\nupdated: 2026-01-02\ntags: [a, b]\ngroup: personal\nslug: one\n' +
      "always_load: false\nconfidence: 0.9\ntitle: 'Über: alles'\n---\n\nBody\n",
  )
})

const layouts: [string, string, Partial<ReturnType<typeof parseNote>>][] = [
  ['inline tags', '---\nkind: fix\ntags: [a, b]\n---\n\nx\n', { kind: 'fix', tags: ['a', 'b'] }],
  ['block tags, as a YAML dumper writes them', '---\nkind: fix\ntags:\n- a\n- b\n---\nx', { tags: ['a', 'b'] }],
  [
    'Windows line ends',
    '---\r\nkind: fix\r\nstatus: deleted\r\ncreated: 2026-01-02\r\n---\r\n\r\nx\r\n',
    { status: 'deleted' },
  ],
  ['a byte order mark', '\uFEFF---\nkind: fix\n---\nx', { kind: 'fix' }],
  [
    'an unquoted colon, which YAML refuses',
    '---\nkind: fix\nsupersedes: a: b\n---\nx',
    { kind: 'fix', supersedes: 'a: b' },
  ],
  [
    'an archived version',
    '---\nstatus: superseded\nsuperseded_by: x\nsuperseded_reason: y\n---\nx',
    { status: 'superseded' },
  ],
  ['a numeric slug', '---\nslug: 007\n---\nx', { slug: '007' }],
  ['no fields at all', '# A heading\n\nx', { kind: 'fix', status: 'active', slug: 'a', title: 'A heading' }],
  ['fields between braces', '---\n{kind: idea, tags: [a]}\n---\nx', { kind: 'idea', tags: ['a'] }],
  ['a fence that never closes', '---\nkind: fix\n\nx', { kind: 'fix', status: 'active', body: '---\nkind: fix\n\nx' }],
  ['an inbox candidate', '---\nkind: idea\nstatus: inbox\nslug: q\nmining_occurrences: 2\n---\nx', { status: 'inbox' }],
  ['duplicate fields: the last one counts', '---\nkind: a\nkind: b\n---\nx', { kind: 'b' }],
  ['names of built-in properties', '---\n__proto__: x\nconstructor: y\nkind: fix\n---\nx', { kind: 'fix' }],
]
test.each(layouts)('reads %s', (_, text, expected) => {
  expect(noteOf(text)).toMatchObject(expected)
})

test('takes what the fields do not say from the place', () => {
  expect(parseNote('', 'projects/acme/decisions/use-http2.md')).toMatchObject({
    kind: 'decisions',
    section: 'decisions',
    partition: 'acme',
    title: 'use http2',
  })
  expect(parseNote('x', 'personal-projects/acme/_index.md')).toMatchObject({ kind: '_index', partition: 'acme' })
  expect(parseNote('x', 'desk/projects/acme/a.md').partition).toBe('acme')
  expect(parseNote('x', 'projects/a.md').partition).toBe('_global')
  expect(parseNote('x', 'personal/_always-load/a.md')).toMatchObject({ alwaysLoad: true, partition: '_global' })
})

const created = (value: string) => noteOf(`---\ncreated: ${value}\n---\nx`).createdAt

test('reads times the same way on every machine', () => {
  expect(created('2026-01-02')).toBe(Date.UTC(2026, 0, 2))
  expect(created('2026-01-02 03:04:05')).toBe(Date.UTC(2026, 0, 2, 3, 4, 5))
  expect(created('2026-01-02T03:04:05+02:00')).toBe(Date.UTC(2026, 0, 2, 1, 4, 5))
  expect(created('someday')).toBe(0)
})

const odd =
  '\uFEFF---\r\n# mine\r\nkind:   fix   # keep me\r\nx-note: >-\r\n  folded\r\n  text\r\nstatus: active # was draft\r\n' +
  "nested:\r\n  deep: [1, 2]\r\ntags:\r\n- a\r\n- b\r\nquoted: 'a ''b'''\r\n---\r\n\r\nBody  \r\n\ttab\r\n\r\n"

test('changes one field and leaves every other byte as it was', () => {
  const edited = editFrontmatter(odd, { status: 'deleted', deleted_at: '2026-01-02T03:04:05Z' })
  expect(edited).toBe(
    odd
      .replace('status: active # was draft', 'status: deleted # was draft')
      .replace("'a ''b'''\r\n", "'a ''b'''\r\ndeleted_at: 2026-01-02T03:04:05Z\r\n"),
  )
})

test('replaces values that span lines, and removes fields whole', () => {
  const edited = editFrontmatter(odd, { 'x-note': 'short', tags: ['c'], nested: undefined })
  expect(edited).toBe(
    odd
      .replace('x-note: >-\r\n  folded\r\n  text\r\n', 'x-note: short\r\n')
      .replace('tags:\r\n- a\r\n- b\r\n', 'tags: [c]\r\n')
      .replace('nested:\r\n  deep: [1, 2]\r\n', ''),
  )
  expect(readFrontmatter(edited).problem).toBeUndefined()
})

test.each([
  ['an empty value', '---\nstatus:\nkind: fix\n---\nx', '---\nstatus: deleted\nkind: fix\n---\nx'],
  ['lines YAML refuses', '---\nstatus: a: b\nkind: fix\n---\nx', '---\nstatus: deleted\nkind: fix\n---\nx'],
  ['braces', '---\n{status: active, kind: fix}\n---\nx', '---\nstatus: deleted\nkind: fix\n---\nx'],
  ['no block', '# Title\n', '---\nstatus: deleted\n---\n# Title\n'],
  ['an empty block', '---\n---\nx', '---\nstatus: deleted\n---\nx'],
  ['no line end after the block', '---\nkind: fix\n---', '---\nkind: fix\nstatus: deleted\n---'],
])('edits %s', (_, text, expected) => {
  const edited = editFrontmatter(text, { status: 'deleted' })
  expect(readFrontmatter(edited).fields.get('status')).toBe('deleted')
  expect(edited).toBe(expected)
})

test('writes values so that they come back, whatever they hold', () => {
  const values = [
    'yes',
    'null',
    '1e3',
    '- x',
    '# x',
    "it's",
    '"q"',
    'a: b',
    'line\nbreak',
    ' padded ',
    '',
    '[x]',
    '日本',
    '2026-01-02',
  ]
  for (const value of values) {
    const { fields, problem } = readFrontmatter(editFrontmatter('---\na: 1\n---\nx', { v: value, list: [value, 'z'] }))
    expect(problem).toBeUndefined()
    expect([fields.get('v'), fields.get('list')]).toEqual([value, [value, 'z']])
  }
})

test('survives a bomb of aliases', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((c, i) => `${c}: &${c} [*${'abcdefg'[i]},*${'abcdefg'[i]}]`),
  ]
  expect(noteOf(`---\n${bomb.join('\n')}\nkind: fix\n---\nx`).kind).toBe('fix')
})
