import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { clients } from '../src/clients.ts'
import { SessionFile } from '../src/session-file.ts'

const sessions = clients.codex.sessions
const line = (input: number) =>
  `${JSON.stringify({ type: 'token_usage_record', payload: { thread_token_usage: { input_tokens: input, output_tokens: 1 } } })}\n`
const usedOf = (input: number) => ({ tokens: { input, cached: 0, output: 1 } })

async function home() {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-session-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, '.codex/sessions/2026/11/20/rollout-2026-11-20T04-08-47-x-1.jsonl')
  await mkdir(path.dirname(file), { recursive: true })
  return { directory, file }
}

it('finds the file once it is there, and reads on where it stopped', async () => {
  const { directory, file } = await home()
  const read = new SessionFile(sessions, { HOME: directory, CODEX_HOME: '' })
  expect(await read.used('x-1')).toBeUndefined()
  await writeFile(file, line(10))
  expect(await read.used('x-1')).toEqual(usedOf(10))
  const next = line(30)
  await appendFile(file, next.slice(0, 20))
  expect(await read.used('x-1')).toEqual(usedOf(10))
  await appendFile(file, `${next.slice(20)}{"type":"token_usage_record", cut by a kill\n`)
  expect(await read.used('x-1')).toEqual(usedOf(30))
  await rm(file)
  expect(await read.used('x-1')).toEqual(usedOf(30))
})

it('looks where the variable of the agent says, and knows no other session', async () => {
  const { directory, file } = await home()
  await writeFile(file, line(10))
  const elsewhere = { HOME: '/nowhere', CODEX_HOME: path.join(directory, '.codex') }
  expect(await new SessionFile(sessions, elsewhere).used('x-1')).toEqual(usedOf(10))
  expect(await new SessionFile(sessions, elsewhere).used('x-2')).toBeUndefined()
  expect(await new SessionFile(undefined, elsewhere).used('x-1')).toBeUndefined()
})
