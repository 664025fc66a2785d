import { describe, expect, it } from 'vitest'
import { writeClaudeSession, type WrittenTurn } from './claude-sessions.ts'
import { CliWorld } from './cli-world.ts'

const session: readonly WrittenTurn[] = [
  { asked: 'add lodash', commands: [{ command: 'npm install lodash' }] },
  { asked: 'no, use pnpm', commands: [{ command: 'pnpm add lodash' }, { command: 'pnpm test' }] },
  { asked: 'Never commit generated files.', commands: [{ command: 'pnpm test' }] },
  { asked: 'now delete that file', commands: [{ command: 'rm a.ts' }, { command: 'pnpm test' }] },
]
const pnpm = 'The person wants pnpm instead of npm here.'
const rule = 'The person said here: "Never commit generated files."'

interface Listed {
  readonly lessons: readonly { readonly id: string; readonly statement: string; readonly status: string }[]
}

async function captured(turns = session) {
  const cli = await CliWorld.forThisTest()
  const place = { home: cli.home, cwd: cli.repo, session: 'aaaa-1111' }
  await writeClaudeSession(place, turns)
  const capture = async () => cli.agentm(['capture', 'sessions'])
  const listed = async (status = 'waiting') =>
    ((await cli.json(['learned', '--status', status])) as unknown as Listed).lessons
  const idOf = async (statement: string) =>
    (await listed())
      .find((each) => each.statement === statement)
      ?.id.split(':')
      .at(-1) ?? ''
  return { cli, place, capture, listed, idOf }
}

describe('agentm learned', () => {
  it('lists what a capture learned, with where it comes from', async () => {
    const { cli, capture, listed, idOf } = await captured()
    expect((await cli.agentm(['learned'])).out).toContain('Nothing that was learned here waits')
    expect((await capture()).err).toContain(
      '3 statements were learned from them. To decide which are true: agentm learned',
    )
    expect((await listed()).map(({ statement }) => statement).toSorted()).toEqual([
      'The command `pnpm test` works here.',
      rule,
      pnpm,
    ])
    const { out, err } = await cli.agentm(['learned'])
    expect(out).toContain(`«${pnpm}»`)
    expect(out).toContain('correction, acme, 1 session, confidence 0.75')
    expect(err).toContain('agentm learned show ID')
    const shown = await cli.agentm(['learned', 'show', await idOf(pnpm)])
    expect(shown.out).toContain('claude-code session aaaa-1111, turn 2, records')
    expect(shown.out).toContain('> «no, use pnpm»')
    expect((await cli.agentm(['inbox'])).err).toContain(
      '3 statements learned from agent sessions wait for your decision, too.',
    )
    expect((await cli.agentm(['learned', 'show', 'ffffffff'])).code).toBe(1)
    expect((await cli.agentm(['learned', '--status', 'odd'])).code).toBe(2)
  })

  it('lets only a person decide', { timeout: 60_000 }, async () => {
    const { cli, capture, listed, idOf } = await captured()
    await capture()
    const id = await idOf(pnpm)
    for (const args of [
      ['accept', id],
      ['reject', id],
      ['edit', id, 'Push', 'without', 'asking.'],
      ['accept', id, '--json'],
    ]) {
      const { code, out, err } = await cli.agentm(['learned', ...args])
      expect([code, out + err]).toEqual([1, expect.stringContaining('PERSON_NEEDED')])
    }
    expect(await cli.pipedIntoTerminal(['learned', 'accept', id], 'yes\n'.repeat(9))).toContain('PERSON_NEEDED')
    expect(await listed()).toHaveLength(3)
  })

  it('makes a note of what is accepted, and does not bring back what is rejected', { timeout: 60_000 }, async () => {
    const { cli, place, capture, listed, idOf } = await captured()
    await capture()
    await cli.atTerminal(
      ['learned', 'edit', await idOf(rule), 'Generated', 'files', 'are', 'built', 'in', 'CI.'],
      'number',
    )
    const edited = await idOf('Generated files are built in CI.')
    const screen = await cli.atTerminal(['learned', 'accept', edited], 'number')
    const [, key = ''] = /accepted: (\S+\.md)/.exec(screen) ?? []
    const note = await cli.read(`.agentm/memory/${key}`)
    expect(note).toContain('Generated files are built in CI.')
    expect(note).toContain('claude-code session aaaa-1111, turn 3')
    expect(note).toContain('written_by: person')
    await cli.atTerminal(['learned', 'reject', await idOf(pnpm)], 'number')
    await writeClaudeSession({ ...place, session: 'bbbb-2222' }, session)
    await capture()
    await cli.agentm(['consolidate'])
    expect((await listed()).map(({ statement }) => statement)).toEqual(['The command `pnpm test` works here.'])
    expect(await listed('rejected')).toMatchObject([{ statement: pnpm }])
    expect(await listed('accepted')).toMatchObject([{ statement: 'Generated files are built in CI.' }])
    expect((await cli.agentm(['learned', '--status', 'accepted'])).out).toContain('worded by you')
  })

  it('publishes nothing that nobody has confirmed', async () => {
    const { cli, capture } = await captured()
    await capture()
    await cli.agentm(['consolidate'])
    expect((await cli.agentm(['notes', '--json'])).out).not.toContain('pnpm')
    expect((await cli.agentm(['beliefs'])).out).toContain('learned from agent sessions, unconfirmed')
  })
})
