/** Where agentm keeps what, as a person can look it up; nothing here is created. */
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
