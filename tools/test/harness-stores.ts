/** What the harness promises, on the stores people use: the model of plans, and death at every commit. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { harnessConcepts } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import type { FilePath } from '@agentm/vault-lock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dieAndRecover } from '../../packages/harness/test/crash-points.ts'
import { tellForkStory, toldForkStory } from '../../packages/harness/test/fork/fork-story.ts'
import { holdToModel, type OpenStore } from '../../packages/harness/test/plan-model.ts'
import { findPostgres, type OwnPostgres, startPostgres } from '../postgres-server.mjs'

/** How much of it: runs of the model, and every how manieth commit somebody dies at. */
export interface Amount {
  readonly runs: number
  readonly stride: number
}

interface Place {
  readonly open: OpenStore
  /** Why there is none here. */
  readonly absent?: string
}

export function describeHarnessOn(name: 'sqlite' | 'postgres', { runs, stride }: Amount): void {
  describe(`the harness on ${name}`, () => {
    const { open, absent } = name === 'sqlite' ? sqlitePlace() : postgresPlace()

    it('lets through what the model says, and nothing else', async ({ skip }) => {
      if (absent !== undefined) skip(absent)
      await expect(holdToModel(open, { runs })).resolves.toBeUndefined()
    }, 600_000)

    it('runs a plan again from a step: carries over what was done, and runs and books the rest once', async ({
      skip,
    }) => {
      if (absent !== undefined) skip(absent)
      const store = await open(Date.now)
      try {
        const story = await tellForkStory(store)
        expect(story).toMatchObject(toldForkStory)
        expect(story.ran.filter((each) => each.startsWith('two')).toSorted()).toEqual(['two build', 'two ship'])
        expect(story.usage).toMatchObject({ steps: 2, tokens: 20 })
        expect([story.first, story.again]).toMatchObject([
          { created: true, carried: 2 },
          { created: false, carried: 2 },
        ])
        expect((await store.log.check()).problems).toEqual([])
      } finally {
        await store.close()
      }
    })

    for (const when of ['before', 'after'] as const)
      it(`finishes what a worker left that died ${when} a commit`, async ({ skip }) => {
        if (absent !== undefined) skip(absent)
        let deaths = 0
        for (let at = 1; ; at += stride) {
          const { died, end, expected } = await dieAndRecover({ at, when }, async () => open(Date.now))
          expect(end, `died ${when} write ${at}`).toEqual(expected)
          if (!died) break
          deaths += 1
        }
        expect(deaths).toBeGreaterThanOrEqual(Math.floor(25 / stride))
      }, 600_000)
  })
}

function sqlitePlace(): Place {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'harness-stores-'))
  let files = 0
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return {
    async open(now) {
      const file = path.join(directory, `${(files += 1)}.db`) as FilePath
      return openSqliteStore({ path: file, concepts: harnessConcepts, runtime: { now } })
    },
  }
}

function postgresPlace(): Place {
  const found = findPostgres()
  let server: OwnPostgres | undefined
  beforeAll(async () => {
    if (typeof found !== 'string') server = await startPostgres(found)
  }, 60_000)
  afterAll(async () => server?.stop(), 60_000)
  return {
    async open(now): Promise<NodeStore> {
      if (server === undefined) throw new Error('the server is started before the first test')
      const { url } = server
      return openPostgresStore({ url, schema: server.newSchema(), concepts: harnessConcepts, runtime: { now } })
    },
    ...(typeof found === 'string' && { absent: found }),
  }
}
