/** Which pictures and documents the model of agents takes, and where their bytes are on this machine. */
import type { MediaPolicy } from '@agentm/agent-loop/internal'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { inputsOf, setInputs } from '@agentm/settings/internal'
import { mediaStore } from './media-store.ts'

export function mediaPolicy({ values }: InstallConfig, world: SelectionWorld): MediaPolicy {
  const { 'models.inputs': inputs, 'models.imageTokens': imageTokens } = values
  const model = values['models.roles.worker']?.model ?? values['models.model'] ?? ''
  return {
    accepts: inputsOf(inputs, model),
    settingFor: (input) => setInputs({ inputs, model, input }),
    store: mediaStore(world),
    ...(imageTokens !== undefined && { imageTokens }),
  }
}
