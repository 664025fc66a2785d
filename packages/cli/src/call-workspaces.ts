/** The workspaces of one call of a command: each directory is opened once, and all are closed when the command ends. */
import path from 'node:path'
import type { Workspace } from '@agentm/workspace'
import type { WorkspaceReader } from '@agentm/workspace/reader'

export class CallWorkspaces {
  readonly #opened = new Map<string, Promise<{ close(): Promise<void> }>>()
  readonly #cwd: string

  constructor(cwd: string) {
    this.#cwd = cwd
  }

  async workspace(directory = this.#cwd): Promise<Workspace> {
    return this.#once(`write ${this.#at(directory)}`, async () => {
      const { openWorkspace } = await import('@agentm/workspace')
      return openWorkspace(this.#at(directory))
    })
  }

  async reader(directory = this.#cwd): Promise<WorkspaceReader> {
    return this.#once(`read ${this.#at(directory)}`, async () => {
      const { openWorkspaceReader } = await import('@agentm/workspace/reader')
      return openWorkspaceReader(this.#at(directory))
    })
  }

  async close(): Promise<void> {
    for (const opening of this.#opened.values()) await (await opening.catch(() => undefined))?.close()
  }

  #at(directory: string): string {
    return path.resolve(this.#cwd, directory)
  }

  async #once<T extends { close(): Promise<void> }>(key: string, open: () => Promise<T>): Promise<T> {
    const opening = this.#opened.get(key) ?? open()
    this.#opened.set(key, opening)
    return opening as Promise<T>
  }
}
