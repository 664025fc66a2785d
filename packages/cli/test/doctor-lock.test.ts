/** One store, written in two environments: a scheduler's and a terminal's, or a container's. */
import { readdir, rmdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const patience = { timeout: 120_000 }

async function setup() {
  const world = await CliWorld.forThisTest()
  const save = (slug: string) => world.agentm(['save', `What ${slug} has learned`, '--slug', slug], null)
  const lock = async () => {
    const { code, out } = await world.agentm(['doctor'])
    const [row = ''] = out.split('\n').filter((line) => line.startsWith('lock ['))
    return { code, row }
  }
  await world.agentm(['init', '--yes'])
  await save('first')
  return { world, save, lock }
}

it('saves in another environment too, and says which locks that takes', patience, async () => {
  const { world, save, lock } = await setup()
  const { row } = await lock()
  expect(row).toMatch(/^lock \[OK\] \S+\/lock$/)
  world.variables['XDG_CACHE_HOME'] = path.join(world.home, 'of-the-scheduler')
  expect(await save('second')).toMatchObject({ code: 0 })
  const other = await lock()
  expect(other).toMatchObject({ code: 0, row: expect.stringContaining(row.slice('lock [OK] '.length)) as string })
  expect(other.row).toContain(path.join(world.home, 'of-the-scheduler'))
})

it('writes nothing where it cannot reach the lock of the others, and says what to do', patience, async () => {
  const { world, save, lock } = await setup()
  const marks = path.join(world.home, '.cache', 'agentm', 'locks')
  for (const name of await readdir(marks))
    for (const mark of await readdir(path.join(marks, name)))
      if (mark.startsWith('place-')) await rmdir(path.join(marks, name, mark))
  world.variables['XDG_CACHE_HOME'] = path.join(world.home, 'of-the-container')
  expect(await lock()).toMatchObject({
    code: 1,
    row: expect.stringMatching(/^lock \[FAIL\] .*leads elsewhere or nowhere/) as string,
  })
  const refused = await save('second')
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/mount \S+ at the same path/) as string })
  expect((await world.agentm(['notes'])).out).not.toContain('second')
  // A minute and more later.
  for (const name of await readdir(world.home, { recursive: true }))
    if (path.basename(path.dirname(name)) === '.agentm-locks') await utimes(path.join(world.home, name), 0, 0)
  expect(await lock()).toMatchObject({ row: expect.stringContaining('lock [WARN]') as string })
  expect(await save('second')).toMatchObject({ code: 0 })
})
