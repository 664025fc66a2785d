/** Runs a plan again from one of its steps, as a new plan: what was done before that step is carried over. */
import type { Harness } from '@agentm/harness'
import type { Answer, Command } from '../../command.ts'
import { commandWord } from '../../typed.ts'
import { by, reasonOption } from './control.ts'
import { findPlanId } from './find-row.ts'
import { checkId } from './plan-new.ts'
import { shortId } from './pure/short-id.ts'
import { stepCount } from './pure/step-count.ts'
import { inputsIn } from './read-plan-file.ts'
import { runOptions, runPlan, runSettings } from './run.ts'
import { changingPlans } from './with-plans.ts'

export const planFork: Command = {
  takes: 'PLAN',
  summary: 'run a plan again from one of its steps, as a new plan',
  details:
    'What does not depend on STEP and is done is carried over with its result: it does not run and costs nothing again. STEP, everything that ' +
    'depends on it, and what was not done run anew, with their effects. Without --from, every step runs anew. PLAN may still run, and is not ' +
    'changed. STEP is a key, a title or an id; or the name of a step that a durable function recorded (#7 for its eighth): what it recorded ' +
    'before is given to it again. Compare both with agentm plan diff.',
  options: {
    from: { value: 'STEP', help: 'the step from which everything runs anew (default: from the beginning)' },
    input: {
      value: 'NAME=VALUE',
      help: 'another value of an input of the plan; lists and objects as JSON',
      repeats: true,
    },
    'step-input': {
      value: 'NAME=VALUE',
      help: 'another value of a field of the input of STEP; null removes it',
      repeats: true,
    },
    id: { value: 'ID', help: 'the id of the new plan, one word; the same fork with the same id is created only once' },
    run: { help: 'run the new plan now, until it ends or waits for you' },
    ...runOptions,
    ...reasonOption,
  },
  async run(call) {
    const settings = runSettings(call)
    const [id, from] = [call.get('id'), call.get('from')]
    if (id !== undefined) checkId(id)
    const [input, stepInput] = [inputsIn(call.all('input')), inputsIn(call.all('step-input'), 'step-input')]
    return changingPlans(call, async (opened) => {
      const { harness, owner } = opened
      const planId = await findPlanId(opened, call.args[0] ?? '')
      const fork = await harness.forkPlan(planId, {
        ...by(call, owner),
        ...(id !== undefined && { id }),
        ...(from !== undefined && { from }),
        ...(Object.keys(input).length > 0 && { input }),
        ...(Object.keys(stepInput).length > 0 && { stepInput }),
      })
      return call.has('run') ? runPlan(opened, fork.planId, settings) : answer(fork, from)
    })
  },
}

function answer(fork: Awaited<ReturnType<Harness['forkPlan']>>, from: string | undefined): Answer {
  const { planId, forkedFrom, steps, created, carried } = fork
  const [short, original, word] = [shortId(planId), shortId(forkedFrom), commandWord()]
  const anew = stepCount(Object.keys(steps).length - carried)
  const place = from === undefined ? 'from the beginning' : `from ${from} on`
  const kept = carried === 0 ? '' : `, ${stepCount(carried)} carried over`
  const made = created ? `Created plan ${short}: ${original} again ${place}` : `This fork already exists: ${short}`
  return {
    text: `${made}, ${anew} to run${kept}.\nTo run it: ${word} run ${short}. To compare: ${word} plan diff ${original} ${short}`,
    data: fork,
  }
}
