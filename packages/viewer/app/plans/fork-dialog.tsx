/** Asks once, with the inputs to change, before a plan is run again from a step, or from the beginning. */
import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ForkInput, ForkPage } from '../../src/contract/compare.ts'
import type { StepRow } from '../../src/contract/plans.ts'
import { ask, send } from '../api.ts'
import { tellPerson } from '../notices.ts'
import { countOf, shortId } from '../pure/words.ts'
import { go } from '../router.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { forkPreview } from './pure/fork-preview.ts'

/** What is run again. Its id is chosen before the person says yes, so that the same yes sent twice makes one plan. */
interface Wanted {
  readonly id: string
  readonly planId: string
  /** Absent for the whole plan. */
  readonly step?: StepRow
  readonly steps: ReadonlyMap<string, StepRow>
}

const wanted = signal<Wanted | undefined>(undefined)

export function runAgain(what: Omit<Wanted, 'id'>): void {
  wanted.value = { ...what, id: crypto.randomUUID().replaceAll('-', '') }
}

export function ForkDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const what = wanted.value
  const close = () => {
    wanted.value = undefined
    dialog.current?.close()
  }
  useEffect(() => {
    if (what !== undefined) dialog.current?.showModal()
  }, [what])
  return (
    <dialog ref={dialog} class="confirm is-wide" aria-labelledby="fork-title" onClose={close}>
      {what && <ForkForm key={what.id} what={what} close={close} />}
    </dialog>
  )
}

function ForkForm({ what, close }: { readonly what: Wanted; readonly close: () => void }) {
  const { id, planId, step, steps } = what
  const [page, error] = useInputs(step === undefined ? `plans/${encoded(planId)}` : `steps/${encoded(step.id)}`)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const { carried, anew } = forkPreview(steps, step?.id)
  const set = (name: string, value: string) => setValues({ ...values, [name]: value })
  const [input, stepInput] = [changedIn('input', page?.inputs, values), changedIn('step', page?.stepInputs, values)]
  const accept = async (event: Event) => {
    event.preventDefault()
    const why = reason.trim() === '' ? {} : { reason: reason.trim() }
    try {
      const { message, next } = await send('plans', {
        do: 'fork',
        planId,
        id,
        ...(step !== undefined && { stepId: step.id }),
        input,
        stepInput,
        ...why,
      })
      close()
      tellPerson(message)
      if (next !== undefined) go(next)
    } catch (failed) {
      // The values stay in the dialog, so that they can be corrected.
      setRefusal(failed instanceof Error ? failed.message : String(failed))
    }
  }
  return (
    <form onSubmit={(event) => void accept(event)}>
      <h2 id="fork-title">Run again from {step === undefined ? 'the beginning' : `“${step.title}”`}?</h2>
      <p>
        A new plan is made.{' '}
        {step !== undefined &&
          `${countOf(carried, 'step')} ${carried === 1 ? 'is' : 'are'} carried over with ${carried === 1 ? 'its result' : 'their results'}; `}
        {countOf(anew, 'step')} {anew === 1 ? 'runs' : 'run'} anew, with {anew === 1 ? 'its effects' : 'their effects'}.
        This plan stays as it is.
      </p>
      {(refusal ?? error) !== undefined && (
        <p class="banner is-failed" role="alert">
          {refusal ?? error}
        </p>
      )}
      <Fields title="Inputs of the plan" of="input" inputs={page?.inputs} values={values} set={set} />
      <Fields title="Input of this step" of="step" inputs={page?.stepInputs} values={values} set={set} />
      <label>
        Why? <span class="quiet">Optional; kept in the log.</span>
        <input
          type="text"
          maxLength={2_000}
          autocomplete="off"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <CopyCommand words={commandOf(what, input, stepInput)} />
      <div class="buttons">
        <button type="button" class="button" onClick={close}>
          Keep it as it is
        </button>
        <button type="submit" class="button is-main">
          Run again
        </button>
      </div>
    </form>
  )
}

interface FieldsProps {
  readonly title: string
  readonly of: 'input' | 'step'
  readonly inputs: readonly ForkInput[] | undefined
  readonly values: Readonly<Record<string, string>>
  readonly set: (name: string, value: string) => void
}

function Fields({ title, of, inputs = [], values, set }: FieldsProps) {
  if (inputs.length === 0) return null
  return (
    <fieldset class="fork-fields">
      <legend>{title}</legend>
      {inputs.map(({ name, value, isJson, type, description }) => (
        <label key={name}>
          <span>
            <code>{name}</code> <span class="quiet">{type ?? (isJson ? 'JSON' : 'text')}</span>
          </span>
          <textarea
            rows={Math.min(6, Math.max(value.split('\n').length, Math.ceil(value.length / 60)))}
            spellcheck={false}
            name={`${of}.${name}`}
            value={values[`${of}.${name}`] ?? value}
            onInput={({ currentTarget }) => set(`${of}.${name}`, currentTarget.value)}
          />
          {description !== undefined && <span class="quiet">{description}</span>}
        </label>
      ))}
    </fieldset>
  )
}

const encoded = encodeURIComponent

/** `place` is the plan or the step, as its address names it. */
function useInputs(place: string): readonly [page: ForkPage | undefined, error: string | undefined] {
  const [page, setPage] = useState<ForkPage | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  useEffect(() => {
    const end = new AbortController()
    ask<ForkPage>(`/api/${place}/fork`, end.signal).then(setPage, (failed: unknown) => {
      if (!end.signal.aborted) setError(failed instanceof Error ? failed.message : String(failed))
    })
    return () => end.abort()
  }, [place])
  return [page, error]
}

/** Only what the person changed is sent: the others may be masked here. */
function changedIn(
  of: 'input' | 'step',
  inputs: readonly ForkInput[] | undefined = [],
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const changed = inputs.flatMap(({ name, value }) => {
    const now = values[`${of}.${name}`]
    return now === undefined || now === value ? [] : [[name, now] as const]
  })
  return Object.fromEntries(changed)
}

function commandOf(
  { planId, step }: Wanted,
  input: Readonly<Record<string, string>>,
  stepInput: Readonly<Record<string, string>>,
): string {
  const all = [...optionsOf('input', input), ...optionsOf('step-input', stepInput)]
  const from = step === undefined ? '' : ` --from ${shortId(step.id)}`
  return `plan fork ${shortId(planId)}${from}${all.join('')}`
}

function optionsOf(name: string, values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).map(([key, value]) => ` --${name} ${quoted(`${key}=${value}`)}`)
}

/** One word for a shell. */
function quoted(text: string): string {
  return /^[\w.,:/@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
