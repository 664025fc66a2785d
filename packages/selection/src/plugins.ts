/** Finds plugins of other families than backends. Loaded only when such a plugin is needed. */
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
