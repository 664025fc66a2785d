import { todoTools } from '@agentm/agent-loop/tools'
import { afterEach, expect, it } from 'vitest'
import { agentKind, readTrace, type StepRun, stepTodo } from '../src/index.ts'
import { calls, scriptedModel } from '../../../tools/model-in-process.mjs'
import { type Setup, setup } from '../../../tools/harness-in-process.mjs'

const open: Setup[] = []
afterEach(async () => {
  for (const each of open.splice(0)) {
    await each.close()
    if (each.errors.length > 0) throw new AggregateError(each.errors)
  }
})

const ownToolsOf = async (run: StepRun) => todoTools(stepTodo(run))

const items = [
  { text: 'Read the test', status: 'done' },
  { text: 'Fix the code', status: 'doing' },
  { text: 'Run the test', status: 'open' },
]

it('keeps what an agent has to do in the plan, where another attempt and a person find it', async () => {
  const made = setup()
  open.push(made)
  const { harness, store, ended, worker } = made
  const shown: unknown[] = []
  let planId = ''
  const model = scriptedModel(
    calls(['todo_read', {}]),
    calls(['todo_write', { items: [{ text: 'Read the test' }] }]),
    calls(['todo_write', { items }]),
    async () => {
      shown.push((await harness.status(planId)).waiting[0]?.todo)
      return calls(['todo_read', {}])
    },
    // The attempt fails, and the next one begins a new conversation.
    () => {
      throw Object.assign(new Error('overloaded'), { status: 503 })
    },
    calls(['todo_read', {}]),
    calls(['respondToUser', { text: 'Fixed.' }]),
  )
  // The scope leaves out every other tool.
  const options = { ownToolsOf, scopeOf: () => [], modelRetry: { attempts: 1 } }
  await worker({ kinds: [agentKind({ log: store.log, modelOf: () => model, ...options })] })
  const steps = [{ key: 'a', title: 'Fix it', kind: 'agent' }]
  ;({ planId } = await harness.createPlan({ goal: 'work', steps }))
  expect((await ended(planId)).status).toBe('done')
  const answers = model.requests.map(({ messages }) => messages.at(-1)?.text)
  expect(answers[1]).toBe('nothing to do')
  expect(shown).toEqual([items])
  expect(answers[6]).toBe('1 of 3 done\n[x] Read the test\n[>] Fix the code\n[ ] Run the test')
  const trace = await readTrace(store.log, { planId, owner: 'ada' })
  expect(JSON.stringify(trace)).toContain('todo: 1 of 3 done; now: Fix the code')
})
