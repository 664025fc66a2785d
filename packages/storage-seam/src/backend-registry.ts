/**
 * Maps protocol names to backends. A bad registration is a programming mistake and throws. An unknown name returns `undefined`, because
 * only the caller knows whether that is fatal.
 */
import { isBackendPlugin, type BackendPlugin } from './backend-plugin.ts'
import { ProtocolError } from './errors.ts'

/**
 * Finds plugins by protocol name. A wrong registration throws; an unknown name gives `undefined`.
 *
 * @example
 * ```ts
 * import { BackendRegistry } from '@agentm/storage-seam'
 * import { plugin } from '@agentm/backend-device-local'
 *
 * const registry = new BackendRegistry()
 * registry.register(plugin)
 * console.log(registry.protocols().join()) // device-local
 * console.log(registry.get('vault')) // undefined
 * ```
 */
export class BackendRegistry {
  readonly #plugins = new Map<string, BackendPlugin>()

  register(plugin: BackendPlugin, { clobber = false }: { readonly clobber?: boolean } = {}): void {
    if (!isBackendPlugin(plugin))
      throw new TypeError('a backend is registered as a plugin: { protocol, seam, settingsKey, open(settings) }')
    const { protocol } = plugin
    if (protocol.trim() === '') throw new ProtocolError(protocol, 'a backend needs a name; its protocol is empty')
    if (this.has(protocol) && !clobber && this.#plugins.get(protocol) !== plugin)
      throw new ProtocolError(protocol, `a backend named ${JSON.stringify(protocol)} is registered already`)
    this.#plugins.set(protocol, plugin)
  }

  unregister(protocol: string): boolean {
    return this.#plugins.delete(protocol)
  }

  get(protocol: string): BackendPlugin | undefined {
    return this.#plugins.get(protocol)
  }

  has(protocol: string): boolean {
    return this.#plugins.has(protocol)
  }

  /** The registered names, sorted. */
  protocols(): readonly string[] {
    return [...this.#plugins.keys()].toSorted()
  }
}

const slot = Symbol.for('@agentm/storage-seam/registry/1')
const shared = globalThis as { [slot]?: BackendRegistry }

/** The registry of this process. All copies of this package in a process share it. It is empty until a plugin is registered. */
export const registry: BackendRegistry = (shared[slot] ??= new BackendRegistry())
