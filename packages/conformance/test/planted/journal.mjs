// @ts-check
/**
 * A backend that several processes may open, and one fault at a time planted in it. Honest, it keeps a journal: each
 * change is a numbered file that only one process can create, so there is no lock to lose and nothing half written.
 * Plain JavaScript, because the crew runs it on bare Node.
 */
import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { InMemoryBackend } from '@agentm/conformance'
import { Capabilities, ConcurrentModificationError, Locator, seamMajor, StorageBackend } from '@agentm/storage-seam'

/** @typedef {import('@agentm/storage-seam').WriteOptions} WriteOptions */
/** @typedef {{ do: 'write' | 'mkdir' | 'remove', key: string, text: string }} Entry */

export class JournalBackend extends StorageBackend {
  capabilities = new Capabilities({ concurrentWriters: true, conditionalWrite: true, removal: true })
  #model = new InMemoryBackend()
  #played = 0
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve()
  /** @readonly */ directory

  /** @param {string} directory */
  constructor(directory) {
    super()
    this.directory = directory
  }

  /** @param {Locator} at @returns {Promise<string>} */
  async read(at) {
    return this.#look((model) => model.read(at))
  }

  /** @param {Locator} at @param {string} text @param {WriteOptions} [options] @returns {Promise<Locator>} */
  async write(at, text, options) {
    return this.#change({ do: 'write', key: at.key, text }, (model) => model.write(at, text, options))
  }

  /** @param {Locator} at */
  async list(at) {
    return this.#look((model) => model.list(at))
  }

  /** @param {Locator} at */
  async exists(at) {
    return this.#look((model) => model.exists(at))
  }

  /** @param {Locator} at */
  async info(at) {
    return this.#look((model) => model.info(at))
  }

  /** @param {Locator} at */
  async mkdir(at) {
    return this.#change({ do: 'mkdir', key: at.key, text: '' }, (model) => model.mkdir(at))
  }

  /** @override @param {Locator} at @param {{ readonly ifHash?: string }} [options] */
  async remove(at, options) {
    return this.#change({ do: 'remove', key: at.key, text: '' }, (model) => model.remove(at, options))
  }

  /** @template T @param {(model: InMemoryBackend) => Promise<T>} verb */
  async #look(verb) {
    return this.#alone(async () => {
      await this.#replay()
      return verb(this.#model)
    })
  }

  /** @template T @param {Entry} entry @param {(model: InMemoryBackend) => Promise<T>} verb */
  async #change(entry, verb) {
    return this.#alone(async () => {
      for (;;) {
        await this.#replay()
        const answer = await verb(this.#model)
        if (await this.#append(entry)) return answer
        // Another process was first: forget what was tried, and try it on what is there now.
        this.#model = new InMemoryBackend()
        this.#played = 0
      }
    })
  }

  async #replay() {
    await mkdir(join(this.directory, 'journal'), { recursive: true })
    const names = (await readdir(join(this.directory, 'journal'))).toSorted()
    for (const name of names.slice(this.#played)) {
      /** @type {Entry} */
      const entry = JSON.parse(await readFile(join(this.directory, 'journal', name), 'utf8'))
      const at = new Locator(entry.key)
      if (entry.do === 'write') await this.#model.write(at, entry.text)
      else await this.#model[entry.do](at)
      this.#played++
    }
  }

  /** @param {Entry} entry */
  async #append(entry) {
    const draft = join(this.directory, `draft-${randomUUID()}`)
    await writeFile(draft, JSON.stringify(entry))
    try {
      await link(draft, join(this.directory, 'journal', String(this.#played + 1).padStart(8, '0')))
      this.#played++
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    } finally {
      await unlink(draft)
    }
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  async #alone(work) {
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => undefined)
    return turn
  }
}

class ReadsFromItsCache extends JournalBackend {
  /** @type {Map<string, string>} */
  #seen = new Map()

  /** @override @param {Locator} at */
  async read(at) {
    const text = this.#seen.get(at.key) ?? (await super.read(at))
    this.#seen.set(at.key, text)
    return text
  }

  /** @override @param {Locator} at @param {string} text @param {WriteOptions} [options] */
  async write(at, text, options) {
    this.#seen.delete(at.key)
    return super.write(at, text, options)
  }

  /** @override @param {Locator} at @param {{ readonly ifHash?: string }} [options] */
  async remove(at, options) {
    this.#seen.delete(at.key)
    return super.remove(at, options)
  }

  /** @override @param {Locator} at @param {import('@agentm/storage-seam').Change} change */
  async update(at, change) {
    this.#seen.delete(at.key)
    return new JournalBackend(this.directory).update(at, change)
  }
}

class TrustsItsOwnLastUpdate extends JournalBackend {
  /** @type {Map<string, string>} */
  #mine = new Map()

  /** @override @param {Locator} at @param {import('@agentm/storage-seam').Change} change */
  async update(at, change) {
    const mine = this.#mine.get(at.key)
    const text = mine === undefined ? await super.update(at, change) : change(mine)
    if (text === undefined) return mine
    if (mine !== undefined) await this.write(at, text)
    else this.#mine.set(at.key, text)
    this.#mine.set(at.key, text)
    return text
  }
}

class LooksBeforeItCreates extends JournalBackend {
  /** @override @param {Locator} at @param {string} text @param {WriteOptions} [options] */
  async write(at, text, options = {}) {
    if (options.ifHash !== null) return super.write(at, text, options)
    if (await this.exists(at)) throw new ConcurrentModificationError(at, null, 'something')
    await sleep(20)
    return super.write(at, text)
  }
}

class WritesInTwoHalves extends JournalBackend {
  /** @override @param {Locator} at @param {string} text @param {WriteOptions} [options] */
  async write(at, text, options) {
    if (isLong(text)) {
      await super.write(at, text.slice(0, text.length / 2).toWellFormed(), options)
      await sleep(100)
      return super.write(at, text)
    }
    return super.write(at, text, options)
  }
}

class WritesBesideFirst extends JournalBackend {
  /** @override @param {Locator} at @param {string} text @param {WriteOptions} [options] */
  async write(at, text, options) {
    if (!isLong(text)) return super.write(at, text, options)
    const beside = new Locator(`${at.key}.partial`)
    await super.write(beside, text)
    await sleep(100)
    await super.write(at, text, options)
    await super.remove(beside)
    return at
  }
}

class WaitsForTheDead extends JournalBackend {
  /** @override @param {Locator} at @param {import('@agentm/storage-seam').Change} change */
  async update(at, change) {
    const lock = join(this.directory, 'lock')
    while (!(await made(lock))) await sleep(5)
    try {
      return await super.update(at, change)
    } finally {
      await rmdir(lock)
    }
  }
}

/** @type {Readonly<Record<string, new (directory: string) => JournalBackend>>} */
const planted = {
  none: JournalBackend,
  'process-sees-writes': ReadsFromItsCache,
  'process-updates': TrustsItsOwnLastUpdate,
  'process-creates': LooksBeforeItCreates,
  'process-kill-whole': WritesInTwoHalves,
  'process-kill-tidy': WritesBesideFirst,
  'process-stale-lock': WaitsForTheDead,
}

/** @type {import('@agentm/storage-seam').BackendPlugin} */
export const plugin = {
  protocol: 'planted-journal',
  seam: seamMajor,
  settingsKey: 'plugins.planted-journal',
  rootSetting: 'directory',
  async open({ directory, fault }) {
    const Planted = planted[String(fault)]
    if (Planted === undefined) throw new TypeError(`no fault is called ${String(fault)}`)
    return new Planted(String(directory))
  },
}

/** @param {string} text */
function isLong(text) {
  return text.length > 64 * 1024
}

/** @param {string} path */
async function made(path) {
  return mkdir(path).then(
    () => true,
    () => false,
  )
}
