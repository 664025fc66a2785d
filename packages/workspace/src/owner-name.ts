/** Whose rows and notes these are: `owner` of the config, else the user of the operating system. */
import { userInfo } from 'node:os'
import type { InstallConfig } from '@agentm/selection/reader'

export function ownerName(config: InstallConfig): string {
  return config.values.owner ?? userInfo().username
}
