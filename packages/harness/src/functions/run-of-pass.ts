/** The `run` that the code of a function gets: each call asks its pass for something. */
import type { NewPlan } from '../new-plan.ts'
import { checkOutsideStep } from './begin-step.ts'
import type { DurableFunction } from './durable.ts'
import type { ChildPlan } from './function-log.ts'
import type { PassCode } from './pass-code.ts'
import { type Span, spanMs } from './pure/span.ts'
import { seededId, seededNumber } from './pure/seeded-number.ts'
import type { MapOptions, Run, StepContext, StepOptions } from './run.ts'
import type { Lane, Slot } from './slot.ts'
import { jsonOf } from './step-work.ts'

const usualConcurrency = 4

export function runOfPass(code: PassCode): Run {
  const slots = new WeakMap<Promise<unknown>, readonly Slot[]>()
  let drawn = 0
  const draw = (verb: string): number => {
    checkOutsideStep(verb)
    return drawn++
  }
  const given = <T>(slot: Slot): Promise<T> => {
    slots.set(slot.promise, [slot])
    // The journal gives back what the step returned.
    return slot.promise as Promise<T>
  }
  const step = (
    name: string,
    work: (context: StepContext) => unknown,
    options: StepOptions<never> = {},
    lane?: Lane,
  ): Slot => code.ask('step', name, { kind: 'step', run: work, options, lane })
  const call = <T>(name: string, child: ChildPlan): Promise<T> =>
    given<T>(code.ask('call', name, { kind: 'call', child }))
  const note = async (op: 'emit' | 'show' | 'patch', name: string, value: unknown): Promise<void> => {
    await given(code.ask(op, name, { kind: 'note', value: jsonOf(value) }))
  }

  return {
    id: code.id,
    step: <T>(name: string, work: (context: StepContext) => Promise<T> | T, options?: StepOptions<T>) =>
      given<T>(step(name, work, options)),
    map: <I, T>(
      name: string,
      items: readonly I[],
      work: (item: I, context: StepContext) => Promise<T> | T,
      { concurrency = usualConcurrency, ...options }: MapOptions<T> = {},
    ) => {
      const lane: Lane = { atOnce: Math.max(1, concurrency), running: 0 }
      const all = items.map((item, i) => step(`${name}[${i}]`, (context) => work(item, context), options, lane))
      const results = Promise.allSettled(all.map(({ promise }) => promise)).then(() =>
        Promise.all(all.map((slot) => given<T>(slot))),
      )
      // The function may wait for it later, or never.
      results.catch(() => undefined)
      slots.set(results, all)
      return results
    },
    ask: (
      question: string,
      {
        options,
        timeout,
        mayAnswer,
      }: { readonly options?: readonly string[]; readonly timeout?: Span; readonly mayAnswer?: 'anyone' } = {},
    ) => {
      checkQuestion(question, options)
      return given<never>(
        code.ask('ask', question, {
          kind: 'wait',
          ...(options && { allowed: options }),
          ...(mayAnswer && { mayAnswer }),
          ...(timeout !== undefined && { ms: spanMs(timeout) }),
        }),
      )
    },
    sleep: (span) => {
      const wait = typeof span === 'object' ? { until: Number(span.until) } : { ms: spanMs(span) }
      return given<undefined>(code.ask('sleep', '', { kind: 'wait', ...wait }))
    },
    signal: (name: string, { timeout }: { readonly timeout?: Span } = {}) =>
      given<never>(code.ask('signal', name, { kind: 'wait', ...(timeout !== undefined && { ms: spanMs(timeout) }) })),
    race: async (promises) => {
      const names = Object.keys(promises)
      const first = await Promise.race(
        names.map(async (winner) => ({ winner, value: await promises[winner] })),
      ).finally(() => {
        for (const name of names)
          for (const slot of slots.get(promises[name] as Promise<unknown>) ?? []) code.giveUp(slot)
      })
      return first as never
    },
    call: <I extends Readonly<Record<string, unknown>>, O>(
      child: DurableFunction<I, O>,
      input: I,
      { budget }: Pick<NewPlan, 'budget'> = {},
    ) => call<O>(child.functionName, childOf(child, input, budget)),
    plan: (plan) => call(plan.goal, { plan, isFunction: false, resultOf: (results) => results }),
    now: () => code.now,
    random: () => seededNumber(code.seed, draw('random')),
    newId: () => seededId(code.seed, draw('newId')),
    emit: (value) => note('emit', '', value),
    show: (name, value) => note('show', name, value),
    patched: async (name) => {
      // A run that came past this place before the change goes on as it began.
      if (code.isPassedBy('patch', name)) return false
      await note('patch', name, true)
      return true
    },
  }
}

function checkQuestion(question: string, options: readonly string[] | undefined): void {
  if (question === '') throw new TypeError('run.ask: the question has no text')
  if (options !== undefined && (options.length === 0 || options.includes('')))
    throw new TypeError(`run.ask: ${JSON.stringify(question)} needs at least one option, and none may be empty`)
}

function childOf<I extends Readonly<Record<string, unknown>>, O>(
  child: DurableFunction<I, O>,
  input: I,
  budget: NewPlan['budget'],
): ChildPlan {
  const step = child.step(input)
  return {
    isFunction: true,
    plan: { goal: child.functionName, steps: [step], ...(budget && { budget }) },
    resultOf: (results) => (results[step.key] as { readonly value?: unknown } | undefined)?.value,
  }
}
