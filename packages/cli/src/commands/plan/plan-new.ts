/** Creates a plan from a file: the whole plan is written at once, or nothing. */
import type { NewStep } from '@agentm/harness'
import { kindsInside } from '@agentm/harness/control'
import { composeId } from '@agentm/nodes'
import { type Answer, type Command, UsageError } from '../../command.ts'
import { shellWord } from '../../pure/shell-word.ts'
import { planHere, wishForFile } from './plan-here.ts'
import { planConcept } from './pure/plan-concept.ts'
import { inputOption, planOfFile, readPlanFile } from './read-plan-file.ts'
import { allowKinds } from '@agentm/workspace/health'
import { runOptions, runPlan, runSettings } from './run.ts'
import { stepCount } from './pure/step-count.ts'
import { shortId } from './pure/short-id.ts'
import { withPlans } from './with-plans.ts'
import { commandWord, typed } from '../../typed.ts'
import { treesOptions } from './trees-of-call.ts'

export const planNew: Command = {
  summary: 'create a plan from a file of steps',
  details:
    'FILE is YAML or JSON: a goal and a list of steps. Each step has a key, a kind (agent, approval, command, http, module, or one that a ' +
    'plugin adds), an input, and the keys of the steps it depends on (dependsOn). foreach, when, until, plan, sleep, ask and signal repeat, ' +
    'skip, nest and await steps. The README of @agentm/cli shows an example. Steps start ' +
    'with agentm run or agentm worker.',
  options: {
    steps: { value: 'FILE', help: 'the file of steps (required); - reads standard input' },
    ...inputOption,
    title: { value: 'TEXT', help: 'use this goal instead of the one in the file' },
    id: { value: 'ID', help: 'the id of the plan, one word; the same file with the same id is created only once' },
    ...treesOptions('what the file says, else none'),
    run: { help: 'run the plan now, until it ends or waits for you' },
    cwd: { value: 'DIR', help: 'run as if started in this directory' },
    ...runOptions,
  },
  async run(call) {
    const settings = runSettings(call)
    const file = await readPlanFile(call)
    const id = call.get('id')
    if (id !== undefined) checkId(id)
    // Said before anything is opened.
    planOfFile(call, file)
    const wish = wishForFile(call, file)
    return withPlans(call, async (opened) => {
      const { plan, said } = await planHere(call, opened, { file, wish })
      const made = await opened.harness.createPlan({ ...plan, ...(id !== undefined && { id }) })
      if (call.has('run')) {
        if (!call.json) for (const line of said) call.terminal.err(`${typed(line)}\n`)
        return runPlan(opened, made.planId, settings)
      }
      const names = new Set((await opened.stepKinds()).map(({ name }) => name))
      return answer(made, file.steps, { names, allowed: opened.policy.kinds, said })
    })
  },
}

/** The id is typed with every command about the plan, so it has to be one word. */
export function checkId(id: string): void {
  const word = id.trim().replaceAll(/[\s:]+/g, '-')
  if (/[\s:]/.test(id.replace(`${planConcept}:`, '')) && word !== '')
    throw new UsageError(
      `--id does not accept ${JSON.stringify(id)}, because an id has no spaces and no colons. Try --id ${shellWord(word)}`,
    )
  composeId(planConcept, id)
}

function answer(
  made: { readonly planId: string; readonly steps: Readonly<Record<string, string>>; readonly created: boolean },
  steps: readonly NewStep[],
  {
    names,
    allowed,
    said,
  }: { readonly names: ReadonlySet<string>; readonly allowed: readonly string[]; readonly said: readonly string[] },
): Answer {
  const short = shortId(made.planId)
  const refused = [...new Set(steps.flatMap((step) => kindsInside(step)))].filter((kind) => !names.has(kind))
  return {
    text: `${made.created ? 'Created plan' : 'This plan already exists:'} ${short}, ${stepCount(Object.keys(made.steps).length)}. To run it: ${commandWord()} run ${short}`,
    data: made,
    notices:
      refused.length === 0
        ? said
        : [
            ...said,
            `steps of kind ${refused.join(', ')} are not allowed on this machine and wait for a worker that allows them. To allow them here: ${allowKinds([...new Set([...allowed, ...refused])])}`,
          ],
  }
}
