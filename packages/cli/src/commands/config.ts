import {
  findConfigValue,
  listConfigValues,
  migrateInstallConfig,
  processWorld,
  setConfigValue,
  unsetConfigValue,
} from '@agentm/selection'
import { findSetting, settings } from '@agentm/settings'
import { type Command, UsageError } from '../command.ts'
import { nearest } from '../pure/nearest.ts'
import { settingsDocument, settingText } from '../pure/settings-document.ts'

export const configGet: Command = {
  takes: 'KEY',
  summary: 'print one setting; the exit code is 1 when it is not set',
  async run({ args: [key = ''] }) {
    const value = await findConfigValue(key, processWorld())
    if (value === undefined) return { text: '', data: { key, set: false }, exit: 1 }
    return { text: shown(value), data: { key, set: true, value } }
  },
}

export const configSet: Command = {
  takes: 'KEY VALUE',
  summary: 'change one setting',
  details:
    'A key contains dots: agentm config set storage.backend vault. Other settings are not changed.\n' +
    'models.prices holds dollars per million tokens, as JSON: \'{"NAME": {"input": 3, "output": 15, "cachedInput": 0.3}}\'.',
  async run({ args: [key = '', value = ''] }) {
    checkKnown(key, await findConfigValue(key, processWorld()))
    const changed = await setConfigValue(key, value, processWorld())
    return { text: changed ? `${key} = ${value}` : '', data: { key, value, changed } }
  },
}

export const configUnset: Command = {
  takes: 'KEY',
  summary: 'remove one setting, so that its default applies; the exit code is 1 when it was not set',
  async run({ args: [key = ''] }) {
    const changed = await unsetConfigValue(key, processWorld())
    return { text: changed ? `${key} removed` : '', data: { key, changed }, exit: changed ? 0 : 1 }
  },
}

export const configList: Command = {
  summary: 'print every setting, in the order of the file',
  async run() {
    const values = await listConfigValues(processWorld())
    return {
      text: values.map(([key, value]) => `${key} = ${shown(value)}`).join('\n'),
      data: Object.fromEntries(values),
    }
  },
}

export const configKeys: Command = {
  takes: '[KEY]',
  summary: 'describe every setting, or one: what it is for, its form and its default',
  async run({ args: [key] }) {
    if (key !== undefined && findSetting(key) === undefined) checkKnown(key, undefined)
    const text = key === undefined ? settingsDocument() : settingText(key)
    return { text, data: text }
  },
}

export const configMigrate: Command = {
  summary: 'rename settings written by older versions',
  async run() {
    const added = await migrateInstallConfig(processWorld())
    const text = added.length === 0 ? 'Nothing to migrate.' : `Added ${added.join(', ')}.`
    return { text, data: { added } }
  },
}

/** Other programs keep settings in the same file, and backends of plugins have their own: those may be changed as well. */
function checkKnown(key: string, present: unknown): void {
  if (findSetting(key) !== undefined || present !== undefined || /^plugins\.[^.]+\.\w+$/.test(key)) return
  const meant = nearest(key, Object.keys(settings))
  const hint = meant === undefined ? 'agentm config keys lists them all.' : `Did you mean ${meant}?`
  throw new UsageError(`there is no setting "${key}". ${hint}`)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
