/** The same, with two optional promises: a conditional write, which `update` is built on, and removal. */
import { Capabilities, checkUnchanged, type Locator, type WriteOptions } from '@agentm/storage-seam'
import { MapBackend } from './map-backend.ts'

export class CarefulMapBackend extends MapBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true, removal: true })

  override async write(at: Locator, text: string, { ifHash }: WriteOptions = {}): Promise<Locator> {
    checkUnchanged(at, this.places.get(at.key)?.text, ifHash)
    return super.write(at, text) // Nothing is awaited between the look and the write.
  }

  override async remove(at: Locator, { ifHash }: { readonly ifHash?: string } = {}): Promise<void> {
    await this.read(at) // Refuses what is absent, and directories.
    checkUnchanged(at, this.places.get(at.key)?.text, ifHash)
    this.places.delete(at.key)
  }
}
