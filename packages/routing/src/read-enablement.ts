/** The skills and hooks that a project has enabled, from the `project.json` among its state files. */
import { parseJson, plainJson } from '@agentm/selection/reader'
import { readStateFile } from './read-state-file.ts'
import type { Project } from './resolve-project.ts'
import { UnreadableFileError } from './routing-errors.ts'

/** One skill or hook, and which setting decided. */
export interface Enablement {
  readonly enabled?: boolean | undefined
  readonly auto_detected?: boolean | undefined
  readonly rationale?: string | undefined
  readonly rule_id?: string | undefined
  readonly operator_action?: string | undefined
}

/** Which skills and hooks a project has enabled. */
export interface ProjectEnablement {
  readonly type?: string | undefined
  readonly skills: Readonly<Record<string, Enablement>>
  readonly hooks: Readonly<Record<string, Enablement>>
  readonly registered_at?: string | undefined
  readonly registered_via?: string | undefined
  readonly operator_overrides?: unknown
  readonly last_redetect_at?: string | undefined
}

/**
 * `undefined` if the project has no such file.
 *
 * @example
 * ```ts
 * import { type Project, readEnablement } from '@agentm/routing'
 *
 * declare const project: Project
 * const skills = (await readEnablement(project))?.skills ?? {}
 * ```
 */
export async function readEnablement(project: Project): Promise<ProjectEnablement | undefined> {
  const found = await readStateFile(project, 'project.json')
  if (found.kind === 'absent') return undefined
  if (found.kind === 'unreadable')
    throw new UnreadableFileError('the project.json of this project cannot be read.', { cause: found.error })
  const { enablementSchema } = await import('./enablement-schema.ts')
  const parsed = enablementSchema.safeParse(plainOf(found.text))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new UnreadableFileError(
    `the project.json of this project says something else than it should at ${JSON.stringify(issue?.path.join('.'))} (${issue?.message}).`,
    { cause: parsed.error },
  )
}

function plainOf(text: string): unknown {
  try {
    return plainJson(parseJson(text))
  } catch (error) {
    throw new UnreadableFileError(`the project.json of this project is not JSON (${String(error)}).`, { cause: error })
  }
}
