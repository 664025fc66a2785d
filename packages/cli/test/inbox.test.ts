import { describe, expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const wish = 'Push to main without asking.'
const name = 'push-to-main-without-asking'

interface Listed {
  readonly candidates: readonly { readonly name: string; readonly alwaysLoad: boolean; readonly partition: string }[]
}

async function waiting(world: CliWorld): Promise<readonly string[]> {
  const { candidates } = (await world.json(['inbox'])) as unknown as Listed
  return candidates.map((candidate) => candidate.name)
}

async function sessionStart(world: CliWorld): Promise<string> {
  const input = JSON.stringify({ cwd: world.directory })
  return (await world.agentm(['hook', 'session-start', '--within', '60000'], input)).out
}

describe('agentm inbox', () => {
  it('shows what waits, whose proposal it is and what it wants, and that nothing does', async () => {
    const world = await CliWorld.forThisTest()
    expect(await world.agentm(['inbox'])).toMatchObject({ code: 0, out: 'The inbox is empty.\n' })
    await world.agentm(['save', wish, '--kind', 'preference', '--always-load', '--tag', 'git'])
    await world.agentm(['capture', 'Perhaps retry twice.', '--reason', 'it\nworked', '--confidence', '0.4'])
    const { out, err } = await world.agentm(['inbox'])
    expect(out).toMatch(
      /^\d{4}-\d\d-\d\d · a proposal \[idea\] «Perhaps retry twice\.» · for acme · perhaps-retry-twice\n\d{4}-\d\d-\d\d · a proposal \[preference\] «Push to main without asking\.» · for acme · proposes that sessions begin with it · #git · push-to-main-without-asking\n$/,
    )
    expect(err).toContain('agentm inbox show NAME')
    const shown = await world.agentm(['inbox', 'show', 'perhaps-retry-twice'])
    expect(shown.out).toContain('> Perhaps retry twice.\nThe reason given (confidence 0.4): it worked\n')
    expect(await world.json(['inbox', 'show', name])).toMatchObject({ name, alwaysLoad: true, tags: ['git'] })
    expect((await world.agentm(['inbox', 'show', 'nothing'])).code).toBe(1)
  })

  it('lets sessions begin with a proposal only once a person typed the number', { timeout: 60_000 }, async () => {
    const world = await CliWorld.forThisTest()
    await world.agentm(['save', wish, '--kind', 'preference', '--always-load'])
    for (const args of [
      ['accept'],
      ['accept', '--always-load'],
      ['accept', '--json'],
      ['reject'],
      ['edit', '--kind', 'x'],
    ]) {
      const [act = '', ...more] = args
      const { code, out, err } = await world.agentm(['inbox', act, name, ...more])
      expect([code, out + err]).toEqual([1, expect.stringContaining('PERSON_NEEDED')])
    }
    const scripted = await world.pipedIntoTerminal(['inbox', 'accept', name, '--always-load'], 'yes\n'.repeat(9))
    expect(scripted).toContain('PERSON_NEEDED')
    expect(await sessionStart(world)).not.toContain('Push to main')
    const screen = await world.atTerminal(['inbox', 'accept', name, '--always-load'], 'number')
    expect(screen).toContain('every session of the project acme will begin with it')
    expect(screen).toContain(`accepted: projects/acme/_always-load/${name}.md`)
    expect(await sessionStart(world)).toContain('> Push to main without asking.')
    expect(await waiting(world)).toEqual([])
  })

  it('keeps, changes and turns down, and what was turned down does not come back', { timeout: 60_000 }, async () => {
    const world = await CliWorld.forThisTest()
    for (const text of ['Staging is slow.', 'Staging is on fire.', 'Lamps are LED.'])
      await world.agentm(['capture', text])
    const file = await world.file('better.md', 'Staging is slow\non Mondays.\n')
    const edited = await world.atTerminal(
      ['inbox', 'edit', 'staging-is-slow', '--file', file, '--kind', 'fact', '--personal'],
      'number',
    )
    expect(edited).toContain("a person's proposal [fact]")
    const kept = await world.atTerminal(['inbox', 'accept', 'staging-is-slow', 'lamps-are-led'], 'number')
    expect(kept).toContain('every project recalls')
    expect(kept).toContain('accepted: projects/acme/idea/lamps-are-led.md')
    expect(await world.read('.agentm/memory/personal/fact/staging-is-slow.md')).toContain(
      'written_by: person\naccepted_by: person',
    )
    expect(await world.atTerminal(['inbox', 'reject', 'staging-is-on-fire'], '1')).toContain('PERSON_NEEDED')
    expect(await waiting(world)).toEqual(['staging-is-on-fire'])
    expect(await world.atTerminal(['inbox', 'reject', 'staging-is-on-fire', '--reason', 'no'], 'number')).toContain(
      'rejected: ',
    )
    expect((await world.agentm(['capture', 'staging is on fire'])).out).toMatch(
      /^not captured, because you rejected it before: /,
    )
    expect((await world.agentm(['capture', 'Lamps are LED.'])).out).toMatch(
      /^not captured, because a note already says it: /,
    )
    expect(await waiting(world)).toEqual([])
    expect((await world.agentm(['inbox', '--rejected'])).out).toContain('«Staging is on fire.»')
  })
})

describe('agentm notes', () => {
  it(
    'lists and shows, with whose words they are, and filters by project, kind, tag and age',
    { timeout: 60_000 },
    async () => {
      const world = await CliWorld.forThisTest()
      expect(await world.agentm(['notes'])).toMatchObject({ code: 0, out: 'There are no notes.\n' })
      await world.agentm(['save', 'The lamp is red.', '--kind', 'fact', '--tag', 'hall'])
      await world.agentm(['save', 'I like tabs.', '--kind', 'preference', '--personal'])
      const old = '---\nkind: fix\nstatus: active\ncreated: 2020-02-03\ntags: [hall]\n---\n# Old\nlamp\n'
      await world.file('.agentm/memory/projects/acme/fix/old.md', old)
      const lines = async (...args: readonly string[]) => {
        const { code, out } = await world.agentm(['notes', ...args])
        expect(code).toBe(0)
        return out.trimEnd().split('\n')
      }
      expect(await lines()).toEqual([
        expect.stringMatching(
          /^\d{4}-\d\d-\d\d · a note \[preference\] «I like tabs\.» · personal\/preference\/i-like-tabs\.md$/,
        ),
        expect.stringMatching(
          /^\d{4}-\d\d-\d\d · a note \[fact\] «The lamp is red\.» · #hall · projects\/acme\/fact\/the-lamp-is-red\.md$/,
        ),
        '2020-02-03 · a note [fix] «Old» · #hall · projects/acme/fix/old.md',
      ])
      expect(await lines('list', '--project', 'acme')).toHaveLength(2)
      expect(await lines('--project', '_global')).toHaveLength(1)
      expect(await lines('--kind', 'fix', '--kind', 'fact')).toHaveLength(2)
      expect(await lines('--tag', 'hall', '--newer', '30d')).toEqual([expect.stringContaining('lamp is red')])
      expect(await lines('--older', '2020-03-01')).toEqual([expect.stringContaining('«Old»')])
      expect(await lines('--most', '1')).toHaveLength(1)
      expect(await world.json(['notes', '--kind', 'fix'])).toMatchObject({
        total: 1,
        notes: [{ key: 'projects/acme/fix/old.md', kind: 'fix', tags: ['hall'], project: 'acme', title: 'Old' }],
      })
      expect((await world.agentm(['notes', '--newer', 'soon'])).code).toBe(2)
      expect((await world.agentm(['notes', '--project', 'beta'])).err).toContain('PROJECT_REFUSED')
      const shown = await world.agentm(['notes', 'show', 'projects/acme/fix/old.md'])
      expect(shown.out).toMatch(
        /^From memory: .*\n\na note \[fix\] · 2020-02-03 · #hall · projects\/acme\/fix\/old\.md\n> # Old\n> lamp\n$/,
      )
      await world.agentm(['forget', 'projects/acme/fix/old.md'])
      expect(await lines('--status', 'deleted')).toEqual([expect.stringContaining('projects/acme/fix/old.md')])
      await world.agentm(['restore', 'projects/acme/fix/old.md'])
      expect(await world.read('.agentm/memory/projects/acme/fix/old.md')).toBe(old)
    },
  )
})
