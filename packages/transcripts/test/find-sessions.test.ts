import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findSessions, sourceOfFile, type TranscriptFiles } from '@agentm/transcripts'

async function home(...files: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'transcripts-home-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [index, file] of files.entries()) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), '{}\n')
    await utimes(join(root, file), 1000 + index, 1000 + index)
  }
  return root
}

const names = (found: Awaited<ReturnType<typeof findSessions>>) => found.sessions.map(({ source }) => source)

it('finds the sessions of every host below the home directory, newest first', async () => {
  const root = await home(
    '.claude/projects/-work/a.jsonl',
    '.claude/projects/-work/a/subagents/agent-1.jsonl',
    '.claude/projects/-work/a/subagents/agent-1.meta.json',
    '.claude/history.jsonl',
    '.codex/sessions/2026/11/19/rollout-2026-11-19T10-00-00-c1.jsonl',
    '.codex/archived_sessions/rollout-2025-01-01T10-00-00-c0_r1.jsonl',
    '.codex/history.jsonl',
    '.gemini/tmp/shop/chats/session-2026-11-19T10-00-aaaa.jsonl',
    '.gemini/tmp/shop/logs.json',
    '.local/share/opencode/storage/session/p1/ses_1.json',
  )
  const found = await findSessions({ home: root, env: {} })
  expect(found.unreadable).toEqual([])
  expect(found.sessions).toMatchObject([
    { host: 'opencode', source: 'storage/session/p1/ses_1.json', session: 'ses_1', changedAt: 1_009_000, bytes: 3 },
    { host: 'gemini', source: 'tmp/shop/chats/session-2026-11-19T10-00-aaaa.jsonl' },
    { host: 'codex', source: 'archived_sessions/rollout-2025-01-01T10-00-00-c0_r1.jsonl', session: 'c0' },
    { host: 'codex', source: 'sessions/2026/11/19/rollout-2026-11-19T10-00-00-c1.jsonl', session: 'c1' },
    { host: 'claude-code', source: 'projects/-work/a/subagents/agent-1.jsonl', session: 'a', agent: '1' },
    { host: 'claude-code', source: 'projects/-work/a.jsonl', session: 'a' },
  ])
})

it('looks where the environment variables of the hosts say that their data is', async () => {
  const root = await home(
    'claude/projects/-work/a.jsonl',
    'codex/sessions/2026/11/19/rollout-2026-11-19T10-00-00-c1.jsonl',
    'gemini/.gemini/tmp/shop/chats/session-1.jsonl',
    'data/opencode/storage/session/p1/ses_1.json',
  )
  const env = {
    CLAUDE_CONFIG_DIR: join(root, 'claude'),
    CODEX_HOME: join(root, 'codex'),
    GEMINI_CLI_HOME: join(root, 'gemini'),
    XDG_DATA_HOME: join(root, 'data'),
  }
  expect(names(await findSessions({ home: '/nowhere', env }))).toHaveLength(4)
  expect(names(await findSessions({ home: '/nowhere', env: { CODEX_HOME: ' ' } }))).toEqual([])
})

it('gives only what was written since a time', async () => {
  const root = await home('.claude/projects/-work/a.jsonl', '.claude/projects/-work/b.jsonl')
  expect(names(await findSessions({ home: root, env: {}, changedSince: 1_001_000 }))).toEqual([
    'projects/-work/b.jsonl',
  ])
})

it('names compressed sessions of Codex instead of dropping them', async () => {
  const rollout = '.codex/sessions/2026/11/19/rollout-2026-11-19T10-00-00-'
  const root = await home(`${rollout}c1.jsonl.zst`, `${rollout}c2.jsonl.zst`, `${rollout}c2.jsonl`)
  const found = await findSessions({ home: root, env: {} })
  expect(names(found)).toEqual(['sessions/2026/11/19/rollout-2026-11-19T10-00-00-c2.jsonl'])
  expect(found.unreadable).toEqual([
    { host: 'codex', source: 'sessions/2026/11/19/rollout-2026-11-19T10-00-00-c1.jsonl.zst', code: 'COMPRESSED' },
  ])
})

it('names a directory that may not be read, and gives the rest', async () => {
  const root = await home('.claude/projects/-work/a.jsonl', '.claude/projects/-secret/b.jsonl')
  const denied = join(root, '.claude', 'projects', '-secret')
  const { nodeFiles } = await import('../src/node-files.ts')
  const files: TranscriptFiles = {
    ...nodeFiles,
    list: (directory) =>
      directory === denied
        ? Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES' }))
        : nodeFiles.list(directory),
  }
  const found = await findSessions({ home: root, env: {}, files })
  expect(names(found)).toEqual(['projects/-work/a.jsonl'])
  expect(found.unreadable).toEqual([{ host: 'claude-code', source: 'projects/-secret', code: 'EACCES' }])
})

it('passes on a programming error', async () => {
  const files: TranscriptFiles = {
    list: () => Promise.reject(new TypeError('a mistake')),
    facts: () => Promise.reject(new TypeError('a mistake')),
    open: () => Promise.reject(new TypeError('a mistake')),
  }
  await expect(findSessions({ home: '/m', env: {}, files })).rejects.toThrow('a mistake')
})

it('names the session of a file that a hook was given, and nothing outside the data directory', () => {
  const where = { home: '/home/me', env: {} }
  expect(sourceOfFile('claude-code', '/home/me/.claude/projects/-work/a/subagents/agent-7.jsonl', where)).toEqual({
    host: 'claude-code',
    source: 'projects/-work/a/subagents/agent-7.jsonl',
    session: 'a',
    agent: '7',
  })
  expect(sourceOfFile('claude-code', '/home/me/other/a.jsonl', where)).toBeUndefined()
  expect(sourceOfFile('claude-code', '/home/me/.claude', where)).toBeUndefined()
  expect(sourceOfFile('plain', '/home/me/a.jsonl', where)).toBeUndefined()
})
