import { expect, onTestFinished, test } from 'vitest'
import { ChangeSignal } from '../src/change-signal.ts'
import { Connection } from '../src/connection.ts'
import { loadSqlite } from '../src/load-sqlite.ts'
import { openStore } from './open-store.ts'

test('a waiting feed checks for commits forty times a second, and does nothing else', async () => {
  const { looks, waitFor } = await countedSignal()
  const began = performance.now()
  await waitFor(1000)
  // A timer that fires late is not made up for, so there can be fewer checks, but never more.
  expect(looks()).toBeGreaterThan(5)
  expect(looks()).toBeLessThanOrEqual(2 + (performance.now() - began) / 25)
})

test('a feed that nobody waits for checks nothing', async () => {
  const { looks, waitFor } = await countedSignal()
  await waitFor(50)
  const before = looks()
  await new Promise((go) => setTimeout(go, 200))
  expect(looks()).toBe(before)
})

/** A change signal over a store's file, and how often it has asked the file for its version. */
async function countedSignal() {
  const { path } = await openStore()
  const { DatabaseSync } = await loadSqlite()
  let looks = 0
  class CountedConnection extends Connection {
    override number(sql: string): number {
      looks += 1
      return super.number(sql)
    }
  }
  const reader = new CountedConnection(new DatabaseSync(path, { readOnly: true }), path)
  const signal = new ChangeSignal(reader, path)
  onTestFinished(() => {
    signal.close()
    reader.close()
  })
  return { looks: () => looks, waitFor: (ms: number) => signal.wait(() => false, AbortSignal.timeout(ms)) }
}
