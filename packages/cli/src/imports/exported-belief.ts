/** A belief in an export, checked before it reaches the log. */
import { semanticMemory } from '@agentm/memory'
import { type Node, parseId, type Payload } from '@agentm/nodes'
import { ImportFileError } from './import-file-error.ts'
import type { JsonItem } from './json-array.ts'
import { isObject, textIn } from './pure/json-fields.ts'

export interface ExportedBelief {
  readonly id: string
  readonly partition: string
  readonly version: number
  /** The mutation that wrote this version. */
  readonly mutation: string
  readonly payload: Payload
}

/** One line of `nodes.jsonl`. */
export function nodeLine(node: Node): string {
  const { id, concept, version, seq, owner, partition, createdAt, createdBy, provenanceMutation, redacted, payload } =
    node
  const at = new Date(createdAt).toISOString()
  const facts = { id, concept, version, seq, owner, partition, createdAt: at, createdBy, mutation: provenanceMutation }
  return JSON.stringify({ ...facts, ...(redacted ? { redacted } : {}), payload })
}

/** `undefined` for a node of another kind, and for a belief whose content was erased. The belief belongs to whoever imports it. */
export function exportedBelief(
  { place, value }: JsonItem,
  { file, owner }: { readonly file: string; readonly owner: string },
): ExportedBelief | undefined {
  const [id, concept] = [textIn(value, 'id'), textIn(value, 'concept')]
  if (!isObject(value) || id === undefined || concept === undefined)
    throw new ImportFileError({ file, place }, 'it is no node: id or concept is absent.')
  if (concept !== semanticMemory.name || value['redacted'] === true) return undefined
  const payload = { ...(isObject(value['payload']) ? value['payload'] : {}), ownerUserId: owner }
  const checked = semanticMemory.schema.safeParse(payload)
  if (!checked.success || !isBeliefId(id))
    throw new ImportFileError(
      { file, place },
      `it is no belief: ${checked.error?.issues[0]?.message ?? 'its id is of another kind'}.`,
    )
  const partition = textIn(value, 'partition') ?? '_global'
  const mutation = textIn(value, 'mutation') ?? 'importHarnessSemanticMemory'
  return { id, partition, version: Number(value['version']), mutation, payload }
}

function isBeliefId(id: string): boolean {
  try {
    return parseId(id).concept === semanticMemory.name
  } catch {
    return false
  }
}
