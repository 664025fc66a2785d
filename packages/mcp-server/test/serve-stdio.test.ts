import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serveStdio } from '@agentm/mcp-server'
import { SmallMemory } from './small-memory.ts'

const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

function setup(memory = new SmallMemory()) {
  const input = new PassThrough()
  const output = new PassThrough()
  const stop = new AbortController()
  const served = serveStdio({ open: memory.open, input, output, signal: stop.signal })
  const ask = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answers = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: number; result?: unknown })
  return { memory, input, output, stop, served, ask, answers }
}

const save = (id: number) => ({
  id,
  method: 'tools/call',
  params: { name: 'memory_save', arguments: { kind: 'fact', text: 'x', slug: `s${id}` } },
})

describe('serving standard input', () => {
  it('answers all that was asked before the host hung up', async () => {
    const { memory, input, served, ask, answers } = setup()
    ask(initialize)
    for (let id = 1; id <= 20; id++) ask(save(id))
    input.end()
    await served
    expect(answers().map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, i) => i))
    expect(memory).toMatchObject({ opened: 1, closed: 1 })
  })

  it('does not wait for an answer that the host called off', async () => {
    const { memory, input, served, ask, answers } = setup()
    memory.save = async () => sleep(100, { outcome: 'created' as const, id: '', key: '', slug: '', similar: [] })
    ask(initialize)
    ask(save(1))
    await sleep(20)
    ask({ method: 'notifications/cancelled', params: { requestId: 1 } })
    input.end()
    await served
    expect(answers().map(({ id }) => id)).toEqual([0])
  })

  it('ends when it is asked to, and closes nothing that it did not open', async () => {
    const { memory, stop, served, ask } = setup()
    ask(initialize)
    await sleep(20)
    stop.abort()
    await served
    expect(memory).toMatchObject({ opened: 0, closed: 0 })
  })

  it('survives a host whose end of the pipe is gone', async () => {
    const { output, served, ask } = setup()
    ask(initialize)
    await sleep(20)
    output.destroy(new Error('EPIPE'))
    await expect(served).resolves.toBeUndefined()
  })

  it('goes on after a line that is no message, and after memory could not be opened', async () => {
    const memory = new SmallMemory()
    const open = memory.open
    const failing = Object.assign(new Error('the drive is not mounted'), { code: 'STORE_UNAVAILABLE' })
    let isAway = true
    Object.assign(memory, { open: () => (isAway ? Promise.reject(failing) : open()) })
    const { input, served, ask, answers } = setup(memory)
    input.write('this is no message\n')
    ask(initialize)
    ask(save(1))
    await sleep(50)
    expect(answers()).toMatchObject([
      { id: 0 },
      { id: 1, result: { isError: true, content: [{ text: expect.stringContaining('STORE_UNAVAILABLE') }] } },
    ])
    isAway = false
    ask(save(2))
    input.end()
    await served
    expect(answers()).toMatchObject([{ id: 2, result: { content: [{ text: expect.stringContaining('Saved as') }] } }])
  })
})
