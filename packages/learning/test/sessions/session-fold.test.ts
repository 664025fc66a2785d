import { describe, expect, it } from 'vitest'
import { emptyFold, folded, type FoldedTurn, type SessionFold } from '../../src/sessions/pure/session-fold.ts'
import { sessionTurnSchema } from '../../src/sessions/session-turn.ts'
import { turnPayload } from '../../src/sessions/pure/turn-payload.ts'
import { asked, edited, type Entry, eventsOf, opened, ran, said } from './session-events.ts'

function turnsOf(entries: readonly Entry[]): readonly FoldedTurn[] {
  let fold: SessionFold = emptyFold
  const turns: FoldedTurn[] = []
  for (const event of eventsOf('s1', entries)) {
    // As another process would find it.
    const next = folded(JSON.parse(JSON.stringify(fold)) as SessionFold, event)
    fold = next.fold
    if (next.ended !== undefined) turns.push(next.ended)
  }
  return fold.current === undefined ? turns : [...turns, fold.current]
}

function payloadOf(turn: FoldedTurn | undefined) {
  if (turn === undefined) throw new TypeError('no turn')
  return sessionTurnSchema.parse(turnPayload(turn, { owner: 'ada', host: 'plain', session: 's1' }, { isOpen: false }))
}

describe('a session becomes turns', () => {
  it('one for each prompt, with what was asked, done, run and edited', () => {
    const turns = turnsOf([
      opened('/src/shop'),
      asked('Fix the login test.'),
      ...ran('npm test', { exitCode: 1, output: 'ran 3 tests\nError: expected 200, got 401\nat x.ts:1' }),
      ...edited('/src/shop/src/login.ts'),
      ...ran('npm test'),
      said('The login test passes now.'),
      asked('Thanks. Commit it.'),
      ...ran('git commit -am login'),
    ])
    expect(turns.map(({ turn }) => turn)).toEqual([1, 2])
    const first = payloadOf(turns[0])
    expect(first).toMatchObject({
      asked: 'Fix the login test.',
      done: 'The login test passes now.',
      directory: 'shop',
      files: [{ file: 'src/login.ts', how: 'write' }],
      records: [2, 9],
      commands: [
        { command: 'npm test', failed: true, exitCode: 1, error: 'Error: expected 200, got 401' },
        { command: 'npm test', failed: false, exitCode: 0 },
      ],
      fixes: [{ command: 'npm test', error: 'Error: expected 200, got 401', by: ['edit src/login.ts'] }],
    })
    expect(first.content).toContain('Fixed: npm test: Error: expected 200, got 401 (edit src/login.ts)')
    expect(payloadOf(turns[1]).asked).toBe('Thanks. Commit it.')
  })

  it('without secrets, and without places of this machine outside the project', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const [turn] = turnsOf([
      opened('/home/ada/shop'),
      asked(`Use the token ${secret} to push.`),
      ...edited('/etc/hosts'),
      ...edited('/home/ada/shop/../other/x.ts'),
      ...ran(`git push https://${secret}@example.com`, { exitCode: 1, output: `fatal: denied for ${secret}` }),
    ])
    const text = JSON.stringify(payloadOf(turn))
    expect(text).not.toContain(secret)
    expect(text).not.toContain('/home/ada')
    expect(payloadOf(turn).files?.map(({ file }) => file)).toContain('hosts')
  })

  it('a fix is a command that failed, passed later, and something was done in between', () => {
    const again = turnsOf([asked('run'), ...ran('make', { exitCode: 2, output: 'error: x' }), ...ran('make')])
    expect(payloadOf(again[0]).fixes).toBeUndefined()
    const later = turnsOf([
      asked('run'),
      ...ran('make', { exitCode: 2, output: 'error: no rule' }),
      asked('install it first'),
      ...ran('apt-get install gawk'),
      ...ran('cd /src/shop && make'),
    ])
    expect(payloadOf(later[1]).fixes).toMatchObject([{ error: 'error: no rule', by: ['apt-get install gawk'] }])
  })

  it('decisions are sentences that say so, and not what was pasted', () => {
    const [turn] = turnsOf([
      asked('Look at this:\n```\nWe decided to use Oracle because it was there before.\n```\nWhich one?'),
      said('Both work. We will use SQLite, because it needs no server. Shall I go on?'),
    ])
    expect(payloadOf(turn).decisions).toMatchObject([
      { by: 'agent', text: 'We will use SQLite, because it needs no server.' },
    ])
  })

  it('is bounded, however long the session is', () => {
    const many = Array.from({ length: 3000 }, (_, i) => [
      ...ran(`step ${i}`, { exitCode: i % 2, output: 'error '.repeat(500) }),
    ])
    const [turn] = turnsOf([asked('x'.repeat(1e6)), ...many.flat()])
    const payload = payloadOf(turn)
    expect(payload.commands).toHaveLength(40)
    expect(JSON.stringify(payload).length).toBeLessThan(60_000)
  })

  it('a sub-agent with its own file has a task, and nobody asked it anything', () => {
    let fold: SessionFold = emptyFold
    const entries: Entry[] = [
      { type: 'context', text: 'Always use yarn. Find the tests.', agent: 'a1' },
      { type: 'reply', text: 'They are in test/.', agent: 'a1' },
    ]
    for (const event of eventsOf('s1', entries)) fold = folded(fold, event).fold
    expect(payloadOf(fold.current)).toMatchObject({ agent: 'a1', asked: '', task: 'Always use yarn. Find the tests.' })
  })
})
