import {
  findConfigValue,
  listConfigValues,
  migrateInstallConfig,
  setConfigValue,
  unsetConfigValue,
} from '@agentm/selection'
import { checkModelSetting, workspaceWorld } from '@agentm/workspace'
import type { Command } from '../command.ts'

export const configGet: Command = {
  takes: 'KEY',
  summary: 'print one setting; exit code 1 when it is not set',
  async run({ args: [key = ''] }) {
    const value = await findConfigValue(key, await workspaceWorld())
    if (value === undefined) return { text: '', data: { key, set: false }, exit: 1 }
    return { text: shown(value), data: { key, set: true, value } }
  },
}

export const configSet: Command = {
  takes: 'KEY VALUE',
  summary: 'change one setting',
  details:
    'Dots are part of the key: agentm config set storage.backend vault. Other keys stay as they are.\n' +
    'models.prices is in dollars per million tokens: \'{"NAME": {"input": 3, "output": 15, "cachedInput": 0.3}}\'.',
  async run({ args: [key = '', value = ''] }) {
    checkModelSetting(key, value)
    const changed = await setConfigValue(key, value, await workspaceWorld())
    return { text: changed ? `${key} = ${value}` : '', data: { key, value, changed } }
  },
}

export const configUnset: Command = {
  takes: 'KEY',
  summary: 'remove one setting; exit code 1 when it was not set',
  async run({ args: [key = ''] }) {
    const changed = await unsetConfigValue(key, await workspaceWorld())
    return { text: changed ? `${key} removed` : '', data: { key, changed }, exit: changed ? 0 : 1 }
  },
}

export const configList: Command = {
  summary: 'print every setting, in the order of the file',
  async run() {
    const values = await listConfigValues(await workspaceWorld())
    return {
      text: values.map(([key, value]) => `${key} = ${shown(value)}`).join('\n'),
      data: Object.fromEntries(values),
    }
  },
}

export const configMigrate: Command = {
  summary: 'rewrite settings of older versions under their present names',
  async run() {
    const added = await migrateInstallConfig(await workspaceWorld())
    const text = added.length === 0 ? 'Nothing to migrate.' : `Added ${added.join(', ')}.`
    return { text, data: { added } }
  },
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
