/**
 * A store whose caller dies at its nth write: before it is committed, or right after. From then on every call hangs for
 * ever, as calls of a dead process do.
 */
import type { NodeStore } from '@agentm/nodes'

export interface Death {
  readonly at: number
  readonly when: 'before' | 'after'
}

export interface MortalStore {
  readonly store: NodeStore
  /** How many writes there were. */
  readonly writes: () => number
  readonly isDead: () => boolean
}

const written: readonly string[] = ['append', 'take', 'openSession']

export function mortalStore(store: NodeStore, death: Death): MortalStore {
  let writes = 0
  let dead = false
  const mortal = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: readonly unknown[]): unknown => {
          if (dead) return name === 'feed' ? silence() : forever()
          if (!written.includes(String(name))) return member.apply(target, args)
          writes += 1
          if (writes !== death.at) return member.apply(target, args)
          dead = true
          return death.when === 'before' ? forever() : Promise.resolve(member.apply(target, args)).then(forever)
        }
      },
    })
  return {
    store: { log: mortal(store.log), work: mortal(store.work), recall: store.recall, close: async () => undefined },
    writes: () => writes,
    isDead: () => dead,
  }
}

async function forever(): Promise<never> {
  return new Promise(() => undefined)
}

function silence(): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: forever }) }
}
