// @ts-check
/**
 * One machine of a simulated world: a disk, a clock that may be set, and processes that use both through the calls the storage
 * packages are made of. A process may be killed or stand still between any two calls, a call may be slow, find the disk full,
 * or happen and answer with an error; the machine may lose its power.
 */
import { errno, MemoryDisk } from './memory-disk.mjs'

/**
 * @typedef {import('@agentm/vault-lock').FileSystem} FileSystem
 * @typedef {import('@agentm/vault-lock').OpenFile} OpenFile
 * @typedef {import('@agentm/vault-lock').LockRuntime} Runtime
 * @typedef {NonNullable<ReturnType<Runtime['processes']['self']>>} ProcessName
 * @typedef {import('../virtual-time.mjs').VirtualTime} VirtualTime
 * @typedef {import('../seeded.mjs').Chance} Chance
 * @typedef {import('./memory-disk.mjs').Inode} Inode
 * @typedef {Readonly<Record<string, string>>} Mounts what a process sees at a path, where that is not what lies there
 */

/** How likely each fault is, at each call where it may strike; in some worlds more, in others less. */
const rates = {
  crash: 0.0008,
  suspend: 0.001,
  slow: 0.005,
  lostAnswer: 0.001,
  fullDisk: 0.003,
  badDisk: 0.0005,
}
const standstillMs = 25_000
const slowMs = 800
const callMs = 2
/** Processes have so many numbers. */
const pids = 6
/** A call whose moment has been chosen comes at once. The lock does not promise anything to whoever stands still just there. */
const atOnce = new Set(['rmdir'])
const grows = new Set(['create', 'writeFile', 'mkdir', 'link'])
/** What tells which file a name has now. */
const looks = new Set(['stat', 'realpath', 'open'])

export class Machine {
  disk
  /** How often its clock was set. */
  clockSets = 0
  /** @type {Set<Process>} */
  #processes = new Set()
  #time
  #chance
  #setBackMs = 0
  #started = 0
  /** How often it was started. */
  #starts = 1
  #fury

  /** @param {VirtualTime} time @param {Chance} chance */
  constructor(time, chance) {
    this.#time = time
    this.#chance = chance
    this.#fury = 2 ** (3 * chance.stream('fury')() - 2)
    this.disk = new MemoryDisk(() => this.wallClock())
  }

  wallClock() {
    return this.#time.now - this.#setBackMs
  }

  /** Somebody, or something, sets the clock. @param {number} ms forward, or back where negative */
  setClock(ms) {
    this.clockSets += 1
    this.#setBackMs -= ms
  }

  /** @param {string} name @param {() => void} [onDeath] @param {{ readonly mounts?: Mounts }} [container] @returns {Process} */
  start(name, onDeath = () => undefined, { mounts = {} } = {}) {
    const started = new Process(
      { machine: this, time: this.#time, chance: this.#chance, fury: this.#fury, name, mounts },
      { onDeath: () => (this.#processes.delete(started), onDeath()) },
    )
    this.#processes.add(started)
    return started
  }

  /** Numbers are given again soon. @returns {ProcessName} */
  nextProcess() {
    this.#started += 1
    return { pid: 1 + (this.#started % pids), table: this.#starts, start: this.#started % 1000 }
  }

  /** @param {ProcessName} name */
  hasEnded({ pid, table, start }) {
    if (table !== this.#starts) return false
    return ![...this.#processes].some(({ processName: each }) => each.pid === pid && each.start === start)
  }

  /** Everything that runs dies, and the disk keeps what was synced and some of the rest. */
  losePower() {
    this.disk.cutPower(this.#chance.stream('power'))
    for (const each of this.#processes) each.kill()
    this.#starts += 1
  }
}

export class Process {
  isDead = false
  standstills = 0
  /** When it last looked which file a name has, as a moment of the disk. @type {Map<string, number>} */
  #looked = new Map()
  /** When the last file it wrote was complete. */
  #complete = 0
  /**
   * Told when a file is about to take another's place, or to go, and since when nobody needs to have looked at it any more.
   * @type {(place: string, since: number) => void}
   */
  onChange = () => undefined
  #machine
  #time
  #chance
  #fury
  #name
  #random
  #onDeath
  #ids = 0
  #suspendedUntil = 0
  #mounts
  /** @type {Set<Inode>} */
  #open = new Set()

  /**
   * @param {{ readonly machine: Machine, readonly time: VirtualTime, readonly chance: Chance, readonly fury: number, readonly name: string, readonly mounts: Mounts }} world
   * @param {{ readonly onDeath: () => void }} told
   */
  constructor({ machine, time, chance, fury, name, mounts }, { onDeath }) {
    this.#mounts = mounts
    this.#machine = machine
    this.#time = time
    this.#chance = chance
    this.#fury = fury
    this.#name = name
    this.#random = chance.stream(name)
    this.#onDeath = onDeath
    this.processName = machine.nextProcess()
    this.fs = this.#fileSystem()
    this.runtime = this.#runtime()
  }

  kill() {
    if (this.isDead) return
    this.isDead = true
    for (const inode of this.#open) this.#machine.disk.close(inode)
    this.#open.clear()
    this.#onDeath()
  }

  /** @returns {Runtime} */
  #runtime() {
    return {
      now: () => this.#machine.wallClock(),
      monotonic: () => this.#time.now,
      random: this.#random,
      processes: {
        self: () => this.processName,
        hasEnded: (name) => this.#machine.hasEnded(name),
      },
      surroundings: () => ({ view: `simulated ${JSON.stringify(this.#mounts)}`, name: this.#name }),
      newId: () => `${this.#name.replaceAll('.', '-')}-${(this.#ids += 1)}`,
      sleep: async (ms, signal) => {
        await this.#rest(ms, signal)
        await this.#alive()
      },
    }
  }

  /** @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} */
  #rest(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      const cancel = this.#time.after(ms, resolve)
      signal?.addEventListener('abort', () => (cancel(), resolve()), { once: true })
    })
  }

  /** @returns {FileSystem} */
  #fileSystem() {
    const { disk } = this.#machine
    const at = (/** @type {string} */ place) => this.#behind(place)
    /** @type {<T>(name: string, place: string, perform: () => T) => Promise<T>} */
    const call = (name, place, perform) => this.#call(name, place, perform)
    const stat = (/** @type {string} */ place) => call('stat', place, () => disk.stat(at(place)))
    return {
      platform: 'linux',
      isSimulated: true,
      open: (place, flags, mode) =>
        call(flags === 'wx' ? 'create' : 'open', place, () =>
          this.#opened(disk.open(at(place), flags === 'wx', mode), place),
        ),
      rename: (from, to) =>
        call('rename', to, () => {
          this.onChange(to, Math.max(this.#looked.get(to) ?? 0, this.#complete))
          disk.rename(at(from), at(to))
        }),
      link: (from, to) => call('link', to, () => disk.link(at(from), at(to))),
      unlink: (place) =>
        call('unlink', place, () => {
          this.onChange(place, this.#looked.get(place) ?? 0)
          disk.unlink(at(place))
        }),
      mkdir: (place, options) => call('mkdir', place, () => disk.mkdir(at(place), options)),
      rmdir: (place) => call('rmdir', place, () => disk.rmdir(at(place))),
      stat,
      lstat: stat,
      lstatAll: (places) => call('stat', places[0] ?? '', () => places.map((place) => statIfThere(disk, at(place)))),
      readlink: (place) =>
        call('readlink', place, () => {
          throw errno('EINVAL', 'readlink', place)
        }),
      realpath: (place) => call('realpath', place, () => (disk.stat(at(place)), place)),
      readdir: (place) => call('readdir', place, () => disk.readdir(at(place))),
      readdirBytes: (place) => call('readdir', place, () => disk.readdir(at(place)).map((name) => Buffer.from(name))),
      readFile: (place) => call('readFile', place, () => disk.readFile(at(place))),
      utimes: (place, accessed, modified) => call('utimes', place, () => disk.utimes(at(place), accessed, modified)),
      mayWrite: async () => true,
      isOurs: async () => true,
    }
  }

  /** What lies at a path for this process. @param {string} place */
  #behind(place) {
    for (const [from, to] of Object.entries(this.#mounts))
      if (place === from || place.startsWith(`${from}/`)) return to + place.slice(from.length)
    return place
  }

  /** @param {Inode} inode @param {string} place @returns {OpenFile} */
  #opened(inode, place) {
    const { disk } = this.#machine
    this.#open.add(inode)
    /** @type {<T>(name: string, perform: () => T) => Promise<T>} */
    const call = (name, perform) => this.#call(name, place, perform)
    return {
      read: (bytes, position) => call('read', () => inode.bytes.copy(bytes, 0, position, position + bytes.length)),
      async writeFile(bytes) {
        const half = Math.ceil(bytes.length / 2)
        await call('writeFile', () => disk.append(inode, bytes.subarray(0, half)))
        await call('writeFile', () => disk.append(inode, bytes.subarray(half)))
      },
      sync: () =>
        call('sync', () => {
          disk.sync(inode)
          if (inode.entries === undefined) this.#complete = disk.moment
        }),
      chmod: (bits) => call('chmod', () => disk.chmod(inode, bits)),
      stat: () => call('fstat', () => disk.statOf(inode)),
      utimes: (accessed, modified) => call('futimes', () => disk.utimes(inode, accessed, modified)),
      close: () =>
        call('close', () => {
          this.#open.delete(inode)
          disk.close(inode)
        }),
    }
  }

  /** @template T @param {string} name @param {string} place @param {() => T} perform @returns {Promise<T>} */
  async #call(name, place, perform) {
    const isAtOnce = atOnce.has(name)
    if (!isAtOnce && this.#strikes('suspend')) {
      this.#suspendedUntil = this.#time.now + this.#random() * standstillMs
      this.standstills += 1
    }
    if (this.#strikes('crash')) this.kill()
    await this.#alive()
    const isSlow = !isAtOnce && this.#strikes('slow')
    await this.#rest(this.#random() * (isSlow ? slowMs : callMs))
    // What was asked before a standstill is done during it; what was asked before a death may be left undone.
    if (this.isDead) await new Promise(() => undefined)
    try {
      this.#perhapsRefuse(name, place)
      if (looks.has(name)) this.#looked.set(place, this.#machine.disk.moment)
      const answer = perform()
      // A file is closed also when closing reports a fault.
      if (name !== 'close' && this.#strikes('lostAnswer')) throw errno('EIO', name, place)
      return answer
    } finally {
      if (this.#strikes('crash')) this.kill()
      await this.#alive()
    }
  }

  /** @param {string} name @param {string} place */
  #perhapsRefuse(name, place) {
    if (grows.has(name) && this.#strikes('fullDisk')) throw errno('ENOSPC', name, place)
    if (name !== 'close' && this.#strikes('badDisk')) throw errno('EIO', name, place)
  }

  /** Goes on when this process does. @returns {Promise<void>} */
  async #alive() {
    while (!this.isDead && this.#suspendedUntil > this.#time.now)
      await this.#rest(this.#suspendedUntil - this.#time.now)
    if (this.isDead) await new Promise(() => undefined)
  }

  /** @param {keyof typeof rates} fault */
  #strikes(fault) {
    return !this.isDead && this.#chance.strikes(`${this.#name} ${fault}`, rates[fault] * this.#fury)
  }
}

/** @param {MemoryDisk} disk @param {string} place */
function statIfThere(disk, place) {
  return disk.textAt(place) === undefined ? undefined : disk.stat(place)
}
