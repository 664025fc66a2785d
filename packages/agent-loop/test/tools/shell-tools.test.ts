import { afterEach, describe, expect, it } from 'vitest'
import { OpenScope } from '../../src/loop/open-scope.ts'
import { runInnerLoop, systemRuntime } from '../../src/index.ts'
import { shellTools, type ShellToolOptions } from '../../src/tools/index.ts'
import { UnreadOutput } from '../../src/tools/shell/unread-output.ts'
import { emptyFolder, toolNamed } from './tool-world.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

const node = process.execPath

async function world(policy: Partial<ShellToolOptions['policy']> = {}) {
  const folder = await emptyFolder()
  open.push(folder)
  const tools = shellTools({ root: folder.root, policy: { allow: [node], ...policy }, runtime: systemRuntime })
  const loopOf = () => {
    const loop = new OpenScope()
    open.push(loop)
    return loop
  }
  const callIn = (loop: OpenScope) => async (name: string, args: object) => {
    const tool = toolNamed(tools, name)
    const signal = new AbortController().signal
    const answer = await tool.run(tool.parse(args), { signal, key: 'key-1', attempt: 1, loop })
    return typeof answer === 'string' ? answer : answer.text
  }
  const loop = loopOf()
  return { tools, loop, loopOf, callIn, call: callIn(loop) }
}

const script = (code: string) => ({ program: node, args: ['-e', code] })

/** Reads until the program has written this. */
async function readUntil(call: (name: string, args: object) => Promise<string>, wanted: RegExp): Promise<string> {
  let all = ''
  while (!wanted.test(all)) all += await call('shell_read', { id: 1, waitMs: 60_000 })
  return all
}

describe('a program that runs on', () => {
  it('is read, written to and ended', async () => {
    const { call } = await world()
    const echo = script(`
      console.log('ready')
      process.stdin.on('data', (text) => console.log('heard ' + text))
      setInterval(() => 0, 1000)
    `)
    expect(await call('shell_start', echo)).toBe(`${node} runs as number 1; read what it writes with shell_read`)
    expect(await readUntil(call, /ready/)).toContain(`${node} runs\n\nit wrote:\nready`)
    expect(await call('shell_read', { id: 1 })).toBe(`${node} runs\n\nnothing new was written`)
    expect(await call('shell_write', { id: 1, text: 'hello\n' })).toBe('written: 6 bytes')
    expect(await readUntil(call, /heard/)).toContain('heard hello')
    expect(await call('shell_stop', { id: 1 })).toBe(`${node} was ended by SIGTERM\n\nnothing new was written`)
    await expect(call('shell_write', { id: 1, text: 'x' })).rejects.toThrow('reads no more input')
  })

  it('says how it ended by itself, with the last of what it wrote', async () => {
    const { call } = await world()
    await call(
      'shell_start',
      script(`process.stdin.on('end', () => { console.error('bye'); process.exit(3) }).resume()`),
    )
    await call('shell_write', { id: 1, text: '', end: true })
    expect(await readUntil(call, /ended with/)).toMatch(/bye\n[^]*ended with 3|ended with 3[^]*bye/)
  })

  it('keeps only the end of what nobody read, and counts the rest', () => {
    const output = new UnreadOutput(100)
    for (let n = 0; n < 1000; n++) output.add(Buffer.from('0123456789'))
    expect(output.take()).toEqual({ text: '0123456789'.repeat(10), droppedBytes: 9900 })
    expect(output.take()).toEqual({ text: '', droppedBytes: 0 })
  })

  it('must be allowed, and there are not many', async () => {
    const { call } = await world()
    await expect(call('shell_start', { program: 'git' })).rejects.toMatchObject({ type: 'permission' })
    await expect(call('shell_start', { ...script(''), directory: '..' })).rejects.toMatchObject({ type: 'permission' })
    const waiting = script('setInterval(() => 0, 1000)')
    for (let n = 1; n <= 8; n++) await call('shell_start', waiting)
    await expect(call('shell_start', waiting)).rejects.toThrow('8 programs run already')
    await call('shell_stop', { id: 3 })
    expect(await call('shell_start', waiting)).toContain('number 9')
  })

  it('that cannot be started is no program, and nothing happened', async () => {
    const { call } = await world({ allow: ['no-such-program'] })
    const starting = call('shell_start', { program: 'no-such-program' })
    await expect(starting).rejects.toMatchObject({ type: 'not_found', mayHaveHappened: false })
    await expect(call('shell_read', { id: 1 })).rejects.toThrow('no program has number 1')
  })

  it('belongs to the loop that started it, and ends with it', async () => {
    const { tools, callIn, loopOf } = await world()
    const pids: number[] = []
    const calls = [
      ['shell_start', script('console.log("pid " + process.pid); setInterval(() => 0, 1000)')],
      ['shell_read', { id: 1, waitMs: 60_000 }],
    ] as const
    const replies = calls.values()
    const end = await runInnerLoop({
      model: {
        async respond({ messages }) {
          const pid = /pid (\d+)/.exec(messages.at(-1)?.text ?? '')?.[1]
          if (pid !== undefined) pids.push(Number(pid))
          const next = replies.next().value
          if (next === undefined) return { text: 'It runs.' }
          return { calls: [{ id: next[0], tool: next[0], args: JSON.stringify(next[1]) }] }
        },
      },
      tools,
      messages: [{ role: 'user', text: 'Start it.' }],
    })
    expect(end).toMatchObject({ ended: 'stopped', stop: { reason: 'text_only' } })
    expect(pids).toHaveLength(1)
    expect(() => process.kill(pids[0] ?? 0, 0)).toThrow('ESRCH')
    await expect(callIn(loopOf())('shell_read', { id: 1 })).rejects.toThrow('ended with it')
  })
})
