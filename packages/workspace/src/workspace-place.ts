/** Where a workspace is, and what it takes from its surroundings. */
import path from 'node:path'
import { readingConfigOnce, type SelectionWorld } from '@agentm/selection/reader'
import { filePath } from '@agentm/vault-lock'
import { workspaceWorld } from './workspace-world.ts'

/**
 * A directory: the config of this user decides where notes and plans are kept. Or a workspace of its own, with everything in
 * `home`: the config of this user is not read, and neither are the variables that name other places.
 */
export type WorkspacePlace = string | OwnHome

/** A workspace of a program's own: where it keeps its data, and its settings. */
export interface OwnHome {
  /** The directory that keeps notes, log and config; it is created by the first write. */
  readonly home: string
  /** The project that notes and plans belong to is found from here (default: they belong to no project). */
  readonly directory?: string
  /** Settings by their keys, such as `{ 'models.url': 'http://127.0.0.1:11434/v1' }`; they win over the config file in `home`. */
  readonly settings?: Readonly<Record<string, unknown>>
}

export interface Surroundings {
  /** Absolute. */
  readonly directory: string
  readonly world: SelectionWorld
  /** False: what is kept belongs to no project. */
  readonly hasProject: boolean
}

export async function surroundingsOf(where: WorkspacePlace, given?: SelectionWorld): Promise<Surroundings> {
  const world = given ?? (await workspaceWorld())
  if (typeof where === 'string')
    return { directory: path.resolve(where), world: readingConfigOnce(world), hasProject: true }
  const home = filePath(path.resolve(where.home))
  const alone: SelectionWorld = {
    ...world,
    env: { ...world.env, ...elsewhere, AGENTM_HOME: home, AGENTM_INSTALL_PREFIX: home },
    ...(where.settings === undefined ? {} : { settings: where.settings }),
  }
  return {
    directory: where.directory === undefined ? home : path.resolve(where.directory),
    world: readingConfigOnce(alone),
    hasProject: where.directory !== undefined,
  }
}

/** Variables that name places of the user. */
const elsewhere = { AGENTM_NODES_URL: undefined, AGENTM_BACKEND_PLUGINS: undefined, MEMORY_VAULT_PATH: undefined }
