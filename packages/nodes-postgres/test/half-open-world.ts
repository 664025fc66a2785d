/** A store whose line can go silent, directly or behind a pooler, and one that sees what became of it. */
import type { NodeStore } from '@agentm/nodes'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { findPostgres, type OwnPostgres } from '../../../tools/postgres-server.mjs'
import { findPgbouncer, startPgbouncer } from '../../../tools/pgbouncer.mjs'
import { type SilentLine, silentLine } from '../../../tools/silent-line.mjs'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, observation, sampleStore } from './sample-store.ts'

export const limited = { statementTimeoutMs: 500, patienceMs: 1000 }
export const there = 'v1:sample:observation:a'
export const ways = [
  { way: 'directly', pooled: false },
  { way: 'behind a pooler', pooled: true },
]

export interface HalfOpen {
  readonly line: SilentLine
  readonly schema: string
  readonly store: NodeStore
  readonly witness: NodeStore
}

export interface HalfOpenWorld {
  readonly server: () => OwnPostgres
  readonly setup: (pooled: boolean) => Promise<HalfOpen>
  /** Skips a test that wants a pooler where there is none. */
  readonly needs: (pooled: boolean, skip: (why: string) => void) => void
}

export function halfOpenWorld(): HalfOpenWorld {
  const server = ownPostgres()
  const found = findPgbouncer()
  let pooler: Awaited<ReturnType<typeof startPgbouncer>> | undefined
  beforeAll(async () => {
    if (typeof found !== 'string' && typeof findPostgres() !== 'string') pooler = await startPgbouncer(found, server())
  }, 60_000)
  afterAll(async () => {
    await pooler?.stop()
  })
  const line = async (pooled: boolean): Promise<SilentLine> => {
    const place = pooled ? pooler : server()
    if (place === undefined) throw new Error('the pooler is started before the test')
    const made = await silentLine(place)
    onTestFinished(() => made.stop())
    return made
  }
  return {
    server,
    needs(pooled, skip) {
      if (pooled && typeof found === 'string') skip(found)
    },
    async setup(pooled) {
      const schema = server().newSchema()
      const made = await line(pooled)
      const witness = await sampleStore(server(), { schema })
      await witness.log.append([observation('there', 'a')], ada)
      return {
        line: made,
        schema,
        witness,
        store: await sampleStore(server(), { schema, url: made.url, pooled, ...limited }),
      }
    },
  }
}
