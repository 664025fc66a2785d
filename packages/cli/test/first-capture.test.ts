import { expect, it } from 'vitest'
import { writeClaudeSession } from './claude-sessions.ts'
import { CliWorld } from './cli-world.ts'

async function setup(): Promise<CliWorld> {
  const world = await CliWorld.forThisTest()
  world.variables['AGENTM_CAPTURE'] = 'later'
  return world
}

it('shows a session what the first one here did, where nothing else was ever stored', async () => {
  const world = await setup()
  await writeClaudeSession({ home: world.home, cwd: world.repo, session: 's-1' }, [
    { asked: 'Make the timeout 30 seconds.', done: 'It is 30 seconds now.' },
  ])
  expect(await world.json(['capture', 'sessions'])).toMatchObject({ outcome: 'done', written: 1 })
  const input = JSON.stringify({ session_id: 's-2', cwd: world.repo, source: 'startup' })
  const { out } = await world.agentm(['hook', 'session-start', '--host', 'codex'], input)
  expect(out).toContain('asked: Make the timeout 30 seconds.')
})
