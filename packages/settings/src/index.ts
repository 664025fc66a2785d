export type { McpServerSetting } from './mcp-server-setting.ts'
export { type ModelPrice, type ModelPrices, priceOf, setPrice } from './model-prices.ts'
export { isPackageName } from './package-name.ts'
export type { Parsed, Parser } from './parser.ts'
export {
  type ConfigValues,
  findSetting,
  namesOf,
  parseSetting,
  parseSettings,
  type SettingProblem,
  valueFromText,
} from './parse-settings.ts'
export { type Setting, settingFamilies, type SettingKey, settings, type Settings } from './settings-table.ts'
export { strip } from './strip.ts'
export { type Variable, variables } from './variables.ts'
