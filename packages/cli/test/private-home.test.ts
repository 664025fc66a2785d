/** What agentm keeps on this device is its user's own, whatever the umask; what was there before stays as it is, and is named. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const command = path.resolve(import.meta.dirname, '../bin/agentm.mjs')

async function setup() {
  const world = await CliWorld.forThisTest()
  const { PATH } = process.env
  /** With a umask that takes nothing away: every bit that is absent was left out on purpose. */
  const agentm = async (args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const env = { PATH, HOME: world.home, XDG_CACHE_HOME: path.join(world.home, '.cache'), ...variables }
    const words = ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, command, ...args]
    return promisify(execFile)('sh', words, { cwd: world.repo, env })
  }
  const modeOf = async (...parts: readonly string[]) => {
    const { mode } = await stat(path.join(world.home, ...parts))
    return (mode & 0o777).toString(8)
  }
  return { world, agentm, modeOf }
}

describe.skipIf(process.platform === 'win32')('what agentm keeps on this device', () => {
  it.each([[['init', '--yes']], [['save', 'Locks live outside the vault.', '--kind', 'fact']], [['plan', 'new', 'x']]])(
    'is in a home that only its user may look into, made by %j',
    async (first) => {
      const { agentm, modeOf } = await setup()
      await agentm(first).catch(() => {})
      await agentm(['save', 'Staging listens on port 5433.', '--kind', 'fact'])
      expect(await modeOf('.agentm')).toBe('700')
    },
  )

  it('is a store, a log and a backup that only their user may read, each of them elsewhere', async () => {
    const { world, agentm, modeOf } = await setup()
    const at = (name: string) => path.join(world.home, name)
    await mkdir(at('shared'))
    await chmod(at('shared'), 0o777)
    const elsewhere = {
      AGENTM_HOME: at('shared/home'),
      AGENTM_DEVICE_LOCAL_ROOT: at('shared/notes/mine'),
      AGENTM_NODES_URL: at('shared/log.db'),
    }
    await agentm(['save', 'Staging listens on port 5433.', '--kind', 'fact', '--personal'], elsewhere)
    await agentm(['consolidate'], elsewhere)
    await agentm(['log', 'backup', at('shared/backup.db')], elsewhere)
    expect(await modeOf('shared', 'notes')).toBe('700')
    expect(await modeOf('shared', 'notes', 'mine')).toBe('700')
    expect(await modeOf('shared', 'home')).toBe('700')
    expect(await modeOf('shared', 'log.db')).toBe('600')
    expect(await modeOf('shared', 'backup.db')).toBe('600')
    // Below a root that is closed, and in a directory that somebody made, permissions are what the umask says.
    expect(await modeOf('shared', 'notes', 'mine', 'personal')).toBe('777')
    expect(await modeOf('shared')).toBe('777')
  })

  it('leaves a home that was there as it is, and doctor says how to close it', async () => {
    const { world, agentm, modeOf } = await setup()
    await mkdir(path.join(world.home, '.agentm'))
    await chmod(path.join(world.home, '.agentm'), 0o755)
    await agentm(['init', '--yes'])
    expect(await modeOf('.agentm')).toBe('755')
    const home = path.join(world.home, '.agentm')
    const said = `home [WARN] ${home} can be read by other users of this machine. To make it private: chmod 700 ${home}`
    expect((await agentm(['doctor'])).stdout.split('\n')).toContain(said)
    await chmod(home, 0o700)
    expect((await agentm(['doctor'])).stdout.split('\n')).toContain(`home [OK] ${home}`)
  })
})
