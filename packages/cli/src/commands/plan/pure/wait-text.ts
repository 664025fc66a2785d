/** What a step waits for, in words that follow "waits for". */
import type { WaitReason } from '@agentm/harness'

/** As the harness says it, or a worker that takes steps of this kind. */
export type ShownReason = WaitReason | { readonly for: 'kind'; readonly kind: string }

export function waitText(reason: ShownReason): string {
  switch (reason.for) {
    case 'steps':
      if (reason.count === 0) return 'a worker to look at it'
      return reason.count === 1 ? 'the step before it' : `${reason.count} steps before it`
    case 'worker':
      return 'a free worker'
    case 'kind':
      return `a worker that allows kind ${reason.kind}`
    case 'resume':
      return 'its plan to be resumed'
    case 'session':
      return `the session ${reason.session ?? 'that runs it'}`
    case 'room':
      return `room in ${reason.limit} of ${reason.planId}, set aside by ${reason.others.join(', ')}`
    case 'answer':
      return `an answer: ${reason.text}`
    case 'plan':
      return `the end of ${reason.planId}`
    case 'time':
      return 'a time'
    case 'rate-limit':
      return `a rate limit to pass: ${reason.message}`
    default:
      return 'its next try'
  }
}
