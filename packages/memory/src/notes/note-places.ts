/** The directories of notes in this store. Existing directories keep their names. */
import type { Locator, StorageBackend } from '@agentm/storage-seam'
import { personalHomes } from './pure/note-place.ts'

export class NotePlaces {
  readonly #backend: StorageBackend
  #personal: Promise<string> | undefined

  constructor(backend: StorageBackend) {
    this.#backend = backend
  }

  /** The directory of notes that belong to no project. */
  async personal(): Promise<string> {
    this.#personal ??= this.#find()
    return this.#personal.catch((error: unknown) => {
      this.#personal = undefined
      throw error
    })
  }

  at(key: string): Locator {
    return this.#backend.resolve(key)
  }

  async #find(): Promise<string> {
    for (const home of personalHomes) if (await this.#backend.exists(this.at(home))) return home
    return personalHomes[0]
  }
}
