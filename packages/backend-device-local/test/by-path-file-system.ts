/** The disk of this machine, as on a system where nothing can be named by an open directory. */
import { type FileSystem, nodeFileSystem } from '@agentm/vault-lock'

const { openDirectory: _openDirectory, locate: _locate, ...plain } = nodeFileSystem

export const byPathFileSystem: FileSystem = {
  ...plain,
  async open(path, flags, mode) {
    const { where: _where, ...file } = await nodeFileSystem.open(path, flags, mode)
    return file
  },
}
