/** How plugins are found, for families of plugins besides backends. Loaded only where one is looked for. */
export {
  ambiguous,
  declaredNames,
  declaredPlugin,
  type InstalledPlugin,
  doesProvide,
  namedPlugins,
  type OpenedPlugin,
  type PluginFamily,
} from './installed-plugin.ts'
export { loadPlugin } from './load-plugin.ts'
export { pluginSettings } from './pure/plugin-settings.ts'
