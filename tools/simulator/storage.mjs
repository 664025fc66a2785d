// @ts-check
/**
 * Four processes, and a person with an editor, over one store on one machine: the real lock and the real backends over a disk in
 * memory. Processes are killed and stand still between any two calls, the disk is full or answers with errors, the clock is set,
 * the power fails. Whatever was acknowledged is there, once and whole; every condition has one winner; nothing lies about.
 */
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import { VaultBackend } from '@agentm/backend-vault'
import { grantPersonalWrite } from '@agentm/backend-vault/personal'
import { contentHash, Locator, storeMarkerKey } from '@agentm/storage-seam'
import { filePath, isTemporaryName, lockDirectory, vaultMutex } from '@agentm/vault-lock'
import path from 'node:path'
import { Ledger } from './storage/ledger.mjs'
import { Machine } from './storage/machine.mjs'
import { VirtualTime } from './virtual-time.mjs'

/**
 * @typedef {import('./seeded.mjs').Chance} Chance
 * @typedef {import('./storage/machine.mjs').Process} Process
 * @typedef {import('@agentm/vault-lock').DirectoryBackend} Backend
 * @typedef {object} World
 * @property {Chance} chance
 * @property {VirtualTime} time
 * @property {Machine} machine
 * @property {Ledger} ledger
 * @property {boolean} isVault
 * @property {Surroundings} surroundings
 * @property {Map<Process, () => boolean>} inside who has the lock, and whether it surely still has it
 * @property {number} until
 * @typedef {{ readonly world: World, readonly self: Process, readonly locks: import('@agentm/vault-lock').FilePath, readonly store: Backend, readonly name: string, readonly random: () => number }} Writer
 */

const writers = 4
const stormMs = 30_000
/** How the processes of a machine name the place of their locks. @typedef {'alike' | 'differently' | 'out of reach'} Surroundings */
/** Out of each other's reach they take turns of so long, which overlap. */
const shiftMs = 100_000
const overlapMs = 15_000
const outer = filePath('/home/ada/vault')
const root = filePath('/home/ada/vault/store')
const lockRoot = filePath('/home/ada/.cache/agentm/locks')
const otherLockRoot = filePath('/home/ada/.cron/agentm/locks')
const storeId = 'simulated'
const journal = 'notes/journal.md'
const registers = ['plan.md', 'notes/deep/register.md']
const brief = 'notes/brief.md'
const diary = 'diary.md'
const mine = 'mine.md'
const permissions = 0o640
/** Said before anything of it was written. */
const refusals = new Set([
  'LOCK_TIMEOUT',
  'LOCK_LOST',
  'LOCK_ELSEWHERE',
  'CONCURRENT_MODIFICATION',
  'STORE_UNAVAILABLE',
])

/** @param {Chance} chance @returns {Promise<readonly string[]>} */
export async function simulateStorage(chance) {
  const time = new VirtualTime()
  const machine = new Machine(time, chance)
  const isVault = chance.stream('kind of store')() < 0.5
  const surroundings = surroundingsOf(chance.stream('surroundings')())
  const until = time.now + (surroundings === 'out of reach' ? 4 * shiftMs : stormMs)
  const world = { chance, time, machine, ledger: new Ledger(), isVault, surroundings, inside: new Map(), until }
  furnish(machine)
  for (let i = 0; i < writers; i++) employ(world, i, 0)
  befall(world)
  void edit(world)
  await time.run(() => false, world.until)
  chance.calm()
  await time.run(() => false, time.now + 120_000)
  if (!(await writeEverywhere(world))) world.ledger.broken.push('the lock is not free')
  return examine(world)
}

/** @param {number} dice @returns {Surroundings} */
function surroundingsOf(dice) {
  if (dice < 0.5) return 'alike'
  return dice < 0.8 ? 'differently' : 'out of reach'
}

/** @param {Machine} machine */
function furnish({ disk }) {
  disk.mkdir(path.join(root, 'notes'), { recursive: true })
  disk.mkdir(path.join(root, '_meta'))
  put(disk, path.join(root, storeMarkerKey), JSON.stringify({ id: storeId }))
  put(disk, path.join(root, journal), '', permissions)
  put(disk, path.join(outer, diary), '', permissions)
  put(disk, path.join(outer, mine), 'Nobody but me.\n')
  for (const place of ['/', ...disk.places()]) save(disk, place)
}

/** @param {import('./storage/memory-disk.mjs').MemoryDisk} disk @param {string} place */
function save(disk, place) {
  const inode = disk.open(place)
  disk.sync(inode)
  disk.close(inode)
}

/** @param {import('./storage/memory-disk.mjs').MemoryDisk} disk @param {string} place @param {string} text @param {number} [mode] */
function put(disk, place, text, mode = 0o644) {
  const file = disk.open(place, true, mode)
  disk.append(file, Buffer.from(text))
  disk.chmod(file, mode)
  disk.close(file)
}

/** @param {World} world @param {number} i @param {number} life */
function employ(world, i, life) {
  const { chance, time, machine, ledger, until } = world
  const name = `writer-${i}.${life}`
  const random = chance.stream(`writer-${i}`)
  const isOther = i % 2 === 1 && world.surroundings !== 'alike'
  const isAway = isOther && world.surroundings === 'out of reach'
  // A container: the same paths, and other directories behind them.
  const container = isAway ? { mounts: { '/home/ada/.cache': '/container/.cache' } } : {}
  const next = () => void time.after(random() * 3000, () => employ(world, i, life + 1))
  const self = machine.start(name, next, container)
  // Between the last look at a file and the rename that replaces it nobody without the lock is noticed; that is said in the README.
  self.onChange = (place, since) => ledger.mayLose(place, since)
  const locks = isOther && !isAway ? otherLockRoot : lockRoot
  const writer = { world, self, locks, store: openStore(world, self, locks), name, random }
  const work = async () => {
    while (time.now < until) {
      await self.runtime.sleep(random() * (world.surroundings === 'out of reach' ? 8000 : 800))
      if (isOnShift(world, isAway)) await act(writer)
    }
  }
  void work()
}

/** @param {World} world @param {boolean} isAway */
function isOnShift({ surroundings, time }, isAway) {
  if (surroundings !== 'out of reach') return true
  const at = time.now % (2 * shiftMs)
  return isAway ? at > shiftMs - overlapMs : at < shiftMs + overlapMs
}

/** @param {Pick<World, 'isVault'>} world @param {Process} self @param {import('@agentm/vault-lock').FilePath} [locks] @returns {Backend} */
function openStore({ isVault }, { fs, runtime }, locks = lockRoot) {
  const options = { fs, runtime, lockRoot: locks, storeId }
  return isVault ? new VaultBackend(root, { ...options, personalRoot: outer }) : new DeviceLocalBackend(root, options)
}

/** @param {Writer} writer */
async function act(writer) {
  const dice = writer.random()
  if (dice < 0.15) return keepOrDiscard(writer)
  if (dice < 0.35) return append(writer)
  if (dice < 0.55) return replace(writer, registers[dice < 0.45 ? 0 : 1] ?? '')
  if (dice < 0.7) return create(writer)
  if (dice < 0.8) return look(writer)
  if (dice < 0.9) return beAlone(writer)
  return writer.world.isVault ? writePersonal(writer) : append(writer)
}

/** @param {Writer} writer */
async function append({ world: { ledger }, store, name }) {
  const line = ledger.newLine(name)
  ledger.line(journal, line, 'begun')
  await told(
    ledger,
    store.update(new Locator(journal), (text = '') => `${text}${line}\n`),
    (state) => ledger.line(journal, line, state),
  )
}

/** Reads a text, and writes another in place of just that one. @param {Writer} writer @param {string} key */
async function replace({ world: { ledger }, store, name }, key) {
  const at = new Locator(key)
  const after = await textOf(ledger, store, at)
  if (after === undefined) return
  const text = ledger.newLine(name)
  ledger.text(key, text, { after, state: 'begun' })
  const ifHash = after === '' ? null : contentHash(after)
  await told(ledger, store.write(at, text, { ifHash }), (state) => ledger.text(key, text, { after, state }))
}

/** Several want to be the one who makes this file. @param {Writer} writer */
async function create({ world: { ledger, time, until }, store, name }) {
  const key = `claims/${Math.ceil((until - time.now) / 1500)}.md`
  const text = ledger.newLine(name)
  ledger.text(key, text, { after: '', state: 'begun' })
  await told(ledger, store.write(new Locator(key), text, { ifHash: null }), (state) =>
    ledger.text(key, text, { after: '', state }),
  )
}

/** Makes the note where there is none, and removes the one that is there. @param {Writer} writer */
async function keepOrDiscard({ world: { ledger }, store, name }) {
  const at = new Locator(brief)
  const there = await textOf(ledger, store, at)
  if (there === undefined) return
  const text = there === '' ? ledger.newLine(name) : there
  const work = there === '' ? store.write(at, text, { ifHash: null }) : store.remove(at, { ifHash: contentHash(text) })
  const become = (/** @type {import('./storage/ledger.mjs').State} */ state) =>
    there === '' ? ledger.kept(brief, text, state) : ledger.discarded(brief, text, state)
  become('begun')
  await told(ledger, work, become)
}

/** Whoever reads sees whole lines, and each that was acknowledged before. @param {Writer} writer */
async function look({ world: { ledger }, store }) {
  const promised = ledger.promised(journal)
  const text = await textOf(ledger, store, new Locator(journal))
  if (text !== undefined) ledger.checkLines(journal, text, promised)
}

/** Holds the lock for a while. A holder that stood still, or whose clock was set, may have lost it; nobody else. @param {Writer} writer */
async function beAlone({ world: { ledger, machine, inside }, self, locks, name, random }) {
  const { fs, runtime } = self
  const calls = machine.clockSets + self.standstills
  const isSure = () => machine.clockSets + self.standstills === calls
  const work = async () => {
    for (const [other, isSureToo] of inside)
      if (!other.isDead && isSure() && isSureToo()) ledger.broken.push(`${name} has the lock while another has it`)
    inside.set(self, isSure)
    await runtime.sleep(random() * 60)
    inside.delete(self)
  }
  await vaultMutex(root, work, { fs, runtime, lockRoot: locks }).catch(() => undefined)
}

/** A person sees what is there and what shall be there, and agrees. @param {Writer} writer */
async function writePersonal({ world: { ledger, machine }, self, store, name }) {
  const replaces = machine.disk.textAt(path.join(outer, diary)) ?? ''
  const line = ledger.newLine(name)
  const target = new Locator(diary)
  const text = `${replaces}${line}\n`
  ledger.line(diary, line, 'begun')
  const grant = grantPersonalWrite({ target, text, replaces, now: self.runtime.now() })
  await told(ledger, store.personalWrite(target, text, grant), (state) => ledger.line(diary, line, state))
}

/** @param {Ledger} ledger @param {Backend} store @param {Locator} at @returns {Promise<string | undefined>} '' where nothing is */
async function textOf(ledger, store, at) {
  try {
    return await store.read(at)
  } catch (error) {
    const code = codeOf(ledger, error)
    return code === 'NOT_FOUND' ? '' : undefined
  }
}

/** @param {Ledger} ledger @param {Promise<unknown>} work @param {(state: import('./storage/ledger.mjs').State) => void} become */
async function told(ledger, work, become) {
  try {
    await work
    become('written')
  } catch (error) {
    const { isInDoubt = false } = /** @type {{ isInDoubt?: boolean }} */ (error)
    if (refusals.has(codeOf(ledger, error)) && !isInDoubt) become('refused')
  }
}

/** @param {Ledger} ledger @param {unknown} error */
function codeOf({ broken }, error) {
  const { code } = /** @type {{ code?: unknown }} */ (error)
  const isTyped = typeof code === 'string' && !/^E[A-Z0-9]+$/.test(code)
  if (!isTyped) broken.push(`an error without a code of ours: ${error instanceof Error ? error.stack : String(error)}`)
  return String(code)
}

/** The clock is set, the power fails. @param {World} world */
function befall(world) {
  const { chance, time, machine } = world
  const random = chance.stream('machine')
  const again = () => {
    if (chance.strikes('machine clock', 0.15)) machine.setClock((random() - 0.5) * (random() < 0.2 ? 1e8 : 60_000))
    if (chance.strikes('machine power', 0.03)) machine.losePower()
    time.after(random() * 4000, again)
  }
  time.after(random() * 4000, again)
}

/** A person who takes no lock adds lines, in place or by another file. @param {World} world */
async function edit(world) {
  const { chance, time, until } = world
  const random = chance.stream('person')
  while (time.now < until) {
    await time.sleep(random() * 3000)
    addByHand(world, random() < 0.5 ? [root, journal] : [outer, diary], { isInPlace: random() < 0.5 })
  }
}

/** @param {World} world @param {readonly string[]} where @param {{ readonly isInPlace: boolean }} way */
function addByHand({ ledger, machine: { disk } }, [directory = '', key = ''], { isInPlace }) {
  const place = path.join(directory, key)
  const line = ledger.newLine('the person')
  const text = `${disk.textAt(place) ?? ''}${line}\n`
  if (isInPlace) disk.overwrite(place, text)
  else {
    const draft = `${place}.draft`
    put(disk, draft, text, permissions)
    disk.rename(draft, place)
    save(disk, place)
  }
  save(disk, path.dirname(place))
  ledger.line(key, line, 'written')
  ledger.byHand({ key, line, place, moment: disk.moment })
}

/** Somebody who comes later gets the lock and sweeps what the dead have left. @param {World} world */
async function writeEverywhere(world) {
  const { time, machine, ledger } = world
  const self = machine.start('auditor')
  const store = openStore(world, self)
  let isDone = false
  const work = async () => {
    for (const key of [journal, ...registers, 'claims/last.md']) {
      const line = ledger.newLine('the auditor')
      if (key === journal) await store.update(new Locator(key), (text = '') => `${text}${line}\n`)
      else await store.write(new Locator(path.join(path.dirname(key), 'last.md')), line)
      if (key === journal) ledger.line(key, line, 'written')
    }
    isDone = true
  }
  void work().catch((error) => ledger.broken.push(`the auditor was refused: ${String(error)}`))
  const isFree = await time.run(() => isDone, time.now + 60_000)
  await time.run(() => false, time.now + 1000)
  return isFree
}

/** @param {World} world */
async function examine({ ledger, machine: { disk } }) {
  const textAt = (/** @type {string} */ key) => disk.textAt(path.join(key === diary ? outer : root, key)) ?? ''
  const { lines, texts } = ledger.keys()
  for (const key of lines) ledger.checkLines(key, textAt(key), ledger.promised(key))
  for (const key of texts) ledger.checkChain(key, textAt(key))
  ledger.checkKept(brief, textAt(brief))
  const lock = await lockDirectory(root, lockRoot, {
    platform: 'linux',
    realpath: async (place) => place,
    lstat: async (place) => disk.stat(place),
    readlink: async () => '',
  })
  const left = disk.places().filter((place) => isTemporaryName(path.basename(place)) || place === lock)
  const modes = [path.join(root, journal), path.join(outer, diary)].map(
    (place) => Number(disk.stat(place).mode) & 0o777,
  )
  return [
    ...ledger.broken,
    ...left.map((place) => `${place} was left behind`),
    ...(modes.some((mode) => mode !== permissions) ? [`permissions became ${modes.join(', ')}`] : []),
    ...(disk.textAt(path.join(outer, mine)) === 'Nobody but me.\n' ? [] : ['a personal note was touched']),
  ]
}
