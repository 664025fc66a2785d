/** The interface that zod, Valibot, ArkType and others share (standardschema.dev, version 1). It can check a value and gives its type. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** A message such as `name: Required; address.street: Too short`. */
export function problemsIn(issues: readonly SchemaIssue[]): string {
  return issues.map(({ message, path = [] }) => `${path.map(keyOf).join('.') || 'it'}: ${message}`).join('; ')
}

function keyOf(part: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof part === 'object' ? part.key : part)
}
