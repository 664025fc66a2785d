export type { CodingAgentSetting } from './coding-agent-setting.ts'
export type { McpServerSetting } from './mcp-server-setting.ts'
export type { ModelChoice } from './model-choice.ts'
export { priceOf, setPrice } from './model-prices.ts'
export { isPackageName } from './package-name.ts'
export {
  type ConfigValues,
  findSetting,
  namesOf,
  parseSetting,
  parseSettings,
  type SettingProblem,
  valueFromText,
} from './parse-settings.ts'
export { type Setting, settingFamilies, settings, type Settings } from './settings-table.ts'
export { strip } from './strip.ts'
export { variables } from './variables.ts'
