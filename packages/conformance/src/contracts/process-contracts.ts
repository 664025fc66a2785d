/**
 * Contracts with writers in other processes, some of which are killed. Timing decides which interleavings a run meets: a pass is evidence
 * that grows with `scale`, a failure is proof.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Contract, World } from '../contract.ts'
import { must } from '../must.ts'
import { isSealed, sealedText } from '../pure/sealed-text.ts'
import type { Crew } from '../processes/crew.ts'
import type { CrewMember, Outcome } from '../processes/crew-member-handle.ts'

const sealedLength = 256 * 1024

export const processContracts: readonly Contract[] = [
  {
    id: 'process-sees-writes',
    sentence: 'shows one process what another has written',
    needs: ['concurrentWriters', 'processes'],
    async check({ crew }) {
      const [writer, reader] = [await crew.hire(), await crew.hire()]
      for (const text of ['first', 'second, longer']) {
        await writer.get({ do: 'write', key: 'seen/note.md', text })
        must.equal(await reader.get({ do: 'read', key: 'seen/note.md' }), text, 'the text read by another process')
      }
      return undefined
    },
  },
  {
    id: 'process-updates',
    sentence: 'loses no update when several processes update one note',
    needs: ['concurrentWriters', 'conditionalWrite', 'processes'],
    check: racingUpdates,
  },
  {
    id: 'process-creates',
    sentence: 'lets one of several processes create a note, and tells the others',
    needs: ['concurrentWriters', 'conditionalWrite', 'processes'],
    check: racingCreates,
  },
  {
    id: 'process-kill-whole',
    sentence: 'leaves the old or the new text when a process is killed while it writes',
    needs: ['concurrentWriters', 'processes'],
    async check(world) {
      return inStores(world, 6, async (store) => {
        await killWhileWriting(world.crew, store)
        const text = await (await world.crew.hire(store)).get({ do: 'read', key: 'killed/note.md' })
        must.hold(
          typeof text === 'string' && isSealed(text),
          'the text after a kill is neither the old nor the new one',
        )
      })
    },
  },
  {
    id: 'process-kill-tidy',
    sentence: 'lists no remnant of a killed writer after the next write',
    needs: ['concurrentWriters', 'processes'],
    async check(world) {
      return inStores(world, 6, async (store) => {
        await killWhileWriting(world.crew, store)
        const next = await world.crew.hire(store)
        await goingOn(world.crew, next, async () => next.ask({ do: 'write', key: 'killed/note.md', text: 'next' }))
        const listed = await next.get({ do: 'list', key: 'killed' })
        must.equal(listed, ['killed/neighbour.md', 'killed/note.md'], 'what is listed after a kill and a write')
      })
    },
  },
  {
    id: 'process-stale-lock',
    sentence: 'goes on after the holder of an update was killed, each of six waiting updates once',
    needs: ['concurrentWriters', 'conditionalWrite', 'processes'],
    async check(world) {
      return inStores(world, 1, async (store) => staleLock(world.crew, store))
    },
  },
]

/** Runs in rounds, so that the processes meet again even if one of them is scheduled late. */
async function racingUpdates({ crew, scale }: World): Promise<undefined> {
  const racers = await crew.hireMany(4)
  await racers[0]?.get({ do: 'write', key: 'race/note.md', text: 'start\n' })
  const tokens: string[] = []
  for (let round = 0; round < Math.max(5, 12 * scale); round++) {
    const racing = racers.map(async (racer, i) => {
      const lines = [`racer ${i}, round ${round}, first`, `racer ${i}, round ${round}, second`]
      tokens.push(...lines)
      return racer.get({ do: 'append', key: 'race/note.md', lines })
    })
    await Promise.all(racing)
  }
  const text = await (await crew.hire()).get({ do: 'read', key: 'race/note.md' })
  const lines = String(text).trimEnd().split('\n').slice(1)
  const lost = tokens.filter((token) => !lines.includes(token))
  must.equal(lost.length, 0, `updates lost of ${tokens.length}, such as ${JSON.stringify(lost[0])}`)
  must.equal(lines.length, tokens.length, 'lines after the race; more means some were applied twice')
  return undefined
}

async function racingCreates({ crew, scale }: World): Promise<undefined> {
  const racers = await crew.hireMany(4)
  for (let round = 0; round < Math.max(5, 10 * scale); round++) {
    const key = `create/${round}.md`
    const outcomes = await Promise.all(
      racers.map(async (racer, i) => racer.ask({ do: 'write', key, text: `racer ${i}`, ifHash: null })),
    )
    const winners = outcomes.flatMap(({ ok }, i) => (ok ? [`racer ${i}`] : []))
    must.equal(winners.length, 1, `winners of four that created ${key}`)
    const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.code]))
    must.equal(new Set(refusals), new Set(['CONCURRENT_MODIFICATION']), 'what the others were told')
    must.equal(await racers[0]?.get({ do: 'read', key }), winners[0], `the text of ${key}`)
  }
  return undefined
}

async function staleLock(crew: Crew, store: string): Promise<void> {
  const [holder, others] = await Promise.all([crew.hire(store), crew.hireMany(6, store)])
  await holder.get({ do: 'write', key: 'held/note.md', text: 'start\n' })
  holder.tell({ do: 'hold', key: 'held/note.md' })
  await holder.hear('inside')
  await holder.kill()
  const waiting = others.map(async (other, i) =>
    goingOn(crew, other, async () => other.ask({ do: 'append', key: 'held/note.md', lines: [`waiter ${i}`] })),
  )
  await Promise.all(waiting)
  const text = await others[0]?.get({ do: 'read', key: 'held/note.md' })
  const lines = String(text).trimEnd().split('\n')
  must.equal(lines.toSorted(), ['start', ...others.map((_, i) => `waiter ${i}`)], 'the lines after six went on, sorted')
}

/** One store per round, and all rounds at once, so that waits for locks of killed holders overlap. */
async function inStores(world: World, rounds: number, round: (store: string) => Promise<void>): Promise<undefined> {
  const stores = Array.from({ length: Math.max(1, Math.round(rounds * world.scale)) }, (_, i) => `store-${i}`)
  for (let i = 0; i < stores.length; i += 6) await Promise.all(stores.slice(i, i + 6).map(round))
  return undefined
}

/** Kills a process a moment after it began one of its writes of a long text. */
async function killWhileWriting(crew: Crew, store: string): Promise<void> {
  const victim = await crew.hire(store)
  await victim.get({ do: 'write', key: 'killed/neighbour.md', text: 'neighbour' })
  await victim.get({ do: 'write', key: 'killed/note.md', text: sealedText('the first', sealedLength) })
  victim.tell({ do: 'rewrite', key: 'killed/note.md', length: sealedLength })
  for (let i = 0; i < 3; i++) await victim.hear('writing')
  await sleep(Math.random() * 20)
  await victim.kill()
}

/** Repeats a refused call, because a backend may need time to take over a lock. It must succeed within the takeover time. */
async function goingOn(crew: Crew, member: CrewMember, attempt: () => Promise<Outcome>): Promise<void> {
  const deadline = performance.now() + crew.takeoverMs
  for (;;) {
    const outcome = await inTime(attempt(), deadline)
    if (outcome?.ok === true) return
    must.hold(
      outcome !== undefined && performance.now() < deadline,
      `${crew.takeoverMs} ms after a kill, another process still could not write (${outcome?.message ?? 'it waits'})`,
    )
    await sleep(50)
  }
}

async function inTime<T>(attempt: Promise<T>, deadline: number): Promise<T | undefined> {
  const over = new AbortController()
  const late = sleep(Math.max(0, deadline - performance.now()), undefined, { signal: over.signal })
  try {
    return await Promise.race([attempt, late.catch(() => undefined)])
  } finally {
    over.abort()
  }
}
