/** Where the node log is, by one setting, and where this device keeps its own index. */
import path from 'node:path'
import { agentmHome, type InstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { type FilePath, filePath } from '@agentm/vault-lock'

export interface NodesPlace {
  /** `undefined` where the log is on a server, or wherever else a plugin keeps it. */
  readonly file: FilePath | undefined
  readonly url: string | undefined
  /** The index of notes, always on this device: beside the log where that is a file. */
  readonly notesFile: FilePath
  /** The vectors that an embedder was asked for, beside it. They cost something, so they outlive a damaged index. */
  readonly vectorsFile: FilePath
}

/** From `AGENTM_NODES_URL`, else `nodes.url` of the config, else `log/agentm.db` in `AGENTM_HOME`. */
export function nodesPlace(config: InstallConfig, world: SelectionWorld): NodesPlace {
  const setting = world.env['AGENTM_NODES_URL']?.trim() || config.values['nodes.url']
  const home = agentmHome(world)
  if (setting !== undefined && protocolOf(setting) !== undefined)
    return { file: undefined, url: setting, ...besideLog(path.join(home, 'log', '')) }
  const file = setting === undefined ? path.join(home, 'log', 'agentm.db') : asFile(setting, world)
  return { file: filePath(file), url: undefined, ...besideLog(`${file.replace(/\.db$/i, '')}.`) }
}

function besideLog(beginning: string): Pick<NodesPlace, 'notesFile' | 'vectorsFile'> {
  return { notesFile: filePath(`${beginning}notes.db`), vectorsFile: filePath(`${beginning}vectors.db`) }
}

/** What a URL begins with, in lower case: `postgres`. `undefined` for a file, also one that is written as a URL or with a drive. */
export function protocolOf(setting: string): string | undefined {
  const [, protocol] = /^(postgres(?:ql)?(?=:)|[a-z][a-z0-9+.-]+(?=:\/\/))/i.exec(setting) ?? []
  return protocol?.toLowerCase() === 'file' ? undefined : protocol?.toLowerCase()
}

/** The protocols of the log on PostgreSQL, whose plugin is ours. */
export const postgresProtocols = ['postgres', 'postgresql']

/** Of a server nothing but where it is: the rest of its URL may be secret. */
export function placeName({ file, url = '' }: NodesPlace): string {
  if (file !== undefined) return file
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' }
  return `${protocolOf(url)}://${host}${pathname}`
}

function asFile(setting: string, world: SelectionWorld): string {
  if (setting.startsWith('file:')) return new URL(setting).pathname
  return /^~(?=[/\\]|$)/.test(setting) ? path.join(world.home, setting.slice(1)) : setting
}
