/**
 * A lock between the processes of this machine: a reference of the repository that names its holder. Git replaces a reference only if
 * it still has the value that the caller read, so two processes cannot both take over from a dead one.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Repository } from './repository.ts'

const nobody = '0'.repeat(40)

export async function withRefLock<T>(repo: Repository, ref: string, work: () => Promise<T>): Promise<T> {
  const mine = await blobOf(repo, `${process.pid} ${randomUUID()}`)
  for (let holder: string | undefined = nobody; ; holder = await freeHolder(repo, ref)) {
    if (holder !== undefined && (await replaced(repo, { ref, by: mine, from: holder }))) break
    await sleep(20)
  }
  try {
    return await work()
  } finally {
    await repo.git(['update-ref', '-d', ref, mine], { ok: [0, 1, 128] })
  }
}

async function blobOf(repo: Repository, text: string): Promise<string> {
  return (await repo.git(['hash-object', '-w', '--stdin'], { stdin: text })).out.trim()
}

async function replaced(
  repo: Repository,
  { ref, by, from }: { readonly ref: string; readonly by: string; readonly from: string },
): Promise<boolean> {
  return (await repo.git(['update-ref', ref, by, from], { ok: [0, 1, 128] })).code === 0
}

/** What to take over from: nothing, or a holder that has died. `undefined` while it lives. */
async function freeHolder(repo: Repository, ref: string): Promise<string | undefined> {
  const { code, out } = await repo.git(['rev-parse', '--verify', '--quiet', ref], { ok: [0, 1, 128] })
  if (code !== 0) return nobody
  const holder = out.trim()
  const pid = Number((await repo.git(['cat-file', 'blob', holder])).out.split(' ')[0])
  return isAlive(pid) ? undefined : holder
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
