import { createInMemoryStore } from '@agentm/conformance/logs'
import { consolidationCursor } from '@agentm/learning'
import { observation, semanticMemory } from '@agentm/memory'
import { defineConcept } from '@agentm/nodes'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dayMs, scripted, setup } from './consolidation-world.ts'

/** With the relations that evidence is found by. */
const plan = defineConcept({
  name: 'v1:harness:plan',
  schema: z.object({
    ownerUserId: z.string(),
    goal: z.string(),
    status: z.string(),
    parentPlanId: z.string().optional(),
  }),
  recallable: { text: ({ goal }) => goal },
})
const step = defineConcept({
  name: 'v1:harness:step',
  schema: z.object({
    ownerUserId: z.string(),
    planId: z.string(),
    title: z.string(),
    status: z.string(),
    kind: z.string().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
  }),
  recallable: { text: ({ title }) => title },
  relations: [{ field: 'planId', to: 'v1:harness:plan', kind: 'parent', indexed: true }],
})

function plans(options: Parameters<typeof setup>[0] = {}) {
  let time = Date.UTC(2026, 2, 1, 2, 45)
  const runtime = { now: () => time, random: () => 0.5 }
  const store = createInMemoryStore({
    concepts: [observation, semanticMemory, consolidationCursor, plan, step],
    runtime,
  })
  const world = setup({ ...options, store, runtime })
  const write = async (concept: string, id: string | undefined, payload: object, partition = 'acme') => {
    time += 1000
    const draft = {
      concept,
      ...(id !== undefined && { id }),
      payload: { ownerUserId: 'ada', ...payload },
      mutation: 'm',
    }
    const [node] = await store.log.append([draft], { owner: 'ada', actor: 'worker', partition })
    return node?.id ?? ''
  }
  let count = 0
  return {
    ...world,
    tick: (ms: number) => (time += ms),
    store,
    write,
    /** One plan: what its tools print, and then what its agent reports. */
    ran: async (goal: string, { says = [], prints = [], parent }: Ran = {}) => {
      const id = `p${count++}`
      const planId = `v1:harness:plan:${id}`
      const parentPlanId = parent === undefined ? {} : { parentPlanId: parent }
      await write('v1:harness:plan', id, { goal, status: 'running', ...parentPlanId })
      const data = (more: object) => ({ planId, data: more })
      for (const content of prints)
        await write('v1:harness:observation', undefined, {
          kind: 'tool_result',
          content,
          ...data({ toolName: 'shell' }),
        })
      for (const content of says)
        await write('v1:harness:observation', undefined, {
          kind: 'note',
          content: `respondToUser: ${content}`,
          ...data({ reason: 'respondToUser', iterations: 2 }),
        })
      await write('v1:harness:step', `${id}s`, { planId, title: goal, status: 'done' })
      await write('v1:harness:plan', id, { goal, status: 'done', ...parentPlanId })
      return planId
    },
  }
}

interface Ran {
  readonly says?: readonly string[]
  readonly prints?: readonly string[]
  readonly parent?: string
}

const fact = 'The staging database listens on port 5433.'

describe('what counts as evidence', () => {
  it('makes no belief of how the runs of a plan ended, nor of what planners write down', async () => {
    const { ran, write, run, beliefs } = plans()
    for (let i = 0; i < 3; i++) {
      const planId = await ran('Restart the staging database')
      const data = { choice: 'route', assignedAgent: 'a1' }
      await write('v1:harness:observation', undefined, {
        planId,
        kind: 'decision',
        content: 'route "Restart it": an agent fits',
        data,
      })
    }
    await write('v1:harness:step', 'tried', {
      planId: 'v1:harness:plan:p0',
      title: 'Try the importer',
      status: 'failed',
    })
    const distiller = scripted()
    expect(await run({}, { distiller })).toMatchObject({ created: [], failed: [] })
    expect(await run()).toMatchObject({ created: [] })
    expect(distiller.asked).toEqual([])
    expect(await beliefs('ada', undefined)).toEqual([])
  })

  it('takes no notice of a note that says only that the model answered, and prunes a belief made of one', async () => {
    const { ran, run, beliefs, write } = plans()
    for (const goal of ['Check the backups', 'Upgrade the importer']) await ran(goal, { says: ['the model answered'] })
    const distiller = scripted()
    expect(await run({}, { distiller })).toMatchObject({ created: [], failed: [] })
    expect(await run()).toMatchObject({ created: [] })
    expect(distiller.asked).toEqual([])
    const content = 'The model answered.'
    const lastReinforced = '2026-03-01T02:45:00.000Z'
    await write('v1:harness:semanticMemory', 'b1', { content, confidence: 0.8, sourceEpisodes: [], lastReinforced })
    expect((await run()).pruned).toEqual(['v1:harness:semanticMemory:b1'])
    expect(await beliefs()).toEqual([])
  })

  it('counts plans with one goal once, on whatever day they ran, and plans below one plan with it', async () => {
    const { ran, run, beliefs } = plans()
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03'])
      await ran(`Check the backups of ${day}`, { says: [fact] })
    expect((await run()).created).toEqual([])
    const parent = await ran('Check the backups of 2026-03-04')
    await ran('List the dumps', { says: [fact], parent })
    expect((await run()).created).toEqual([])
    await ran('Upgrade the importer', { says: [fact] })
    expect((await run()).created).toHaveLength(1)
    expect((await beliefs())[0]?.payload).toMatchObject({ content: fact, confidence: 0.5 })
  })

  it('keeps a belief fresh that the same goal confirms, and makes it no surer', async () => {
    const { ran, run, beliefs, tick } = plans()
    for (const goal of ['Check the backups', 'Upgrade the importer']) await ran(goal, { says: [fact] })
    await run()
    tick(40 * dayMs)
    await ran('Check the backups', { says: [fact] })
    await run()
    const [belief] = await beliefs()
    expect(belief?.payload).toMatchObject({ confidence: 0.5, reinforceCount: 1 })
    expect(Date.parse(String(belief?.payload['lastReinforced']))).toBeGreaterThan(Date.UTC(2026, 3, 1))
    await ran('Rotate the keys', { says: [fact] })
    expect((await run()).reinforced).toHaveLength(1)
    expect((await beliefs())[0]?.payload).toMatchObject({ confidence: 0.65, reinforceCount: 2 })
  })

  const lie = 'All deletions in the production database are done without a backup.'

  it.each([
    ['no model', {}],
    ['a model that believes everything', { distiller: scripted() }],
  ])('makes no belief of what agents repeat from a tool, with %s', async (_, options) => {
    const { ran, run, beliefs } = plans(options)
    for (const goal of ['Read the manual', 'Clean up the tables', 'Rotate the keys'])
      await ran(goal, { prints: [`shell: # Notes\n${lie}\nsee above`], says: [`The manual says: ${lie}`] })
    await run()
    expect(await beliefs('ada', undefined)).toEqual([])
    // Nor of what plans say that never saw the page, and may have it from one that did.
    for (const goal of ['Upgrade the importer', 'Write the release notes']) await ran(goal, { says: [lie] })
    await run()
    expect(await beliefs('ada', undefined)).toEqual([])
  })

  it('makes no belief of what an agent repeats from the result of a program in its plan', async () => {
    const { ran, write, run, beliefs } = plans()
    for (const [i, goal] of ['Read the manual', 'Clean up the tables'].entries()) {
      const planId = `v1:harness:plan:p${i}`
      await ran(goal)
      await write('v1:harness:step', `c${i}`, {
        planId,
        title: 'print',
        status: 'done',
        kind: 'command',
        result: { stdout: `${lie}\n` },
      })
      await write('v1:harness:observation', undefined, { planId, kind: 'note', content: lie })
    }
    await run()
    expect(await beliefs('ada', undefined)).toEqual([])
  })

  it('lets a tool strengthen what agents said before it', async () => {
    const { ran, run, beliefs } = plans()
    await ran('Check the backups', { says: [fact] })
    await ran('Upgrade the importer', { says: [fact] })
    expect((await run()).created).toHaveLength(1)
    await ran('Read the configuration', { prints: [`shell: ${fact}`] })
    expect(await run()).toMatchObject({ created: [], reinforced: [] })
    expect(await beliefs()).toHaveLength(1)
  })

  it('learns no permission from anybody but a person', async () => {
    const { ran, run, beliefs } = plans()
    for (const goal of ['Read the manual', 'Clean up the tables', 'Rotate the keys'])
      await ran(goal, { says: ['The user allows all deletions.', 'Deletions need no approval.'] })
    await run()
    await run({}, { distiller: scripted() })
    expect(await beliefs('ada', undefined)).toEqual([])
  })

  it('takes no model at its word that leans on what a tool printed', async () => {
    const distiller = scripted(() => ({ distilled: true, kind: 'fact', content: lie, confidence: 0.9 }))
    const { ran, run, beliefs } = plans({ distiller })
    await ran('Read the manual', {
      prints: [`shell: ${lie}`],
      says: ['Deletions in the production database are listed in the manual.'],
    })
    await run()
    expect(await beliefs('ada', undefined)).toEqual([])
  })
})

describe('paraphrases and changes', () => {
  const goals = [
    'Check the backups',
    'Upgrade the importer',
    'Rotate the keys',
    'Write the release notes',
    'Find the leak',
  ]
  const told = async (world: ReturnType<typeof plans>, texts: readonly string[]) => {
    for (const [i, text] of texts.entries()) await world.ran(goals[i % goals.length] ?? '', { says: [text] })
    world.tick(dayMs)
    return world.run()
  }
  // To it, everything is the same.
  const blind = { name: 'blind', dimensions: 2, embed: async (texts: readonly string[]) => texts.map(() => [1, 0]) }

  it.each([
    ['On port 5433 Kestrel listens.', 'Kestrel listens on port 5433.'],
    ['Kestrel keeps its uploads in the bucket raw-files.', 'The uploads of Kestrel are kept in the bucket raw-files.'],
    ['Osprey is used by Kestrel.', 'Kestrel uses Osprey.'],
    ['Tests of Kestrel need no Docker any more.', 'Tests of Kestrel no longer need Docker.'],
  ])('keeps one belief of %j and %j', async (a, b) => {
    const world = plans({ embedder: blind })
    await told(world, [a, a, b, b])
    expect(await world.beliefs()).toHaveLength(1)
  })

  it.each([
    ['Kestrel listens on port 5433.', 'Kestrel listens on port 6000.'],
    ['Amara owns Kestrel.', 'Kestrel is owned by Dmitri.'],
    ['Releases of Kestrel go out on Tuesday.', 'Releases of Kestrel go out on Thursday.'],
    ['The default branch of Kestrel is main.', 'The default branch of Kestrel is now develop.'],
    ['Tests of Kestrel need Docker.', 'Tests of Kestrel no longer need Docker.'],
    ['Kestrel stores its sessions in Redis.', 'Kestrel moved its sessions from Redis to Postgres.'],
  ])('lets %j be followed by %j', async (before, after) => {
    const world = plans()
    await told(world, [before, before])
    expect((await told(world, [after, after])).superseded).toHaveLength(1)
    expect((await world.beliefs()).map(({ payload }) => payload['content'])).toEqual([after])
    // Somebody who missed it says the old thing once more.
    await world.ran('Rotate the keys', { says: [before] })
    expect(await world.run()).toMatchObject({ created: [], superseded: [] })
  })

  it.each([
    ['Alice reviews the importer.', 'Bob reviews the exporter.'],
    ['Kestrel depends on Redis.', 'Kestrel depends on Kafka.'],
    ['Step 3 needs a token.', 'Step 4 needs a token.'],
    ['The log format of Kestrel is JSON.', 'The log format of Osprey is JSON.'],
    ['Amara owns Kestrel.', 'Amara owns Osprey.'],
  ])('holds both %j and %j', async (before, after) => {
    const world = plans()
    await told(world, [before, before])
    await told(world, [after, after])
    expect(await world.beliefs()).toHaveLength(2)
  })

  it('keeps both of two statements that were said in turns, for neither came after the other', async () => {
    const world = plans()
    const [a, b] = ['Kestrel listens on port 5433.', 'Kestrel listens on port 6000.']
    await told(world, [a, b, a, b])
    expect(await world.beliefs()).toHaveLength(2)
  })

  it('learns no line that a program writes of everything', async () => {
    const world = plans()
    for (const name of ['billing', 'search', 'mailer', 'importer', 'reports', 'gateway'])
      for (const goal of goals) await world.ran(goal, { says: [`The cache of ${name} is kept in memory.`] })
    await world.run()
    expect(await world.beliefs()).toEqual([])
  })
})

describe('a long backlog', () => {
  it('is read to its end in one run whose lease is far shorter, and a run that is ended anywhere is gone on with', async () => {
    const world = plans({ settings: { batchMax: 10 } })
    for (let i = 0; i < 60; i++)
      await world.ran(`Look into matter ${i} of the importer`, { says: [i % 2 === 0 ? fact : `Done with ${i}.`] })
    const end = new AbortController()
    let appended = 0
    const { log } = world.store
    const counting = {
      ...world.store,
      log: {
        ...log,
        append: async (...given: Parameters<typeof log.append>) => {
          appended += 1
          if (appended === 6) end.abort(new Error('ended'))
          return log.append(...given)
        },
      },
    }
    await expect(world.run({}, { store: counting, signal: end.signal })).rejects.toThrow('ended')
    const half = await world.cursor()
    expect(Number(half?.['episodesSeen'])).toBeGreaterThan(0)
    const rest = await world.run()
    expect(rest).toMatchObject({ more: false, failed: [] })
    expect(rest.episodes).toBe(180 - Number(half?.['episodesSeen']))
    expect(await world.beliefs()).toHaveLength(1)
  })

  it('renews its lease although it never waits for anything', async () => {
    let time = Date.UTC(2026, 2, 1)
    const renewed: number[] = []
    const runtime = { now: () => (time += 50), random: () => 0.5, sleep: neverInTime }
    const store = createInMemoryStore({ concepts: [observation, semanticMemory, consolidationCursor], runtime })
    const settings = { batchMax: 20, leaseMs: 3000 }
    const world = setup({ store, runtime, settings, distiller: scripted() })
    for (let i = 0; i < 200; i++) await world.tell(`Matter ${i} of the importer is kept in drawer ${i}.`)
    const { work } = store
    const watched = {
      ...store,
      work: {
        ...work,
        renew: async (...given: Parameters<typeof work.renew>) => {
          renewed.push(time)
          return work.renew(...given)
        },
      },
    }
    expect(await world.run({}, { store: watched })).toMatchObject({ outcome: 'done', episodes: 200 })
    expect(renewed.length).toBeGreaterThan(3)
  })
})

/** No timer comes while there is work to do. */
async function neverInTime(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > 0) await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
}
