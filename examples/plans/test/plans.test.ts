import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

/** A busy machine takes its time to start a process. */
const patience = { timeout: 180_000 }

const here = fileURLToPath(new URL('..', import.meta.url))
const commands = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url))

/** What a script prints, run as the README says. */
async function printed(script: string): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'agentm-plans-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const env = {
    PATH: `${commands}:${process.env['PATH']}`,
    HOME: home,
    XDG_CACHE_HOME: path.join(home, '.cache'),
  }
  const child = spawn('sh', [path.join(here, script)], { cwd: home, env })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  return out
}

it('goes on after its worker was killed, and repeats only the step that was under way', patience, async () => {
  const out = await printed('killed.sh')
  expect(out).toContain('weekly  done  3 of 3 done')
  expect(out).toContain('\ncollected\ndigested, attempt 0\ndigested, attempt 1\nmailed\n')
  expect(out).toMatch(
    /digest {3}failed: vanished: the process of its worker is gone\n.*digest {3}ready again\n.*digest {3}started/,
  )
})

it('finds the approval that was given while no worker lived', patience, async () => {
  const out = await printed('approval.sh')
  expect(out).toContain('Stopped. Steps: 1 done, 1 blocked.')
  expect(out).toMatch(/blocked {3}Publish 1\.4\?: waits for an answer: Publish 1\.4\? \(approve \| deny\)/)
  expect(out).toContain('already answered approve, and the first answer counts.\ntoo late to deny\n')
  expect(out).toMatch(/\nbuilt\npublished\n$/)
})

it('happens again as it was recorded, and is held to that', patience, async () => {
  const out = await printed('replay.sh')
  expect(out).toContain('links  done  2 of 2 done')
  expect(out).toContain('the replay matches the record; only one order is possible')
  expect(out.match(/^cleared$/gm)).toHaveLength(2)
})
