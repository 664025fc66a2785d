/** The surroundings of this process, and where its plugins may come from: beside the packages that are running. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { installationsOf, processWorld, type SelectionWorld } from '@agentm/selection/reader'
import { filePath } from '@agentm/vault-lock'

export async function workspaceWorld(): Promise<SelectionWorld> {
  const here = filePath(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
  return processWorld(await installationsOf(here, '@agentm/workspace'))
}
