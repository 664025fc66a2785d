import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Checkpoint, createEffectLog, type Message, runInnerLoop } from '../../src/index.ts'
import { fileTools } from '../../src/tools/index.ts'
import { conversation, emptyFolder, toolNamed } from './tool-world.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function world(text = 'one\ntwo\nthree\n') {
  const folder = await emptyFolder()
  open.push(folder)
  const file = path.join(folder.root, 'a.txt')
  await writeFile(file, text)
  let ids = 0
  const tools = fileTools({ root: folder.root, runtime: { newId: () => `${++ids}` } })
  const now = async () => readFile(file, 'utf8')
  return { root: folder.root, file, tools, now, call: conversation(tools) }
}

const edits = [{ find: 'two', replace: '2' }]

describe('a file that is there', () => {
  it('is changed only by who has read it', async () => {
    const { call, now } = await world()
    await expect(call('files_write', { path: 'a.txt', text: 'x' })).rejects.toThrow('you have not read it')
    await expect(call('files_edit', { path: 'a.txt', edits })).rejects.toThrow('read it with files_read first')
    expect(await now()).toBe('one\ntwo\nthree\n')
    await call('files_read', { path: 'a.txt', from: 2, lines: 1 })
    await call('files_edit', { path: 'a.txt', edits })
    // What an edit leaves is known, too.
    await call('files_edit', { path: 'a.txt', edits: [{ find: '2', replace: '3' }] })
    await call('files_write', { path: 'a.txt', text: 'x' })
    await call('files_write', { path: 'a.txt', text: 'y' })
    expect(await now()).toBe('y')
  })

  it('is not overwritten when somebody else changed it meanwhile, and the answer says what changed', async () => {
    const { call, file, now } = await world()
    await call('files_read', { path: 'a.txt' })
    await writeFile(file, 'one\nTWO\nthree\n')
    for (const change of [
      call('files_edit', { path: 'a.txt', edits: [{ find: 'one', replace: '1' }] }),
      call('files_write', { path: 'a.txt', text: 'mine' }),
    ])
      await expect(change).rejects.toThrow(/was changed since you read it; read it again[^]*-two\n\+TWO/)
    expect(await now()).toBe('one\nTWO\nthree\n')
    await call('files_read', { path: 'a.txt' })
    await call('files_edit', { path: 'a.txt', edits: [{ find: 'TWO', replace: '2' }] })
    expect(await now()).toBe('one\n2\nthree\n')
  })

  it('keeps its text if one of several edits does not fit', async () => {
    const { call, now } = await world('one\ntwo\ntwo\n')
    await call('files_read', { path: 'a.txt' })
    const change = call('files_edit', { path: 'a.txt', edits: [{ find: 'one', replace: '1' }, ...edits] })
    await expect(change).rejects.toThrow('nothing was edited: a.txt holds the text of edit 2 2 times')
    expect(await now()).toBe('one\ntwo\ntwo\n')
    await call('files_edit', {
      path: 'a.txt',
      edits: [
        { find: 'one', replace: '1' },
        { ...edits[0], all: true },
      ],
    })
    expect(await now()).toBe('1\n2\n2\n')
  })

  it('keeps the ends of its lines', async () => {
    const { call, now } = await world('one\r\ntwo\r\n')
    await call('files_read', { path: 'a.txt' })
    await call('files_edit', { path: 'a.txt', edits: [{ find: 'one\ntwo', replace: '1\n2' }] })
    expect(await now()).toBe('1\r\n2\r\n')
  })

  it('keeps a secret that the model was shown masked', async () => {
    const { call, now } = await world('key=kept\n')
    await call('files_read', { path: 'a.txt' })
    const text = 'key=[redacted: API key]\nmore\n'
    await expect(call('files_write', { path: 'a.txt', text })).rejects.toThrow('stands for a secret')
    const change = call('files_edit', { path: 'a.txt', edits: [{ find: 'key=kept', replace: text }] })
    await expect(change).rejects.toThrow('stands for a secret')
    expect(await now()).toBe('key=kept\n')
  })

  it('is not changed twice by two calls that were based on the same version', async () => {
    const { call, now } = await world()
    await call('files_read', { path: 'a.txt' })
    const ends = await Promise.allSettled(['x', 'y'].map(async (text) => call('files_write', { path: 'a.txt', text })))
    // Which of them comes first, the file system decides.
    const first = ends.findIndex(({ status }) => status === 'fulfilled')
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await now()).toBe(['x', 'y'][first])
  })

  it('says whether an edit happened whose end nobody saw', async () => {
    const { call, tools, file } = await world()
    const read = await call('files_read', { path: 'a.txt' })
    const look = async (wanted: readonly object[]) =>
      toolNamed(tools, 'files_edit').verify?.(
        { path: 'a.txt', edits: wanted },
        { signal: new AbortController().signal, key: 'k', attempt: 1, earlier: [{ tool: 'files_read', text: read }] },
      )
    expect(await look(edits)).toEqual({ happened: false })
    await writeFile(file, 'one\n2\nthree\n')
    expect(await look(edits)).toMatchObject({ happened: true, text: expect.stringContaining('-two\n+2') })
    await writeFile(file, 'one\n2\nthree\nand more\n')
    expect(await look(edits)).toEqual({ happened: 'unknown' })
  })
})

describe('a loop that is taken up again after a crash', () => {
  it('knows what it had read, and sees what changed while it was away', async () => {
    const { root, tools, now } = await world()
    await mkdir(path.join(root, 'b'))
    await writeFile(path.join(root, 'b/c.txt'), 'two')
    const effects = createEffectLog()
    const saved: Checkpoint[] = []
    const run = async (script: readonly (readonly [tool: string, args: object])[], from?: Checkpoint) => {
      const calls = script.values()
      const end = await runInnerLoop({
        model: {
          async respond() {
            const next = calls.next().value
            if (next === undefined) return { text: 'done' }
            return { calls: [{ id: `${next[0]}-${saved.length}`, tool: next[0], args: JSON.stringify(next[1]) }] }
          },
        },
        tools,
        messages: [{ role: 'user', text: 'Edit it.' }],
        work: { plan: 'p', step: 's', effects },
        save: async (checkpoint) => void saved.push(JSON.parse(JSON.stringify(checkpoint)) as Checkpoint),
        ...(from !== undefined && { from }),
      })
      return end.ended === 'stopped' ? end.messages : []
    }
    await run([
      ['files_read', { path: 'a.txt' }],
      ['files_read', { path: 'b/c.txt' }],
    ])
    await writeFile(path.join(root, 'b/c.txt'), 'two!')
    // The checkpoint after the second call, as the log would give it to the next worker.
    const messages = await run(
      [
        ['files_edit', { path: 'a.txt', edits }],
        ['files_edit', { path: 'b/c.txt', edits }],
      ],
      saved[3],
    )
    const answers = messages
      .filter((message): message is Message & { role: 'tool' } => message.role === 'tool')
      .slice(2)
    expect(answers.map(({ failed }) => failed)).toEqual([false, true])
    expect(answers[1]?.text).toContain('was changed since you read it')
    expect(await now()).toBe('one\n2\nthree\n')
  })
})
