/** The writes that create and change a schedule, as data. */
import type { Draft } from '@agentm/nodes'
import { scheduleName } from '../../pure/concept-names.ts'
import type { ByHand } from '../../pure/plan-drafts.ts'
import { signed } from '../../pure/plan-drafts.ts'
import type { Definition } from '../new-schedule.ts'
import type { Deed } from '../schedule.ts'
import { iso } from './catch-up.ts'
import type { ScheduleDecision } from './next-decision.ts'

interface Named {
  readonly id: string
}

type Next = ScheduleDecision['next']

/** The first version, and every version that replaces the definition. Nothing of an older definition remains. */
export function definitionDraft(
  { id, name }: Named & { readonly name: string },
  definition: Definition,
  { next, did, ...state }: { readonly next: Next; readonly did: Deed } & Pick<ScheduleDecision, 'status'>,
): Draft {
  const optional = ['cron', 'everyMs', 'startsAt', 'endsAt'].filter((field) => !(field in definition))
  const payload = { name, ...definition, ...state, backlog: [], did, ...nextFields(next) }
  const unset = [...optional, ...nextUnset(next)]
  return {
    concept: scheduleName,
    id,
    payload,
    unset,
    mutation: did.change === 'added' ? 'addHarnessSchedule' : 'changeHarnessSchedule',
  }
}

/** What a worker decided. `running` are the plans that have not ended, with the one that this write starts. */
export function decisionDraft(
  { id }: Named,
  { status, backlog, next }: Pick<ScheduleDecision, 'status' | 'backlog' | 'next'>,
  { running, did }: { readonly running: readonly string[]; readonly did: Deed },
): Draft {
  const mutation = did.started === undefined ? 'waitHarnessSchedule' : 'startHarnessSchedule'
  return update(
    id,
    mutation,
    { status, backlog: [...backlog], running: [...running], did, ...nextFields(next) },
    nextUnset(next),
  )
}

export function pauseScheduleDraft({ id }: Named, by: ByHand): Draft {
  return signed(update(id, 'pauseHarnessSchedule', { status: 'paused', did: { change: 'paused' } }), by)
}

export function removeScheduleDraft({ id }: Named, by: ByHand): Draft {
  const payload = { status: 'removed', backlog: [], did: { change: 'removed' } }
  return signed(update(id, 'removeHarnessSchedule', payload, ['slot', 'slotAt']), by)
}

export function resumeScheduleDraft(
  { id }: Named,
  { status, next, did }: Pick<ScheduleDecision, 'status' | 'next'> & { readonly did: Deed },
  by: ByHand,
): Draft {
  return signed(update(id, 'resumeHarnessSchedule', { status, did, ...nextFields(next) }, nextUnset(next)), by)
}

/** A start by hand changes nothing but what the schedule runs. */
export function runScheduleDraft(
  { id }: Named,
  { running, did }: { readonly running: readonly string[]; readonly did: Deed },
  by: ByHand,
): Draft {
  return signed(update(id, 'startHarnessSchedule', { running: [...running], did }), by)
}

function nextFields(next: Next): Draft['payload'] {
  return next === undefined ? {} : { slot: iso(next.slot), slotAt: iso(next.at) }
}

function nextUnset(next: Next): readonly string[] {
  return next === undefined ? ['slot', 'slotAt'] : []
}

function update(id: string, mutation: string, payload: Draft['payload'], unset: readonly string[] = []): Draft {
  return { concept: scheduleName, id, payload, unset, mutation, update: true }
}
