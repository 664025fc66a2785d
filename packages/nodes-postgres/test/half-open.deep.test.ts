/** Lines that go silent without being cut: nobody waits for minutes, is misled, or stays locked out. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { halfOpenWorld, limited, there, ways } from './half-open-world.ts'
import { ada, observation, sampleStore, step } from './sample-store.ts'

const { needs, server, setup } = halfOpenWorld()
const steps = { owners: ['ada'], concepts: ['v1:sample:step'], actor: 'worker' }

describe.for(ways)('$way', ({ pooled }) => {
  test(
    'whoever only looks is told that the server does not answer, and nothing about writing',
    { timeout: 60_000 },
    async ({ skip }) => {
      needs(pooled, skip)
      const { line, store } = await setup(pooled)
      line.goSilent()
      const looks = [
        store.log.scan({ owner: 'ada' }),
        store.log.history(there, ada),
        store.log.check(),
        store.work.sessions(),
        store.log.position(),
      ].map(async (look) => look.then(() => undefined, refusal))
      for (const refused of await Promise.all(looks)) {
        expect(refused).toMatchObject({ code: 'SERVER_UNREACHABLE' })
        expect(refused?.message).not.toContain('written')
      }
    },
  )

  test(
    'a feed whose lines all went silent goes on over new ones, and skips nothing',
    { timeout: 60_000 },
    async ({ skip }) => {
      needs(pooled, skip)
      const { line, store, witness } = await setup(pooled)
      const stop = new AbortController()
      onTestFinished(() => stop.abort())
      const seen: unknown[] = []
      const reading = (async () => {
        for await (const { node } of store.log.feed({ owner: 'ada', after: 0, signal: stop.signal }))
          seen.push(node.payload['content'])
      })()
      await expect.poll(() => seen).toEqual(['there'])
      line.goSilent()
      await witness.log.append([observation('meanwhile')], ada)
      line.heal()
      await expect.poll(() => seen, { timeout: 20_000 }).toEqual(['there', 'meanwhile'])
      stop.abort()
      await reading
    },
  )

  test('a session is renewed over a new line when the old one went silent', { timeout: 60_000 }, async ({ skip }) => {
    needs(pooled, skip)
    const { line, store } = await setup(pooled)
    const { id: session } = await store.work.openSession({ actor: 'worker', leaseMs: 60_000 })
    line.goSilent()
    line.heal()
    expect(await store.work.renew(session, { leaseMs: 60_000 })).toMatchObject({ claims: [] })
  })

  test('a store whose lines went silent is closed at once', { timeout: 60_000 }, async ({ skip }) => {
    needs(pooled, skip)
    const { line, store } = await setup(pooled)
    const stop = new AbortController()
    const feed = store.log.feed({ owner: 'ada', after: 0, signal: stop.signal })[Symbol.asyncIterator]()
    await feed.next()
    const { id: session } = await store.work.openSession({ actor: 'worker', leaseMs: 60_000 })
    const hold = await store.work.hold(session)
    line.goSilent()
    stop.abort()
    const began = performance.now()
    await hold.release()
    await store.close()
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('what a vanished client had locked is free again soon', { timeout: 60_000 }, async ({ skip }) => {
    needs(pooled, skip)
    const { line, store, witness } = await setup(pooled)
    // Erasing locks the head first, and asks for its versions in the same transaction; here its client vanishes in between.
    const silent = line.goSilentAt('order by n.version', 'before')
    const erasing = store.log.redact(there, ada).catch(refusal)
    await silent
    line.goSilent()
    await witness.log.append([observation('changed', 'a')], ada)
    expect(await erasing).toMatchObject({ code: 'SERVER_UNREACHABLE' })
    expect((await witness.log.history(there, ada)).map(({ version }) => version)).toEqual([1, 2])
  })

  test('a program whose lines went silent ends by itself', { timeout: 60_000 }, async ({ skip }) => {
    needs(pooled, skip)
    const { line, schema } = await setup(pooled)
    const script = fileURLToPath(new URL('closing-process.mjs', import.meta.url))
    const options = JSON.stringify({ url: line.url, schema, pooled, ...limited })
    const child = spawn(process.execPath, [script, options], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    line.goSilent()
    const began = performance.now()
    const closed = once(child, 'close')
    child.stdin.end()
    expect(await closed).toEqual([0, null])
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

test('a claim of a worker that vanished with its host ends with its lease', { timeout: 60_000 }, async () => {
  const { line, schema, witness } = await setup(false)
  const store = await sampleStore(server(), { schema, url: line.url, ...limited })
  await witness.log.append([step('s'), { ...step('s', { status: 'ready' }), update: true }], ada)
  const { id: session } = await store.work.openSession({ actor: 'worker', leaseMs: 2000 })
  await store.work.hold(session)
  expect(await store.work.take({ session, ...steps, k: 1 })).toHaveLength(1)
  line.goSilent()
  await expect
    .poll(async () => witness.work.abandoned({ owners: ['ada'] }), { timeout: 10_000 })
    .toMatchObject([{ session, why: 'lease' }])
})

test('a hold whose line went silent is taken again over a new one', { timeout: 90_000 }, async () => {
  const { line, store, witness } = await setup(false)
  await witness.log.append([step('s'), { ...step('s', { status: 'ready' }), update: true }], ada)
  const { id: session } = await store.work.openSession({ actor: 'worker', leaseMs: 600_000 })
  const hold = await store.work.hold(session)
  expect(await witness.work.abandoned({ owners: ['ada'] })).toEqual([])
  line.goSilent()
  line.heal()
  // The server has long let go of the old connection, as it does after half a minute without an answer.
  await endHolds()
  await expect.poll(holds, { timeout: 60_000 }).toBe(1)
  await store.log.latest(there, ada)
  expect(await store.work.take({ session, ...steps, k: 1 })).toHaveLength(1)
  expect(await witness.work.abandoned({ owners: ['ada'] })).toEqual([])
  await hold.release()
})

async function endHolds(): Promise<void> {
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agentm hold'`)
}

async function holds(): Promise<number> {
  return (await onServer(`select from pg_locks where locktype = 'advisory' and granted`)).length
}

async function onServer(text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: server().url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function refusal(error: unknown): Error {
  if (error instanceof Error) return error
  throw new TypeError('what is thrown is an error')
}
