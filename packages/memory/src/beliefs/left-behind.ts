/**
 * Which files this device published, and with what content it saw them last. On this device alone, beside the log: another
 * device cannot know what this one saw, and a replicated memory of it would conclude from files that are only late.
 */
import type { MemoryContext } from '../memory-context.ts'
import type { LeftBehind } from '../pure/belief-sync.ts'

export async function readLeftBehind(context: MemoryContext): Promise<Map<string, LeftBehind>> {
  const text = await context.state?.read(stateKey(context))
  return new Map(Object.entries(parsed(text)).flatMap(([id, value]) => (isLeftBehind(value) ? [[id, value]] : [])))
}

export async function writeLeftBehind(context: MemoryContext, left: ReadonlyMap<string, LeftBehind>): Promise<void> {
  await context.state?.write(stateKey(context), JSON.stringify(Object.fromEntries(left)))
}

function stateKey({ storeId, owner }: MemoryContext): string {
  return `published-beliefs/${encodeURIComponent(storeId)}/${encodeURIComponent(owner)}`
}

/** Without it nothing is concluded from what is absent, so a text that cannot be read costs no belief. */
function parsed(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function isLeftBehind(value: unknown): value is LeftBehind {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'hash' in value &&
    typeof value.hash === 'string'
  )
}
