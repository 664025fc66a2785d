/** Asks the model for one reply, within the budget: with a timeout, and again if that can help. */
import { attemptCall, type Attempted, type Attempting } from './attempt-call.ts'
import type { LoopObservation } from './loop-observation.ts'
import type { TokenUsage } from './model.ts'
import type { OpenLoop } from './open-loop.ts'
import { plus, type Spend } from './pure/reserve.ts'
import { ReplyAccount, type ReplyAttempt } from './reply-account.ts'
import { tell } from './tell.ts'

export interface ReplyWanted<T> extends Pick<Attempting, 'policy' | 'mayRepeat'> {
  /** The most that the reply may take. */
  readonly most: TokenUsage
  readonly run: (open: ReplyAttempt, at: { readonly signal: AbortSignal; readonly attempt: number }) => Promise<T>
}

/** `limit` is the limit of the budget that allowed no reply, or no other one. */
export async function attemptReply<T>(
  loop: OpenLoop,
  { most, run, policy, mayRepeat = ({ retryable }) => retryable }: ReplyWanted<T>,
): Promise<{ readonly attempted: Attempted<T>; readonly limit: string | undefined }> {
  const { signal, runtime } = loop.world
  const account = openAccount(loop, most)
  let open: ReplyAttempt | undefined
  const attempted = await attemptCall(
    async (ending, attempt) => {
      if (open === undefined) throw new TypeError('each attempt is prepared')
      return run(open, { signal: ending, attempt })
    },
    {
      policy,
      runtime,
      signal,
      // Outside of the timeout of an attempt, because the budget may have to be waited for.
      prepare: async () => (open = await account.begin()) !== undefined,
      mayRepeat: (error, cause) => account.limit === undefined && mayRepeat(error, cause),
    },
  )
  await account.close({ aborted: signal.aborted })
  return { attempted, limit: account.limit }
}

function openAccount(loop: OpenLoop, most: TokenUsage): ReplyAccount {
  const { state, world, options } = loop
  return new ReplyAccount({
    budget: world.budget,
    most,
    price: options.model.costMicrosOf?.bind(options.model),
    before: state.spent,
    onSpent(spent) {
      state.spent = plus(state.spent, spent)
      state.untold = plus(state.untold, spent)
    },
    onBroken: async (why, lost) => tell(loop, brokenNote(why, lost)),
  })
}

function brokenNote(why: string, { tokens }: Spend): LoopObservation {
  const charge = tokens > 0 ? `; the provider may charge up to ${tokens} tokens for it` : ''
  const text = `a reply broke off: ${why}${charge}`
  return { kind: 'note', content: text, data: { text, broken: true } }
}
