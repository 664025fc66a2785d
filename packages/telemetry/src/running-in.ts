/** The span that work belongs to, handed through asynchronous calls. Our own storage, because a program may have no context manager. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { context, type Context, ROOT_CONTEXT } from './otel-api.ts'

const storage = new AsyncLocalStorage<Context>()

export async function runningIn<T>(within: Context, work: () => Promise<T>): Promise<T> {
  return storage.run(within, () => context.with(within, work))
}

/** A span of another library that is active now comes first. */
export function currentContext(): Context {
  const active = context.active()
  return active === ROOT_CONTEXT ? (storage.getStore() ?? active) : active
}
