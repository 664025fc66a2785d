/** Writes a plan: all of it in one append, or nothing. */
import type { NewStep } from '@agentm/harness'
import { composeId } from '@agentm/nodes'
import { type Answer, type Command, UsageError } from '../../command.ts'
import { shellWord } from '../../pure/shell-word.ts'
import { planConcept } from './pure/plan-concept.ts'
import { inDirectory, readPlanFile } from './read-plan-file.ts'
import { allowKinds } from './pure/what-helps.ts'
import { runOptions, runPlan, runSettings } from './run.ts'
import { stepCount } from './pure/step-count.ts'
import { shortId } from './pure/short-id.ts'
import { withPlans } from './with-plans.ts'

export const planNew: Command = {
  summary: 'write a plan from a file of steps',
  details:
    'FILE is YAML or JSON: a goal and its steps, each with a key, a kind (agent, approval, command, http, module, or one that a\n' +
    'plugin brings), an input, and what it dependsOn. The README of @agentm/cli shows one.\n' +
    'Nothing of it runs before agentm run or agentm worker.',
  options: {
    steps: { value: 'FILE', help: 'the steps; - reads standard input' },
    title: { value: 'TEXT', help: 'what the plan is for, instead of the goal in the file' },
    id: { value: 'ID', help: 'its id, one word; the same file under the same id is the same plan' },
    run: { help: 'run it at once, until it ends or waits for somebody' },
    cwd: { value: 'DIR', help: 'as if called in this directory' },
    ...runOptions,
  },
  async run(call) {
    const settings = runSettings(call)
    const { goal: written, ...file } = await readPlanFile(call)
    const goal = call.get('title') ?? written
    if (goal === undefined) throw new UsageError('the file has no goal. Write one into it, or give --title TEXT.')
    const id = call.get('id')
    if (id !== undefined) checkId(id)
    return withPlans(call, async (opened) => {
      // Elsewhere this machine's directories mean nothing.
      const plan = opened.isLocal ? inDirectory(file, (await call.workspace()).directory) : file
      const made = await opened.harness.createPlan({ ...plan, goal, ...(id !== undefined && { id }) })
      if (call.has('run')) return runPlan(opened, made.planId, settings)
      const names = new Set((await opened.stepKinds()).map(({ name }) => name))
      return answer(made, file.steps, { names, allowed: opened.policy.kinds })
    })
  },
}

/** It is typed again with every command about the plan, so it is one word of a shell. */
function checkId(id: string): void {
  const word = id.trim().replaceAll(/[\s:]+/g, '-')
  if (/[\s:]/.test(id.replace(`${planConcept}:`, '')) && word !== '')
    throw new UsageError(
      `--id is one word without blanks and colons, not ${JSON.stringify(id)}. Try --id ${shellWord(word)}`,
    )
  composeId(planConcept, id)
}

function answer(
  made: { readonly planId: string; readonly steps: Readonly<Record<string, string>>; readonly created: boolean },
  steps: readonly NewStep[],
  { names, allowed }: { readonly names: ReadonlySet<string>; readonly allowed: readonly string[] },
): Answer {
  const short = shortId(made.planId)
  const refused = [...new Set(steps.map(({ kind = 'agent' }) => kind))].filter((kind) => !names.has(kind))
  return {
    text: `${made.created ? 'Planned' : 'It is there already'}: ${short}, ${stepCount(steps.length)}. agentm run ${short} runs it.`,
    data: made,
    notices:
      refused.length === 0
        ? []
        : [
            `steps of kind ${refused.join(', ')} wait for a worker that allows them. To allow them here: ${allowKinds([...new Set([...allowed, ...refused])])}`,
          ],
  }
}
