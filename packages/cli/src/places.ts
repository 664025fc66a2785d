/** The places where agentm stores things. Creates none of them. */
import { agentmHome, configFile, type SelectionWorld } from '@agentm/selection'

export interface Place {
  readonly name: string
  readonly place: string
}

export async function agentmPlaces(world: SelectionWorld): Promise<Place[]> {
  return [
    { name: 'config', place: configFile(world) },
    { name: 'home', place: agentmHome(world) },
  ]
}
