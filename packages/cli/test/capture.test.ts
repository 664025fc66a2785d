import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeClaudeSession, type WrittenTurn } from './claude-sessions.ts'
import { CliWorld } from './cli-world.ts'
import { writeOpencodeSession } from './opencode-sessions.ts'

const fixing: readonly WrittenTurn[] = [
  {
    asked: 'The checkout total is wrong. Fix it.',
    commands: [
      { command: 'npm test', fails: true, output: 'Error: expected 42, got 41' },
      { command: "sed -i 's/41/42/' total.js" },
      { command: 'npm test' },
    ],
    done: 'We will round half up, because the invoices do. The total is right now.',
  },
]

async function withSession(turns: readonly WrittenTurn[] = fixing, { cwd }: { readonly cwd?: string } = {}) {
  const cli = await CliWorld.forThisTest()
  const place = { home: cli.home, cwd: cwd ?? cli.repo, session: 'aaaa-1111' }
  const file = await writeClaudeSession(place, turns)
  return { cli, file, place }
}

describe('agentm capture sessions', () => {
  it('keeps what was asked, done and fixed, so that recall finds it and shows where it stands', async () => {
    const { cli } = await withSession()
    expect((await cli.agentm(['capture', 'sessions'])).out).toBe('1 session read, 1 turn kept.\n')
    expect((await cli.agentm(['capture', 'sessions'])).out).toBe('No session has changed since the last capture.\n')
    const list = await cli.agentm(['sessions'])
    expect(list.out).toContain('«The checkout total is wrong. Fix it.»')
    const { out } = await cli.agentm(['sessions', 'show', 'aaaa'])
    expect(out).toContain('claude-code session aaaa-1111, records 1 to 8')
    expect(out).toContain('fixed «npm test: Error: expected 42, got 41')
    expect(out).toContain('decided «agent: We will round half up, because the invoices do.»')
    const found = await cli.agentm(['recall', 'how did we fix the wrong checkout total'])
    expect(found.out).toContain('a turn of a past session [claude-code]')
  })

  it('reads on where it stopped', async () => {
    const { cli, file, place } = await withSession()
    await cli.agentm(['capture', 'sessions'])
    const before = await readFile(file, 'utf8')
    await writeClaudeSession(place, [...fixing, { asked: 'Thanks. Now deploy.' }])
    const after = await readFile(file, 'utf8')
    expect(after.startsWith(before)).toBe(true)
    await cli.agentm(['capture', 'sessions'])
    const { sessions } = (await cli.json(['sessions'])) as { readonly sessions: readonly object[] }
    expect(sessions).toMatchObject([{ session: 'aaaa-1111', turns: 2, askedLast: 'Thanks. Now deploy.' }])
    await appendFile(file, '{"type":"a-record-of-next-year","sessionId":"aaaa-1111"}\n{"half')
    expect((await cli.agentm(['capture', 'sessions'])).err).toContain('1 records of a kind that this version')
  })

  it('leaves out a directory with .agentm-private, one of capture.exclude, and a session that was made private', async () => {
    const { cli } = await withSession()
    await writeFile(path.join(cli.repo, '.agentm-private'), '')
    expect((await cli.agentm(['capture', 'sessions'])).out).toContain('1 turn private and left out')
    const other = await withSession()
    await mkdir(path.join(other.cli.home, '.claude'), { recursive: true })
    await other.cli.agentm(['config', 'set', 'capture.exclude', '~/repo'])
    expect((await other.cli.agentm(['capture', 'sessions'])).out).toContain('1 turn private and left out')
    const third = await withSession()
    const mark = ['capture', 'sessions', '--host', 'claude-code', '--private', 'aaaa-1111']
    expect((await third.cli.agentm(mark)).out).toContain('1 turn private and left out')
    for (const { cli: each } of [{ cli }, other, third])
      expect((await each.json(['sessions', '--all'])) as object).toMatchObject({ sessions: [] })
  })

  it('keeps no secret', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const { cli } = await withSession([
      {
        asked: `My token is ${secret}`,
        commands: [
          { command: `git push https://me:${secret}@github.com/me/acme`, fails: true, output: `denied: ${secret}` },
        ],
        done: `I used ${secret}.`,
      },
    ])
    await cli.agentm(['capture', 'sessions'])
    const log = await readFile(path.join(cli.home, '.agentm', 'log', 'agentm.db'), 'latin1')
    expect(log).not.toContain(secret)
    expect((await cli.agentm(['sessions', 'show', 'aaaa'])).out).toContain('[redacted: ')
  })

  it('says once what cannot be read, and captures the rest', async () => {
    const { cli } = await withSession()
    await cli.file('.local/share/opencode/opencode.db', 'no database')
    const { code, out, err } = await cli.agentm(['capture', 'sessions'])
    expect([code, out]).toEqual([1, '1 session read, 1 turn kept.\n'])
    expect(err.match(/opencode\.db was not read/g)).toHaveLength(1)
  })

  it('with --follow, goes on until it is stopped', async () => {
    const { cli, place } = await withSession()
    const following = cli.start(['capture', 'sessions', '--follow'])
    await following.said('aaaa-1111.jsonl: 1 turn')
    await writeClaudeSession(place, [...fixing, { asked: 'And now?' }])
    await following.said('aaaa-1111.jsonl: 2 turns')
    expect(await following.kill('SIGINT')).toBe(0)
    expect(following.out).toContain('Stopped.')
  })

  it('refuses a host that it does not know, and --private without its host', async () => {
    const { cli } = await withSession()
    expect(await cli.agentm(['capture', 'sessions', '--host', 'emacs'])).toMatchObject({ code: 2 })
    expect(await cli.agentm(['capture', 'sessions', '--private', 'x'])).toMatchObject({ code: 2 })
    expect((await cli.agentm(['sessions', 'show', 'nope'])).err).toContain('no captured session or turn matches "nope"')
  })
})

describe('a question about past sessions', () => {
  it('is answered with the turn of that day, the reason of a decision, or the fix of an error', async () => {
    const cli = await CliWorld.forThisTest()
    const place = { home: cli.home, cwd: cli.repo }
    const day = 86_400_000
    const paging = [{ asked: 'Add paging to the orders endpoint', done: 'Paging is in.' }]
    await writeClaudeSession({ ...place, session: 'yesterday', start: Date.now() - day }, paging)
    await writeClaudeSession({ ...place, session: 'long-ago', start: Date.now() - 40 * day }, [
      { asked: 'Which date library?', done: 'We chose date-fns over moment, because moment is mutable.' },
      {
        asked: 'The install fails',
        commands: [
          { command: 'npm ci', fails: true, output: 'npm error ERESOLVE could not resolve' },
          { command: 'npm dedupe' },
          { command: 'npm ci' },
        ],
      },
    ])
    await cli.agentm(['capture', 'sessions'])
    const answer = async (question: string) => (await cli.agentm(['recall', question, '--k', '1'])).out
    expect(await answer('what did we do yesterday')).toContain('Add paging to the orders endpoint')
    expect(await answer('why did we choose date-fns')).toContain('because moment is mutable')
    expect(await answer('how did I fix the ERESOLVE error before')).toContain('npm dedupe')
  })
})

describe('agentm doctor', () => {
  it('says whether sessions are captured, where there are any', async () => {
    const { cli } = await withSession()
    expect((await cli.agentm(['doctor'])).out).toContain(
      '1 session of claude-code on this machine, and none was captured',
    )
    await cli.agentm(['capture', 'sessions'])
    expect((await cli.agentm(['doctor'])).out).toContain('the newest captured turn is of 2026-11-02 09:00 UTC')
    const none = await CliWorld.forThisTest()
    expect((await none.agentm(['doctor'])).out).not.toContain('sessions')
  })

  it('counts the sessions that capture reads: also those of opencode, and plain ones where they are configured', async () => {
    const { cli } = await withSession()
    await writeOpencodeSession(cli.home)
    await cli.file('plain/mine.jsonl', '{"type":"prompt","text":"Rename it"}\n')
    expect((await cli.agentm(['doctor'])).out).toContain('2 sessions of claude-code, opencode on this machine')
    await cli.agentm(['config', 'set', 'capture.plain', '~/plain'])
    expect((await cli.agentm(['doctor'])).out).toContain('3 sessions of claude-code, opencode, plain on this machine')
    expect((await cli.agentm(['capture', 'sessions'])).out).toContain('3 sessions read')
    await cli.agentm(['config', 'set', 'capture.hosts', 'opencode'])
    expect((await cli.agentm(['doctor'])).out).toContain('2 sessions of opencode, plain on this machine')
  })

  it('refuses an agent in capture.hosts whose sessions it cannot read, and names those it can', async () => {
    const { cli } = await withSession()
    const refused = await cli.agentm(['config', 'set', 'capture.hosts', 'claude-code,emacs'])
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('"claude-code", "codex", "gemini", "opencode"')
  })
})

describe('agentm sessions forget', () => {
  it('deletes the turns once a person confirmed, and the session is not captured again', async () => {
    const { cli } = await withSession()
    await cli.agentm(['capture', 'sessions'])
    expect((await cli.agentm(['sessions', 'forget', 'aaaa'])).code).toBe(1)
    expect(await cli.atTerminal(['sessions', 'forget', 'aaaa'], 'number')).toContain('Deleted: claude-code aaaa-1111')
    await cli.agentm(['capture', 'sessions', '--again'])
    expect(await cli.json(['sessions', '--all'])).toMatchObject({ sessions: [] })
    const log = await readFile(path.join(cli.home, '.agentm', 'log', 'agentm.db'), 'latin1')
    expect(log).not.toContain('checkout total')
  })
})

describe('a session that begins', () => {
  it('begins with what the last one here was doing, once', async () => {
    const { cli } = await withSession()
    await cli.agentm(['capture', 'sessions'])
    const start = JSON.stringify({ session_id: 'next', source: 'startup' })
    const first = await cli.agentm(['hook', 'session-start'], start)
    expect(first.out).toContain('### last session here: claude-code')
    expect(first.out).toContain('> asked: The checkout total is wrong. Fix it.')
    expect((await cli.agentm(['hook', 'session-start'], start)).out).toBe('')
    const own = JSON.stringify({ session_id: 'aaaa-1111', source: 'resume' })
    expect((await cli.agentm(['hook', 'session-start'], own)).out).not.toContain('checkout')
    const shortened = JSON.stringify({ session_id: 'aaaa-1111', source: 'compact' })
    expect((await cli.agentm(['hook', 'session-start'], shortened)).out).toContain('The checkout total is wrong')
  })

  it('shows nothing of another project', async () => {
    const { cli } = await withSession()
    await cli.agentm(['capture', 'sessions'])
    const other = path.join(cli.home, 'other')
    await mkdir(other)
    const start = JSON.stringify({ session_id: 'next', source: 'startup', cwd: other })
    expect((await cli.agentm(['hook', 'session-start'], start)).out).not.toContain('checkout')
  })
})
