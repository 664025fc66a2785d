/**
 * Each format from a file of it. server-memory.jsonl, mem0.json and claude-mem.db.gz were written by the programs themselves; the others
 * follow the documented form of their exports.
 */
import { describe, expect, it } from 'vitest'
import { ImportWorld } from './import-world.ts'

interface Expected {
  readonly format: string
  readonly source: string
  /** Places of the notes in the project. */
  readonly keys: readonly string[]
  readonly skipped: number
  /** Parts of the text of some notes. */
  readonly says: Readonly<Record<string, readonly string[]>>
}

const expected: readonly Expected[] = [
  {
    format: 'server-memory',
    source: 'server-memory.jsonl',
    keys: ['entity/ada-lovelace', 'entity/billing-service', 'entity/mueller-and-soehne'],
    skipped: 1,
    says: {
      'entity/billing-service': [
        'tags: [service]\n',
        'written_by: agent\n',
        'imported_from: server-memory\n',
        'imported_id: ~/sources/server-memory.jsonl#billing-service\n',
        '- Staging listens on port 5433\n',
        '- bills [[mueller-and-soehne|Müller & Söhne]]\n',
      ],
    },
  },
  {
    format: 'mem0',
    source: 'mem0.json',
    keys: [
      'memory/lives-in-lisbon',
      'memory/prefers-dark-roast-coffee',
      'memory/staging-database-listens-on-port-5433',
    ],
    skipped: 0,
    says: { 'memory/lives-in-lisbon': ['tags: [preferences]\n', 'written_by: agent\n', '\n\nLives in Lisbon\n'] },
  },
  {
    format: 'claude-mem',
    source: 'claude-mem.db',
    keys: [
      'bugfix/jobs-ran-twice-after-a-restart',
      'discovery/queue-polls-every-second',
      'session-summary/move-the-queue-to-postgres',
    ],
    skipped: 0,
    says: {
      'discovery/queue-polls-every-second': [
        'created: 2026-03-04\n',
        'imported_time: 2026-03-04T09:10:11Z\n',
        'imported_id: observation/mem-1/1\n',
        '- One connection per queue\n',
      ],
      'session-summary/move-the-queue-to-postgres': ['## Learned\n\nPolling needs SKIP LOCKED\n'],
    },
  },
  {
    format: 'openmemory',
    source: 'openmemory',
    keys: ['memory/reviews-pull-requests-before-lunch'],
    skipped: 1,
    says: { 'memory/reviews-pull-requests-before-lunch': ['tags: [work-style]\n', 'created: 2026-01-06\n'] },
  },
  {
    format: 'basic-memory',
    source: 'basic-memory',
    keys: ['decision/authentication-approaches', 'note/security-requirements'],
    skipped: 0,
    says: {
      'decision/authentication-approaches': [
        'tags: [security, architecture, stateless, infrastructure]\n',
        '- [approach] Tokens need no session store #stateless (chosen in March)\n',
        '- implements [[security-requirements|Security Requirements]]\n',
        '- affects [[Login Flow]]\n',
      ],
    },
  },
  {
    format: 'markdown',
    source: 'vault',
    keys: ['note/compost', 'note/raised-beds', 'note/tool-shed'],
    skipped: 1,
    says: {
      'note/compost': [
        'aliases: [Compost heap]\n',
        'created: 2026-04-05\n',
        'always_load: false\n',
        'See [[tool-shed#Forks|the forks]] and [the plan](raised-beds.md).\n',
      ],
      'note/raised-beds': ['[[compost|Compost]]'],
    },
  },
  {
    format: 'rules',
    source: 'rules',
    keys: [
      'rule/claude-md',
      'rule/commands',
      'rule/cursorrules',
      'rule/deploys',
      'rule/react-components',
      'rule/style',
      'rule/web-agents-md',
    ],
    skipped: 0,
    says: {
      'rule/commands': ['imported_id: ~/sources/rules/CLAUDE.md#commands\n', '# not a heading\nmake test\n'],
      'rule/react-components': ['Applies to: src/**/*.tsx\n\nComponents are plain functions.\n'],
    },
  },
  {
    format: 'chatgpt',
    source: 'chatgpt',
    keys: ['conversation/rust-lifetimes'],
    skipped: 1,
    says: {
      'conversation/rust-lifetimes': [
        'written_by: agent\n',
        'imported_time: 2026-01-05T09:00:00Z\n',
        '**You:** Why does the borrow checker refuse this loop?\n\n**ChatGPT:** The mutable borrow',
        '**You:** Thanks, that works.\n',
      ],
    },
  },
  {
    format: 'claude',
    source: 'claude',
    keys: [
      'conversation/naming-the-release-branch',
      'document/tone-md-of-website',
      'instruction/instructions-of-website',
      'memory/what-claude-remembers',
      'memory/what-claude-remembers-of-a-project',
    ],
    skipped: 1,
    says: {
      'conversation/naming-the-release-branch': ['**Claude:** Use release/2026-03: it sorts by date.\n'],
      'memory/what-claude-remembers': ['written_by: agent\n'],
    },
  },
]

describe('agentm import', () => {
  it.each(expected)('recognises and imports $format, and a second time adds nothing', async (each) => {
    const world = await ImportWorld.forThisTest()
    const source = await world.source(each.source)
    const preview = await world.import(source)
    expect([preview.format, preview.written, preview.new]).toEqual([each.format, false, each.keys.length])
    expect(await world.notes()).toEqual(new Map())
    const first = await world.import(source, '--write')
    expect(first).toMatchObject({ written: true, new: each.keys.length, changed: 0, unchanged: 0, known: 0 })
    expect(first.skipped.reduce((sum, { count }) => sum + count, 0)).toBe(each.skipped)
    const notes = await world.notes()
    expect(new Set(notes.keys())).toEqual(new Set(each.keys.map((key) => `projects/acme/${key}.md`)))
    for (const [key, parts] of Object.entries(each.says))
      for (const part of parts) expect(notes.get(`projects/acme/${key}.md`)).toContain(part)
    const again = await world.import(source, '--write')
    expect(again).toMatchObject({ new: 0, changed: 0, unchanged: each.keys.length })
    expect(await world.notes()).toEqual(notes)
  })

  it('finds imported notes by their text, and leaves out the answers that were replaced', async () => {
    const world = await ImportWorld.forThisTest()
    await world.import(await world.source('chatgpt'), '--write')
    const found = await world.cli.json(['recall', 'borrow checker mutable iterator'])
    expect(JSON.stringify(found)).toContain('projects/acme/conversation/rust-lifetimes.md')
    expect(JSON.stringify(found)).not.toContain('was regenerated')
  })

  it('names the formats when it recognises none', async () => {
    const world = await ImportWorld.forThisTest()
    const file = await world.cli.file('sources/odd.json', '{"weather": "fine"}')
    const { code, err } = await world.cli.agentm(['import', file])
    expect(code).toBe(2)
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'is not recognised. Name it with --from: server-memory, basic-memory, mem0',
    )
  })

  it('takes from claude-mem only the entries of the project, unless another is named', async () => {
    const world = await ImportWorld.forThisTest()
    await world.cli.file('repo/.git/config', '[remote "origin"]\n\turl = https://github.com/me/other.git\n')
    const source = await world.source('claude-mem.db')
    const report = await world.import(source)
    expect(report).toMatchObject({ new: 0, skipped: [{ count: 3, examples: ['acme'] }] })
    expect(await world.import(source, '--only', 'acme')).toMatchObject({ new: 3 })
    expect(await world.import(source, '--personal')).toMatchObject({ new: 3 })
  })
})
