/** The step kind that a function of this name and version is run by. A worker that has only version 2 leaves runs of version 1 alone. */
const prefix = 'function:'

export function functionKindName({ name, version }: { readonly name: string; readonly version: number }): string {
  return version === 1 ? `${prefix}${name}` : `${prefix}${name}@${version}`
}

export function isFunctionKind(kind: string | undefined): boolean {
  return kind?.startsWith(prefix) === true
}

/** The key of the step that runs a function. */
export const functionStepKey = 'run'
