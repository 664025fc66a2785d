/** How this user's episodes become beliefs, and when: the keys `consolidation.*` of the config, already checked by its reader. */
import { consolidationDefaults, type ConsolidationSettings, type DailySchedule, isTimeZone } from '@agentm/learning'
import type { InstallConfig } from '@agentm/selection/reader'
import { settings } from '@agentm/settings'

export function consolidationSettings({ values }: Pick<InstallConfig, 'values'>): ConsolidationSettings {
  const names = Object.keys(consolidationDefaults)
  const given = names.flatMap((name) => {
    const value = values[`consolidation.${name}`]
    return typeof value === 'number' ? [[name, value] as const] : []
  })
  return { ...consolidationDefaults, ...Object.fromEntries(given) }
}

/** No clock can be kept by what the config names. */
export class ConsolidationConfigError extends Error {
  override readonly name = 'ConsolidationConfigError'
  readonly code = 'CONSOLIDATION_CONFIG'
  constructor(timeZone: string) {
    super(
      `consolidation.timeZone is ${JSON.stringify(timeZone)}, which this system does not know. Set another, such as UTC: agentm config set consolidation.timeZone UTC`,
    )
  }
}

/** Nothing where it is switched off. */
export function consolidationSchedule({ values }: Pick<InstallConfig, 'values'>): DailySchedule | undefined {
  const at = values['consolidation.at'] ?? settings['consolidation.at'].default
  const timeZone = values['consolidation.timeZone'] ?? settings['consolidation.timeZone'].default
  if (!isTimeZone(timeZone)) throw new ConsolidationConfigError(timeZone)
  return at === 'off' ? undefined : { at, timeZone }
}
