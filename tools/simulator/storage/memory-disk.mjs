// @ts-check
/**
 * A disk in memory, as a local file system of Linux keeps it: names lead to inodes, what is open lives on without a name, the
 * number of a dead inode is given to the next one at once, and times come in ticks. What was not synced may be gone after a
 * power cut: of a directory the newest changes, of a file any part of what was written since.
 */
import path from 'node:path'

/**
 * @typedef {object} Inode
 * @property {bigint} ino
 * @property {number} mode permission bits
 * @property {Map<string, Inode> | undefined} entries what a directory holds; `undefined` for a file
 * @property {Map<string, Inode>} saved what of it is on the disk for good
 * @property {(() => void)[]} unsaved what was done to `entries` since, in order, to be done to `saved`
 * @property {Buffer} bytes
 * @property {Buffer} savedBytes
 * @property {bigint} atimeNs
 * @property {bigint} mtimeNs
 * @property {bigint} ctimeNs
 * @property {bigint} birthtimeNs
 * @property {number} opens
 * @property {number} names
 */

const tickNs = 4_000_000n

export class MemoryDisk {
  /** How many changes the disk has seen: tells what came before what. */
  moment = 0
  #wallClock
  #inodes = 1n
  /** Numbers to be given again, the last one first. @type {bigint[]} */
  #free = []
  #root

  /** @param {() => number} wallClock milliseconds since the epoch, as the machine believes */
  constructor(wallClock) {
    this.#wallClock = wallClock
    this.#root = this.#inode({ isDirectory: true, mode: 0o755 })
  }

  /** @param {string} place @param {boolean} [isExclusive] makes a new file; without it, an existing one is opened */
  open(place, isExclusive = false, mode = 0o666) {
    const inode = isExclusive ? this.#create(place, mode) : this.#at(place, 'open')
    inode.opens += 1
    return inode
  }

  /** @param {Inode} inode */
  close(inode) {
    inode.opens -= 1
    this.#perhapsFree(inode)
  }

  /** @param {Inode} inode @param {Uint8Array} bytes */
  append(inode, bytes) {
    inode.bytes = Buffer.concat([inode.bytes, bytes])
    this.#modified(inode)
  }

  /** What an editor does that saves in place. @param {string} place @param {string} text */
  overwrite(place, text) {
    const inode = this.#at(place, 'open')
    inode.bytes = Buffer.from(text)
    this.#modified(inode)
    this.sync(inode)
  }

  /** @param {Inode} inode */
  sync(inode) {
    inode.savedBytes = inode.bytes
    for (const step of inode.unsaved.splice(0)) step()
  }

  /** @param {string} from @param {string} to */
  rename(from, to) {
    const { inode, source, target, name, there } = this.#ends('rename', from, to)
    if (there?.entries !== undefined) throw errno('EISDIR', 'rename', to)
    // Two names of one file: nothing happens.
    if (there === inode) return
    const old = path.basename(from)
    if (source === target)
      this.#change(target, (entries) => {
        entries.delete(old)
        entries.set(name, inode)
      })
    else {
      this.#change(target, (entries) => void entries.set(name, inode))
      this.#change(source, (entries) => void entries.delete(old))
    }
    inode.ctimeNs = this.#tick()
    if (there !== undefined) this.#unname(there)
  }

  /** @param {string} from @param {string} to */
  link(from, to) {
    const { inode, target, name, there } = this.#ends('link', from, to)
    if (there !== undefined) throw errno('EEXIST', 'link', to)
    if (inode.entries !== undefined) throw errno('EPERM', 'link', from)
    inode.names += 1
    inode.ctimeNs = this.#tick()
    this.#add(target, name, inode)
  }

  /** @param {string} call @param {string} from @param {string} to */
  #ends(call, from, to) {
    const source = this.#at(path.dirname(from), call)
    const inode = entriesOf(source).get(path.basename(from))
    if (inode === undefined) throw errno('ENOENT', call, from)
    const target = this.#at(path.dirname(to), call)
    const name = path.basename(to)
    return { source, inode, target, name, there: entriesOf(target).get(name) }
  }

  /** @param {string} place */
  unlink(place) {
    const inode = this.#at(place, 'unlink')
    if (inode.entries !== undefined) throw errno('EISDIR', 'unlink', place)
    this.#remove(place, inode)
  }

  /** @param {string} place */
  rmdir(place) {
    const inode = this.#at(place, 'rmdir')
    if (inode.entries === undefined) throw errno('ENOTDIR', 'rmdir', place)
    if (inode.entries.size > 0) throw errno('ENOTEMPTY', 'rmdir', place)
    this.#remove(place, inode)
  }

  /** The first directory made, as Node answers it. @param {string} place @param {{ readonly recursive?: boolean, readonly mode?: number }} [options] @returns {string | undefined} */
  mkdir(place, { recursive = false, mode = 0o755 } = {}) {
    const { directory, name, found } = this.#look(place, 'mkdir', recursive)
    if (found !== undefined) {
      if (recursive && found.entries !== undefined) return undefined
      throw errno('EEXIST', 'mkdir', place)
    }
    if (directory !== undefined) {
      this.#add(directory, name, this.#inode({ isDirectory: true, mode }))
      return recursive ? place : undefined
    }
    const first = this.mkdir(path.dirname(place), { recursive })
    this.mkdir(place)
    return first
  }

  /** @param {string} place */
  stat(place) {
    return statsOf(this.#at(place, 'stat'))
  }

  /** @param {Inode} inode */
  statOf(inode) {
    return statsOf(inode)
  }

  /** @param {string} place */
  readdir(place) {
    const { entries } = this.#at(place, 'scandir')
    if (entries === undefined) throw errno('ENOTDIR', 'scandir', place)
    return [...entries.keys()]
  }

  /** @param {string} place */
  readFile(place) {
    const inode = this.#at(place, 'open')
    if (inode.entries !== undefined) throw errno('EISDIR', 'read', place)
    return inode.bytes
  }

  /** @param {string} place @returns {string | undefined} */
  textAt(place) {
    return this.#look(place, 'open', true).found?.bytes.toString('utf8')
  }

  /** @param {Inode} inode @param {number} bits */
  chmod(inode, bits) {
    inode.mode = bits
    inode.ctimeNs = this.#tick()
  }

  /** @param {string | Inode} place @param {number} accessed @param {number} modified both in seconds */
  utimes(place, accessed, modified) {
    const inode = typeof place === 'string' ? this.#at(place, 'utime') : place
    inode.atimeNs = BigInt(Math.floor(accessed * 1e6)) * 1000n
    inode.mtimeNs = BigInt(Math.floor(modified * 1e6)) * 1000n
    inode.ctimeNs = this.#tick()
  }

  /** Every place on the disk, below its root. @returns {readonly string[]} */
  places() {
    /** @type {(inode: Inode, place: string) => string[]} */
    const below = (inode, place) =>
      [...(inode.entries ?? [])].flatMap(([name, child]) => [`${place}/${name}`, ...below(child, `${place}/${name}`)])
    return below(this.#root, '')
  }

  /** What was not synced is there, or not, or in part. Nothing is open afterwards. @param {() => number} random */
  cutPower(random) {
    this.#cut(this.#root, random)
    this.#count(this.#root, new Set())
  }

  /** How many names each file has now. @param {Inode} directory @param {Set<Inode>} met */
  #count({ entries }, met) {
    for (const child of entries?.values() ?? []) {
      child.names = met.has(child) ? child.names + 1 : 1
      met.add(child)
      this.#count(child, met)
    }
  }

  /** @param {Inode} inode @param {() => number} random */
  #cut(inode, random) {
    inode.opens = 0
    if (inode.entries === undefined) {
      if (inode.bytes !== inode.savedBytes) inode.bytes = left(inode, random())
      inode.savedBytes = inode.bytes
      return
    }
    const kept = Math.floor(random() * (inode.unsaved.length + 1))
    for (const step of inode.unsaved.splice(0).slice(0, kept)) step()
    inode.entries = new Map(inode.saved)
    for (const child of inode.entries.values()) this.#cut(child, random)
  }

  /** @param {string} place @param {number} mode */
  #create(place, mode) {
    const { directory, name, found } = this.#look(place, 'open')
    if (found !== undefined) throw errno('EEXIST', 'open', place)
    if (directory === undefined) throw errno('ENOENT', 'open', place)
    return this.#add(directory, name, this.#inode({ isDirectory: false, mode: mode & 0o755 }))
  }

  /** @param {Inode} directory @param {string} name @param {Inode} inode */
  #add(directory, name, inode) {
    this.#change(directory, (entries) => void entries.set(name, inode))
    return inode
  }

  /** @param {string} place @param {Inode} inode */
  #remove(place, inode) {
    this.#change(this.#at(path.dirname(place), 'open'), (entries) => void entries.delete(path.basename(place)))
    this.#unname(inode)
  }

  /** @param {Inode} directory @param {(entries: Map<string, Inode>) => void} step */
  #change(directory, step) {
    step(entriesOf(directory))
    directory.unsaved.push(() => step(directory.saved))
    this.#modified(directory)
  }

  /** @param {Inode} inode */
  #modified(inode) {
    this.moment += 1
    inode.mtimeNs = inode.ctimeNs = this.#tick()
  }

  /** @param {Inode} inode */
  #unname(inode) {
    inode.names -= 1
    this.#perhapsFree(inode)
  }

  /** @param {Inode} inode */
  #perhapsFree(inode) {
    if (inode.names === 0 && inode.opens === 0) this.#free.push(inode.ino)
  }

  /** @param {{ readonly isDirectory: boolean, readonly mode: number }} kind @returns {Inode} */
  #inode({ isDirectory, mode }) {
    const now = this.#tick()
    const nothing = Buffer.alloc(0)
    return {
      ino: this.#free.pop() ?? (this.#inodes += 1n),
      mode,
      entries: isDirectory ? new Map() : undefined,
      saved: new Map(),
      unsaved: [],
      bytes: nothing,
      savedBytes: nothing,
      atimeNs: now,
      mtimeNs: now,
      ctimeNs: now,
      birthtimeNs: now,
      opens: 0,
      names: 1,
    }
  }

  #tick() {
    const now = BigInt(Math.round(this.#wallClock() * 1e6))
    return now - (now % tickNs)
  }

  /** @param {string} place @param {string} call */
  #at(place, call) {
    const { found } = this.#look(place, call)
    if (found === undefined) throw errno('ENOENT', call, place)
    return found
  }

  /**
   * What is at a place, and the directory it is, or would be, in.
   * @param {string} place @param {string} call @param {boolean} [isPatient] a directory on the way may be absent
   */
  #look(place, call, isPatient = false) {
    const names = place.split('/').filter((name) => name !== '')
    const name = names.pop()
    if (name === undefined) return { directory: undefined, name: '', found: this.#root }
    /** @type {Inode | undefined} */
    let directory = this.#root
    for (const step of names) {
      directory = entriesOf(directory, call, place).get(step)
      if (directory === undefined && isPatient) return { directory, name, found: undefined }
      if (directory === undefined) throw errno('ENOENT', call, place)
    }
    return { directory, name, found: entriesOf(directory, call, place).get(name) }
  }
}

/** @param {Inode} inode @param {string} [call] @param {string} [place] */
function entriesOf({ entries }, call = 'open', place = '') {
  if (entries === undefined) throw errno('ENOTDIR', call, place)
  return entries
}

/** @param {Inode} file @param {number} dice */
function left({ bytes, savedBytes }, dice) {
  if (dice < 0.3) return bytes
  return dice < 0.6 ? savedBytes : bytes.subarray(0, Math.floor(bytes.length * dice))
}

/** @param {Inode} inode @returns {import('node:fs').BigIntStats} */
function statsOf({ ino, mode, entries, bytes, names, atimeNs, mtimeNs, ctimeNs, birthtimeNs }) {
  const facts = {
    dev: 1n,
    ino,
    mode: BigInt(mode) | (entries === undefined ? 0o100000n : 0o40000n),
    nlink: BigInt(names),
    size: BigInt(bytes.length),
    atimeNs,
    mtimeNs,
    ctimeNs,
    birthtimeNs,
    mtimeMs: mtimeNs / 1_000_000n,
    isFile: () => entries === undefined,
    isDirectory: () => entries !== undefined,
    isSymbolicLink: () => false,
  }
  return /** @type {import('node:fs').BigIntStats} */ (/** @type {unknown} */ (facts))
}

/** @param {string} code @param {string} call @param {string} place */
export function errno(code, call, place) {
  return Object.assign(new Error(`${code}: ${call} '${place}'`), { code, syscall: call, path: place })
}
