/** Reads a state file of a directory's project, by kind or by name. */
import { type Project, readStateFile, resolveActivePlan } from '@agentm/routing/reader'

/** Which state file is wanted. */
export interface StateQuestion {
  /** `plan`, `progress`, or the name of a state file. */
  readonly file: string
  /** A named plan (default: the active one). */
  readonly plan?: string
}

/** The text of a state file. */
export interface StateText {
  readonly name: string
  /** Absent if the file does not exist. */
  readonly text: string | undefined
  /** What a person should know, such as why the project's own store was not read. */
  readonly notices: readonly string[]
}

export async function readState(project: Project, question: StateQuestion): Promise<StateText> {
  const name = await nameOf(project, question)
  const found = await readStateFile(project, name)
  if (found.kind === 'unreadable') throw found.error
  return { name, text: found.kind === 'text' ? found.text : undefined, notices: project.notices }
}

async function nameOf(project: Project, { file, plan }: StateQuestion): Promise<string> {
  if (file !== 'plan' && file !== 'progress') return file
  const { pair } = await resolveActivePlan(project, { plan })
  return pair[file]
}
