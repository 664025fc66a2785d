import type { MemoryEmbedder } from '@agentm/memory'
import type { Workspace } from '@agentm/workspace'
import type { Call } from '../../command.ts'
import { progressOf } from '../../progress.ts'

/** Makes every vector of an embedder that is to be used. Answers why not all are there, in words; `undefined` if they are. */
export async function prepareVectors(
  call: Call,
  {
    workspace,
    signal,
    embedder,
  }: { readonly workspace: Workspace; readonly signal: AbortSignal; readonly embedder: MemoryEmbedder },
): Promise<string | undefined> {
  if (await workspace.isUntouched()) return undefined
  const line = progressOf(call, { hint: 'Ctrl-C pauses.' })
  const memory = await workspace.memory()
  const { ready, refused, total, failure } = await memory.embedAhead(embedder, {
    signal,
    onProgress: (done, of) => line.show('Making vectors', done, of),
  })
  line.clear()
  if (ready + refused >= total) return undefined
  const why = failure === undefined ? 'Paused' : `The embedder failed: ${failure}`
  return `${why}. ${ready} of ${total} texts have their vector and keep it. The same command goes on; until then the embedder in use stays.`
}
