/**
 * The span that work belongs to, handed through asynchronous calls. Our own storage does it for a program without a context manager. Only one
 * of the two is used, because each makes every promise of the process slower (before Node 24).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { context, type Context, ROOT_CONTEXT } from './otel-api.ts'

const storage = new AsyncLocalStorage<Context>()

export async function runningIn<T>(within: Context, work: () => Promise<T>): Promise<T> {
  return context.with(within, () => (context.active() === within ? work() : storage.run(within, work)))
}

/** A span of another library that is active now comes first. */
export function currentContext(): Context {
  const active = context.active()
  return active === ROOT_CONTEXT ? (storage.getStore() ?? active) : active
}
