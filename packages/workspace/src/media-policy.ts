/** Which pictures and documents the configured model takes, and where their bytes are on this machine. */
import type { MediaPolicy } from '@agentm/agent-loop/internal'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { mediaStore } from './media-store.ts'

export function mediaPolicy({ values }: InstallConfig, world: SelectionWorld): MediaPolicy {
  const { 'models.inputs': accepts = [], 'models.imageTokens': imageTokens } = values
  return { accepts, store: mediaStore(world), ...(imageTokens !== undefined && { imageTokens }) }
}
