/**
 * Brings the nodes of an archive back into a new log file: every version with its number, time and writer, in the order in which they were
 * written. What they refer to outside of the archive need not be there.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Concept, Draft, NodeLog, Payload } from '@agentm/nodes'
import { relationsOf } from '@agentm/nodes/store-kit'
import { z } from 'zod'
import { ArchiveError } from './archive-error.ts'
import type { ArchivedVersion } from './archived-version.ts'
import { readArchive } from './read-archive.ts'

/** What was brought back. */
export interface Unpacked {
  readonly nodes: number
  readonly versions: number
}

export async function unpackArchive(
  file: string,
  { to, concepts }: { readonly to: string; readonly concepts: readonly Concept[] },
): Promise<Unpacked> {
  if (existsSync(to)) throw new ArchiveError(`${to} already exists and was not changed. Name a new file.`)
  const versions = await versionsIn(file, concepts)
  try {
    await writeVersions(versions, { to, concepts })
    await deriveAll({ to, concepts })
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm']) await rm(to + suffix, { force: true })
    throw error
  }
  return { nodes: new Set(versions.map(({ id }) => id)).size, versions: versions.length }
}

type Version = ArchivedVersion['node']

async function versionsIn(file: string, concepts: readonly Concept[]): Promise<readonly Version[]> {
  const known = new Set(concepts.map(({ name }) => name))
  const versions: Version[] = []
  for await (const { node } of readArchive(file)) {
    const { id, concept } = node
    if (!known.has(concept))
      throw new ArchiveError(`${file} contains ${id}, and this version of agentm knows no ${concept}. Use a newer one.`)
    versions.push(node)
  }
  return versions.toSorted((a, b) => a.seq - b.seq)
}

interface NewLog {
  readonly to: string
  readonly concepts: readonly Concept[]
}

async function writeVersions(versions: readonly Version[], { to, concepts }: NewLog): Promise<void> {
  const clock = { now: 0 }
  const runtime = { now: () => clock.now }
  const { openSqliteStore } = await import('@agentm/nodes-sqlite')
  const store = await openSqliteStore({ path: to, concepts: concepts.map(withoutChecks), runtime })
  const last = new Map(versions.map(({ id, version }) => [id, version]))
  const payloads = new Map<string, Payload>()
  try {
    for (const version of versions) {
      clock.now = version.createdAt
      if (version.redacted && version.version === last.get(version.id)) await redactAgain(store.log, version)
      else await appendAgain(store.log, version, payloads.get(version.id))
      payloads.set(version.id, version.payload)
    }
  } finally {
    await store.close()
  }
}

/** The last version of an erased node says that it was erased. */
async function redactAgain(log: NodeLog, { id, owner, createdBy: actor }: Version): Promise<void> {
  await log.redact(id, { owner, actor, more: true })
}

async function appendAgain(log: NodeLog, version: Version, prior: Payload = {}): Promise<void> {
  const { id, concept, payload, provenanceMutation: mutation, owner, partition, createdBy: actor } = version
  const unset = Object.keys(prior).filter((field) => !(field in payload))
  const draft: Draft = { concept, id, payload, unset, mutation }
  const expects = { [id]: version.version - 1 }
  await log.append([draft], { owner, partition, actor, expects, durability: 'normal' })
}

/** The history was checked when it was written. What it refers to may have stayed in the other log. */
function withoutChecks(concept: Concept): Concept {
  return {
    ...concept,
    schema: z.looseObject({}),
    relations: relationsOf(concept).map((relation) => ({ ...relation, mustExist: false })),
    verbatim: new Set(Object.keys(concept.schema.shape)),
    guard: undefined,
    dependsOn: undefined,
    claimable: undefined,
    timer: undefined,
    recallable: undefined,
  }
}

async function deriveAll({ to, concepts }: NewLog): Promise<void> {
  const { openSqliteStore } = await import('@agentm/nodes-sqlite')
  const store = await openSqliteStore({ path: to, concepts })
  try {
    await store.log.rebuild()
  } finally {
    await store.close()
  }
}
