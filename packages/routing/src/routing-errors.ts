/** The error codes of routing. Callers compare `code`; the message says what a person has to do. */
export const routingErrorCodes = [
  'INVALID_SLUG',
  'INVALID_PLAN',
  'INVALID_FILE_NAME',
  'ACTIVE_PLAN',
  'UNREADABLE_FILE',
  'OUTSIDE_CHECKOUT',
  'REGISTRY_CORRUPT',
  'SLUG_BOUND',
] as const

/** The error codes of routing. */
export type RoutingErrorCode = (typeof routingErrorCodes)[number]

/** The base class of the errors of routing. Compare `code`. */
export abstract class RoutingError extends Error {
  abstract readonly code: RoutingErrorCode
}

/**
 * True for an error of this package, also when another copy of it threw.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 * import { isRoutingError, registerRepo } from '@agentm/routing'
 *
 * await registerRepo(new InMemoryBackend(), { slug: '../x', rootPath: '/srv/x' }).catch((error: unknown) => {
 *   if (isRoutingError(error)) console.log(error.code) // INVALID_SLUG
 * })
 * ```
 */
export function isRoutingError(
  error: unknown,
  code?: RoutingErrorCode,
): error is Error & { readonly code: RoutingErrorCode } {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? (routingErrorCodes as readonly unknown[]).includes(error.code) : error.code === code
}

/** The project name is not a safe directory name: it would lead into another project, or outside the store. */
export class InvalidSlugError extends RoutingError {
  override readonly name = 'InvalidSlugError'
  readonly code = 'INVALID_SLUG'
  readonly slug: string
  constructor(slug: string, { from, why }: { readonly from: string; readonly why: string }) {
    super(
      `the project name ${JSON.stringify(slug)} (from ${from}) cannot be used: ${why}. ` +
        'To choose another: agentm project name NAME',
    )
    this.slug = slug
  }
}

/** The name of the plan cannot be part of a file name. */
export class InvalidPlanNameError extends RoutingError {
  override readonly name = 'InvalidPlanError'
  readonly code = 'INVALID_PLAN'
  readonly plan: string
  constructor(plan: string, why: string) {
    super(`${JSON.stringify(plan)} is not the name of a plan: ${why}. Give the name between "PLAN-" and ".md".`)
    this.plan = plan
  }
}

/** The name is not the name of a state file. */
export class InvalidFileNameError extends RoutingError {
  override readonly name = 'InvalidFileNameError'
  readonly code = 'INVALID_FILE_NAME'
  constructor(name: string, options?: ErrorOptions) {
    super(
      `${JSON.stringify(name)} is not the name of a state file. State files are PLAN.md, progress.md, PLAN-NAME.md, progress-NAME.md, ` +
        'PLAN.archive.NAME.md, progress.archive.NAME.md, features.json and project.json.',
      options,
    )
  }
}

/** The checkout is bound to a plan that does not exist. No other plan is used instead. */
export class ActivePlanError extends RoutingError {
  override readonly name = 'ActivePlanError'
  readonly code = 'ACTIVE_PLAN'
  readonly plan: string | undefined
  constructor(message: string, { plan, ...options }: ErrorOptions & { readonly plan?: string | undefined } = {}) {
    super(`${message} Correct .harness/active-plan, or remove it to use PLAN.md.`, options)
    this.plan = plan
  }
}

/** A file of the project cannot be read as text, or does not contain what it should. */
export class UnreadableFileError extends RoutingError {
  override readonly name = 'UnreadableFileError'
  readonly code = 'UNREADABLE_FILE'
  constructor(message: string, options?: ErrorOptions) {
    super(`${message} It was not changed. Repair it, or move it away.`, options)
  }
}

/**
 * A symbolic link is on the path to a state file of this checkout. A checkout may be hostile, and a link in it could lead to any
 * file of this user.
 */
export class OutsideCheckoutError extends RoutingError {
  override readonly name = 'OutsideCheckoutError'
  readonly code = 'OUTSIDE_CHECKOUT'
  readonly file: string
  constructor(file: string, options?: ErrorOptions) {
    super(
      `${file} is behind a symbolic link, and links in a checkout are not followed. It was neither read nor written. ` +
        'Replace the links with a directory and plain files, or keep state files in the store (agentm init --vault).',
      options,
    )
    this.file = file
  }
}

/** The registry of repositories cannot be parsed. It is never repaired by guessing. */
export class RegistryCorruptError extends RoutingError {
  override readonly name = 'RegistryCorruptError'
  readonly code = 'REGISTRY_CORRUPT'
  readonly why: string
  constructor(why: string, { file = '_meta/repos.json', ...options }: ErrorOptions & { readonly file?: string } = {}) {
    super(`${file} ${why}. It was not changed. Repair it, or move it away and register again.`, options)
    this.why = why
  }
}

/** The project name belongs to another repository. */
export class SlugBoundError extends RoutingError {
  override readonly name = 'SlugBoundError'
  readonly code = 'SLUG_BOUND'
  readonly slug: string
  constructor(slug: string, boundTo: string) {
    super(
      `the project ${JSON.stringify(slug)} belongs to ${boundTo}, and this is another repository. If both are one project: ` +
        `agentm repos register --slug ${shellWord(slug)}. If not, choose another name: agentm project name NAME`,
    )
    this.slug = slug
  }
}

/** Quotes a name from a foreign repository, so that it is safe to paste into a shell. */
export function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
