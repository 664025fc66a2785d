/** What a step waits for, in words that follow "waits for". */
import { spanText, type WaitReason } from '@agentm/harness'

/** A reason of the harness, a worker that runs steps of this kind, or a worker that takes over from one that is gone. */
export type ShownReason = WaitReason | { readonly for: 'kind'; readonly kind: string } | { readonly for: 'takeover' }

export function waitText(reason: ShownReason): string {
  switch (reason.for) {
    case 'steps':
      if (reason.count === 0) return 'a worker to check it'
      return reason.count === 1 ? '1 step it depends on' : `${reason.count} steps it depends on`
    case 'worker':
      return 'a free worker'
    case 'kind':
      return `a worker that runs steps of kind ${reason.kind}`
    case 'takeover':
      return 'another worker, because its own is gone'
    case 'resume':
      return 'its plan to be resumed'
    case 'session':
      return `the session ${reason.session ?? 'that runs it'}`
    case 'room':
      return `budget: ${reason.limit} of ${reason.planId} is reserved by ${reason.others.join(', ')}`
    case 'answer':
      return `an answer: ${reason.text}`
    case 'plan':
      return `the end of ${reason.planId}`
    case 'time':
      return 'a time'
    case 'limit':
      return `its turn: at most ${reason.atOnce} at once with the key ${reason.key}`
    case 'rate':
      return `its turn: at most ${reason.starts} starts per ${spanText(reason.perMs)} with the key ${reason.key}`
    case 'rate-limit':
      return `a rate limit to pass: ${reason.message}`
    case 'signal':
      return `a signal: ${reason.names.join(', ')}`
    case 'code':
      return `its code to fit again: ${reason.message}`
    default:
      return 'its next attempt'
  }
}
