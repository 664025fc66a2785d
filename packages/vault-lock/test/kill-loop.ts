/** Four processes that write one file, one of them killed again and again, and others come in their place. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setup, type Child } from './world.ts'

export interface KillLoop {
  writes: number
  pythonWrites: number
  kills: number
  /** Writes that were acknowledged and are not there. */
  lost: number
  refused: number
  /** The longest time in which nobody finished a write. */
  stallMs: number
}

interface Told {
  readonly name: string
  readonly count?: number
  readonly lost?: number
}

const writers = 4

export async function killLoop(seconds: number, { python }: { readonly python: boolean }): Promise<KillLoop> {
  const { root, lock, start, at } = await setup()
  mkdirSync(at('_meta'))
  const target = at('_meta/repos.json')
  const loop: KillLoop = { writes: 0, pythonWrites: 0, kills: 0, lost: 0, refused: 0, stallMs: 0 }
  const acknowledged = new Map<string, number>()
  let last: number | undefined
  let isOver = false
  const tell = ({ name, count, lost }: Told) => {
    const now = performance.now()
    if (last !== undefined && !isOver) loop.stallMs = Math.max(loop.stallMs, now - last)
    last = now
    if (count === undefined) {
      loop.refused += 1
      return
    }
    loop[name === 'python' ? 'pythonWrites' : 'writes'] += 1
    loop.lost += lost ?? 0
    acknowledged.set(name, count)
  }
  const crew: Child[] = []
  let lives = 0
  const hire = (place: number) => {
    const child = start('ledger', root, target, `writer-${(lives += 1)}`)
    child.process.on('message', tell)
    crew[place] = child
  }
  for (let place = 0; place < writers; place++) hire(place)
  const peer = python ? startPython([lock, target, 'python'], tell) : undefined
  while (acknowledged.size < writers) await sleep(20)

  last = performance.now()
  const until = last + 1000 * seconds
  while (performance.now() < until) {
    await sleep(50 + 200 * Math.random())
    const place = Math.floor(writers * Math.random())
    const victim = crew[place]
    victim?.process.kill('SIGKILL')
    await victim?.exit()
    loop.kills += 1
    hire(place)
  }
  tell({ name: 'the end' })
  loop.refused -= 1
  // What is heard from now on was written before; and Python waits for the heartbeat of whoever is killed here.
  isOver = true
  for (const { process } of crew) process.kill('SIGKILL')
  await Promise.all(crew.map((child) => child.exit()))
  await peer?.()
  const entries = JSON.parse(readFileSync(target, 'utf8')) as Record<string, number>
  for (const [name, count] of acknowledged) if ((entries[name] ?? 0) < count) loop.lost += 1
  return loop
}

/** Ends it when it is called. */
function startPython(args: readonly string[], tell: (told: Told) => void): () => Promise<void> {
  const script = join(import.meta.dirname, 'children', 'ledger.py')
  const child = spawn('python3', [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let text = ''
  child.stdout.on('data', (data: Buffer) => {
    const lines = `${text}${data.toString()}`.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) tell(JSON.parse(line) as Told)
  })
  return () => {
    child.stdin.end()
    return ended
  }
}
