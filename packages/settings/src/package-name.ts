/**
 * A name the package manager could have installed, and nothing that climbs out of `node_modules`.
 *
 * @example
 * ```ts
 * import { isPackageName } from '@agentm/settings'
 *
 * console.log(isPackageName('@ada/backend-map'), isPackageName('../elsewhere')) // true false
 * ```
 */
export function isPackageName(name: string): boolean {
  return /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/.test(name)
}
