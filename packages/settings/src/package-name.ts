/** A name the package manager could have installed, and nothing that climbs out of `node_modules`. */
export function isPackageName(name: string): boolean {
  return /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/.test(name)
}
