/** For `doctor`: the project of this directory, and what is wrong with its project file or with the registry of repositories. */
import { readRepos } from '@agentm/routing'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import { oneLine } from './plan/pure/state-text.ts'

export interface ProjectRow {
  readonly name: 'project' | 'repos'
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

export async function projectRows(reader: WorkspaceReader): Promise<readonly ProjectRow[]> {
  return [...(await rowsOfProject(reader)), ...(await rowsOfRegistry(reader))]
}

async function rowsOfProject(reader: WorkspaceReader): Promise<readonly ProjectRow[]> {
  const row = (status: ProjectRow['status'], text: string): ProjectRow => ({
    name: 'project',
    status,
    text: oneLine(text),
  })
  try {
    const { slug, projectRoot, notices, selectionError, bindingError } = await reader.project()
    // Problems of the store are on the storage line.
    const told = notices.filter((notice) => notice !== selectionError?.message)
    const fails = (notice: string) => notice === bindingError?.message || notice.startsWith('.harness/project.json')
    const found =
      slug === undefined
        ? `${projectRoot} is not part of a project; notes saved here belong to every project`
        : `${slug}, ${projectRoot}`
    return [row('ok', found), ...told.map((notice) => row(fails(notice) ? 'fail' : 'warn', notice))]
  } catch (error) {
    return [row('fail', messageOf(error))]
  }
}

async function rowsOfRegistry(reader: WorkspaceReader): Promise<readonly ProjectRow[]> {
  try {
    const backend = await reader.selected().then(
      (storage) => storage.backend,
      () => undefined,
    )
    if (backend !== undefined) await readRepos(backend)
    return []
  } catch (error) {
    return [{ name: 'repos', status: 'fail', text: oneLine(messageOf(error)) }]
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
