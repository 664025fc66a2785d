import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const worlds: CliWorld[] = []
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.remove()))
})

async function setup() {
  const world = await CliWorld.make()
  worlds.push(world)
  return { world, file: path.join(world.home, '.agentm/log/agentm.db') }
}

describe('agentm log', () => {
  it('makes no log by asking for one', async () => {
    const { world, file } = await setup()
    for (const what of [['check'], ['size'], ['backup', 'copy.db'], ['rebuild']])
      expect(await world.agentm(['log', ...what])).toMatchObject({
        code: 0,
        out: `There is no log yet. The first plan or belief creates it at ${file}.\n`,
      })
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  it('is shown by doctor, checked, measured and copied, and a damaged one is restored from the copy', async () => {
    const { world, file } = await setup()
    await world.agentm(['save', 'Staging listens on 5433', '--kind', 'fact'])
    expect((await world.agentm(['doctor'])).out).toContain(`log [OK] ${file}`)
    expect(await world.json(['log', 'check'])).toMatchObject({ place: file, ok: true, problems: [] })
    expect(await world.json(['log', 'size'])).toMatchObject({ recallItems: 0 })
    expect(await world.agentm(['log', 'backup', 'copy.db'])).toMatchObject({ code: 0 })
    const copy = path.join(world.repo, 'copy.db')
    const again = await world.agentm(['log', 'backup', 'copy.db'])
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining(`${copy} already exists`) })
    expect(await world.agentm(['log', 'backup', 'no/such.db'])).toMatchObject({ code: 2 })
    expect(await world.agentm(['log', 'rebuild'])).toMatchObject({ code: 0 })
    await writeFile(file, 'no database '.repeat(1000))
    const checked = await world.agentm(['log', 'check'])
    expect(checked).toMatchObject({ code: 1, err: expect.stringMatching(/agentm\.db is damaged\b.*CORRUPT_STORE/s) })
    const restored = (await world.json(['log', 'restore', 'copy.db'])) as unknown as { keptAs: string }
    expect(await readFile(restored.keptAs, 'utf8')).toContain('no database')
    expect(await world.json(['log', 'check'])).toMatchObject({ ok: true })
    expect((await world.agentm(['recall', 'staging'])).out).toContain('5433')
  })
})
