/**
 * The program of a crew member: opens the given plugin and carries out orders, until it is killed or its parent has ended. Replies are
 * written synchronously, so that they are not lost in a kill.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Locator, type StorageBackend } from '@agentm/storage-seam'
import { loadPlugin } from '../load-plugin.ts'
import { placedSettings } from '../placed-settings.ts'
import { sealedText } from '../pure/sealed-text.ts'
import type { Order, Posting, Reply } from './order.ts'

const replies = 3
const longestHoldMs = 100_000

const posting = JSON.parse(process.argv[2] ?? '') as Posting
const plugin = await loadPlugin(posting.module)
const backend = await plugin.open(placedSettings(plugin, posting.settings, posting.directory))
say({ is: 'ready' })
for await (const line of createInterface({ input: process.stdin })) await obey(JSON.parse(line) as Order)
process.exit()

async function obey(order: Order): Promise<void> {
  try {
    say({ is: 'answer', value: await perform(backend, order) })
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    say({ is: 'refusal', code: String(code), message: String(message) })
  }
}

async function perform(on: StorageBackend, order: Order): Promise<unknown> {
  const at = new Locator(order.key)
  switch (order.do) {
    case 'read':
      return on.read(at)
    case 'list':
      return (await on.list(at)).map(({ key }) => key)
    case 'write':
      return (await on.write(at, order.text, order.ifHash === undefined ? {} : { ifHash: order.ifHash })).key
    case 'append':
      for (const line of order.lines) await on.update(at, (current = '') => `${current}${line}\n`)
      return order.lines.length
    case 'hold':
      return on.update(at, stayInside)
    default:
      return rewriteForEver(on, at, order.length)
  }
}

/** Blocks the whole process in the middle of an update, like a process that hangs or crashes. */
function stayInside(): undefined {
  say({ is: 'inside' })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, longestHoldMs)
}

async function rewriteForEver(on: StorageBackend, at: Locator, length: number): Promise<never> {
  for (let i = 0; ; i++) {
    const text = sealedText(`version ${i}`, length)
    say({ is: 'writing' })
    await on.write(at, text)
  }
}

function say(reply: Reply): void {
  writeSync(replies, `${JSON.stringify(reply)}\n`)
}
