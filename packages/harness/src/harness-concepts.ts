import { observation } from '@agentm/memory'
import type { Concept } from '@agentm/nodes'
import { agent } from './agents/agent.ts'
import { effect } from './effect.ts'
import { debounce } from './flow/debounce.ts'
import { entry } from './functions/entry.ts'
import { mailbox } from './functions/mailbox.ts'
import { plan } from './plan.ts'
import { step } from './step.ts'
import { reservation } from './reservation.ts'
import { schedule } from './schedules/schedule.ts'
import { turn } from './turn.ts'

/** What a store has to know to hold plans; pass them to its opener. */
export const harnessConcepts: readonly Concept[] = [
  plan,
  step,
  observation,
  effect,
  agent,
  turn,
  reservation,
  schedule,
  entry,
  mailbox,
  debounce,
]
