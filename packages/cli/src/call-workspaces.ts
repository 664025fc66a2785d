/** The workspaces of one call of a command: each directory is opened once, and all are closed when the command ends. */
import path from 'node:path'
import type { CallTelemetry } from './call-telemetry.ts'
import type { Workspace } from '@agentm/workspace'
import type { WorkspaceReader } from '@agentm/workspace/reader'

export class CallWorkspaces {
  readonly #opened = new Map<string, Promise<{ close(): Promise<void> }>>()
  readonly #cwd: string
  readonly #telemetry: CallTelemetry | undefined

  constructor(cwd: string, telemetry?: CallTelemetry) {
    this.#cwd = cwd
    this.#telemetry = telemetry
  }

  async workspace(directory = this.#cwd): Promise<Workspace> {
    return this.#once(`write ${this.#at(directory)}`, async () => {
      const { openWorkspace } = await import('@agentm/workspace')
      const telemetry = this.#telemetry
      return openWorkspace(this.#at(directory), telemetry && { observer: () => telemetry.open() })
    })
  }

  async reader(directory = this.#cwd): Promise<WorkspaceReader> {
    return this.#once(`read ${this.#at(directory)}`, async () => {
      const { openWorkspaceReader } = await import('@agentm/workspace/reader')
      return openWorkspaceReader(this.#at(directory))
    })
  }

  async close(): Promise<void> {
    await this.#telemetry?.settled()
    for (const opening of this.#opened.values()) await (await opening.catch(() => undefined))?.close()
    await this.#telemetry?.close()
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
