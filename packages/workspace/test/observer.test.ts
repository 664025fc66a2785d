import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openWorkspace, type WorkspaceObserver } from '@agentm/workspace'

it('hands out what its observer made of store and memory, and asks the observer only when one of them is opened', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'observed-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const [recalls, appended, asked]: [string[], string[], string[]] = [[], [], []]
  const observer: WorkspaceObserver = {
    store: (store, { owners }) => ({
      ...store,
      log: {
        ...store.log,
        async append(drafts, options) {
          appended.push(...drafts.map(({ concept }) => `${owners.join()} ${concept}`))
          return store.log.append(drafts, options)
        },
      },
    }),
    kind: (kind) => kind,
    model: (model) => model,
    tools: (tools) => tools,
    memory: (memory) => ({
      ...memory,
      async recall(request) {
        recalls.push(request.text)
        return memory.recall(request)
      },
    }),
  }
  const workspace = await openWorkspace(
    { home },
    {
      observer: async () => {
        asked.push('asked')
        return observer
      },
    },
  )
  onTestFinished(() => workspace.close())
  const owner = await workspace.owner()
  expect(asked).toEqual([])
  await (await workspace.memory()).recall({ text: 'ports' })
  expect(recalls).toEqual(['ports'])
  const { harness } = await workspace.plans()
  await harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'a', kind: 'approval' }] })
  expect(new Set(appended)).toEqual(new Set([`${owner} v1:harness:plan`, `${owner} v1:harness:step`]))
})
