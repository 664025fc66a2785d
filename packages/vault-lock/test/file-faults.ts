/**
 * Every call a verb makes to the file system fails once, in every way that happens: after each, what was stored is whole, the
 * error says what it is, nothing lies about and the next writer gets the lock. The calls are counted, not listed: a call
 * added tomorrow is tried tomorrow.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Capabilities, contentHash, isSeamError, Locator, type StorageBackend } from '@agentm/storage-seam'
import { DirectoryBackend, filePath, isTemporaryName } from '@agentm/vault-lock'
import { expect, onTestFinished } from 'vitest'
import { wrappedFileSystem } from './wrapped-file-system.ts'

class Files extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ conditionalWrite: true, removal: true, concurrentWriters: true })
}

const note = new Locator('notes/a.md')
const other = new Locator('notes/deep/b.md')
const oldText = 'old text, long enough to be cut in half'
const newText = 'new text, long enough to be cut in half as well'

interface Verb {
  /** Whether it moves text at all: then a transfer can be cut short. */
  readonly transfers: boolean
  readonly name: string
  readonly run: (files: StorageBackend) => Promise<unknown>
  /** What each file may hold afterwards; `undefined` for none. */
  readonly may: Readonly<Record<string, readonly (string | undefined)[]>>
}

const verbs: readonly Verb[] = [
  { name: 'read', transfers: true, run: (files) => files.read(note), may: {} },
  { name: 'list', transfers: false, run: (files) => files.list(note.parent), may: {} },
  { name: 'info', transfers: false, run: (files) => files.info(note), may: {} },
  { name: 'exists', transfers: false, run: (files) => files.exists(note), may: {} },
  {
    name: 'write over',
    transfers: true,
    run: (files) => files.write(note, newText),
    may: { [note.key]: [oldText, newText] },
  },
  {
    name: 'write anew',
    transfers: true,
    run: (files) => files.write(other, newText),
    may: { [other.key]: [undefined, newText] },
  },
  {
    name: 'write on a condition',
    transfers: true,
    run: (files) => files.write(note, newText, { ifHash: contentHash(oldText) }),
    may: { [note.key]: [oldText, newText] },
  },
  {
    name: 'write where nothing is',
    transfers: true,
    run: (files) => files.write(other, newText, { ifHash: null }),
    may: { [other.key]: [undefined, newText] },
  },
  {
    name: 'update',
    transfers: true,
    run: (files) => files.update(note, () => newText),
    may: { [note.key]: [oldText, newText] },
  },
  { name: 'remove', transfers: false, run: (files) => files.remove(note), may: { [note.key]: [oldText, undefined] } },
  { name: 'mkdir', transfers: false, run: (files) => files.mkdir(new Locator('made/below')), may: {} },
]

export const faults = ['ENOSPC', 'EIO', 'EPERM', 'EMFILE', 'EDEADLK', 'cut short'] as const

export type Fault = (typeof faults)[number]

async function setup() {
  const home = await mkdtemp(path.join(tmpdir(), 'file-faults-'))
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }))
  const root = path.join(home, 'store')
  await mkdir(path.join(root, 'notes'), { recursive: true })
  return { home, root, lockRoot: filePath(path.join(home, 'locks')) }
}

/** Each verb with each of these faults; only what moves text can be cut short. */
export function trials(
  chosen: readonly Fault[],
): { readonly name: string; readonly verb: Verb; readonly fault: Fault }[] {
  return verbs.flatMap((verb) =>
    chosen
      .filter((fault) => fault !== 'cut short' || verb.transfers)
      .map((fault) => ({ name: verb.name, verb, fault })),
  )
}

/** How many calls were made to fail, each in a run of its own. */
export async function failEachCall({ run, may }: Verb, fault: Fault): Promise<number> {
  const { home, root, lockRoot } = await setup()
  for (let failing = 1; ; failing++) {
    await restore(root)
    const { fs, struck } = planned(failing, fault)
    const failure = await run(new Files(filePath(root), { lockRoot, fs, timeoutMs: 1_000 })).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure !== undefined && !isTyped(failure)) throw failure
    const expected = { [note.key]: [oldText], [other.key]: [undefined], ...may }
    for (const [key, texts] of Object.entries(expected))
      expect(texts, `${key} after call ${failing}`).toContain(await textAt(path.join(root, key)))
    expect(await temporaries(root)).toEqual([])
    // Another writer, with a healthy disk, waits for nobody.
    await new Files(filePath(root), { lockRoot, timeoutMs: 9_000 }).write(new Locator('next.md'), 'x')
    expect((await readdir(home)).toSorted()).toEqual(['locks', 'store'])
    if (struck()) continue
    expect(failure).toBeUndefined()
    return failing - 1
  }
}

/** A file system whose `failing`-th call fails; or, cut short, whose `failing`-th transfer moves half of it. */
function planned(failing: number, fault: Fault) {
  let calls = 0
  return {
    struck: () => calls >= failing,
    fs:
      fault === 'cut short'
        ? wrappedFileSystem(() => undefined, { halved: () => ++calls === failing })
        : wrappedFileSystem(() => {
            if (++calls === failing) throw Object.assign(new Error(`planted ${fault}`), { code: fault })
          }),
  }
}

async function restore(root: string): Promise<void> {
  await rm(path.join(root, 'notes'), { recursive: true, force: true })
  await mkdir(path.join(root, 'notes'), { recursive: true })
  await writeFile(path.join(root, note.key), oldText)
}

/** A refusal of the seam or of the lock, with something to do in it. */
function isTyped(failure: unknown): boolean {
  const { code } = failure as { code?: unknown }
  return isSeamError(failure) || ['LOCK_BLOCKED', 'LOCK_TIMEOUT', 'LOCK_LOST'].includes(String(code))
}

async function textAt(place: string): Promise<string | undefined> {
  return readFile(place, 'utf8').catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  })
}

async function temporaries(root: string): Promise<readonly string[]> {
  const names = await readdir(root, { recursive: true })
  return names.filter((name) => isTemporaryName(path.basename(name)))
}
