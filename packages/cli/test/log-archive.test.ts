/** Old plans can be moved to a file, and be brought back from there into another log. */
import { readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 180_000 }
const steps =
  "steps:\n  - { key: a, title: t, kind: command, input: { command: 'true' } }\n  - { key: b, title: u, kind: command, dependsOn: a, input: { command: 'true' } }\n"

async function world() {
  const plans = await PlanWorld.make()
  const { cli } = plans
  const ids: string[] = []
  for (const goal of ['first', 'second']) ids.push(await plans.plan(`goal: the ${goal}\n${steps}`))
  for (const id of ids) await cli.agentm(['run', id])
  const [first = '', second = ''] = ids
  await cli.agentm(['erase', `${second}/a`, '--yes'])
  await plans.plan(`goal: the last\n${steps}`)
  const file = path.join(cli.home, 'old.jsonl.gz')
  const archive = async () => cli.agentm(['log', 'archive', '--older-than', '0 days', '--unread', '--to', file])
  return { cli, first, second, file, archive }
}

it('moves plans to a file, lists them there, and brings them back whole', patience, async () => {
  const { cli, first, second, file, archive } = await world()
  const traces = async () =>
    Promise.all([first, second].map(async (id) => (await cli.agentm(['trace', id, '--format', 'seed'])).out))
  const before = await traces()
  const moved = await archive()
  expect([moved.code, moved.out]).toEqual([
    0,
    expect.stringMatching(/^Archived 2 plans from .* in .*old\.jsonl\.gz:\n/),
  ])
  expect((await cli.agentm(['status', first])).code).toBe(1)
  expect((await cli.agentm(['log', 'check'])).code).toBe(0)
  expect(await cli.json(['log', 'archive', '--read', file])).toMatchObject({
    groups: [
      { title: 'the first', status: 'done' },
      { title: 'the second', status: 'done' },
    ],
  })

  const other = path.join(cli.home, 'old.db')
  expect((await cli.agentm(['log', 'archive', '--read', file, '--into', other])).code).toBe(0)
  expect((await cli.agentm(['log', 'archive', '--read', file, '--into', other])).err).toContain('[ARCHIVE_FILE]')
  expect((await archive()).out).toContain('Nothing to archive')
  cli.variables['AGENTM_NODES_URL'] = other
  expect(await traces()).toEqual(before)
  expect((await cli.agentm(['log', 'check'])).code).toBe(0)
})

it('removes nothing when the file cannot be written, and refuses one that is damaged', patience, async () => {
  const { cli, first, file, archive } = await world()
  await writeFile(file, 'mine')
  expect(await archive()).toMatchObject({ code: 1, err: expect.stringContaining('was not overwritten') })
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect((await cli.agentm(['status', first])).code).toBe(0)
  const read = async () => cli.agentm(['log', 'archive', '--read', file])
  expect(await read()).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read as an archive') })

  const whole = path.join(cli.home, 'whole.jsonl.gz')
  await cli.agentm(['log', 'archive', '--older-than', '0 days', '--unread', '--to', whole])
  const bytes = await readFile(whole)
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n')
  const damages: readonly (readonly [string, Buffer])[] = [
    ['its last line is missing', gzipSync(`${lines.slice(0, -1).join('\n')}\n`)],
    ['does not match its last line', gzipSync(`${lines.toSpliced(2, 1).join('\n')}\n`)],
    ['line 2 is no JSON', gzipSync(`${lines.with(1, '{').join('\n')}\n`)],
    ['line 1 is not the heading', gzipSync(`${lines.slice(1).join('\n')}\n`)],
  ]
  for (const [message, content] of damages) {
    await writeFile(file, content)
    expect(await read()).toMatchObject({ code: 1, err: expect.stringContaining(message) })
  }
  await writeFile(file, bytes)
  expect((await read()).code).toBe(0)
  await truncate(file, bytes.length - 20)
  expect((await read()).err).toContain('[ARCHIVE_FILE]')
})
