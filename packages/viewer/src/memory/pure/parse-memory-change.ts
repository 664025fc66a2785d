/** A change in memory as the page sent it, or what is wrong with it. */
import type { MemoryChange } from '../../contract/memory.ts'

const longestText = 200_000
const longestLine = 2_000
const mostTags = 40

/** `undefined` for anything else: unknown words, missing fields, fields that are no text. */
export function parseMemoryChange(sent: Readonly<Record<string, unknown>>): MemoryChange | undefined {
  switch (sent['do']) {
    case 'save':
      return parseSave(sent)
    case 'edit':
      return parseEdit(sent)
    case 'supersede':
      return parseSupersede(sent)
    case 'forget':
    case 'restore':
      return parseOther(sent['do'], sent)
    default:
      return undefined
  }
}

function parseSave({ text, title = '', kind, tags, isPersonal }: Readonly<Record<string, unknown>>) {
  if (!isText(text) || !isLine(title) || !isLine(kind) || !isTags(tags) || typeof isPersonal !== 'boolean')
    return undefined
  return { do: 'save', text, kind, tags, isPersonal, ...(title === '' ? {} : { title }) } as const
}

function parseEdit({ key, text, title, tags, ifHash }: Readonly<Record<string, unknown>>) {
  if (!isKey(key) || !isText(text) || !isLine(title) || !isTags(tags) || !isHash(ifHash)) return undefined
  return { do: 'edit', key, text, title, tags, ifHash } as const
}

function parseSupersede({ key, text, title, reason, ifHash }: Readonly<Record<string, unknown>>) {
  if (!isKey(key) || !isText(text) || !isLine(title) || !isLine(reason) || !isHash(ifHash)) return undefined
  return { do: 'supersede', key, text, title, reason, ifHash } as const
}

function parseOther(verb: 'forget' | 'restore', { key, reason = '' }: Readonly<Record<string, unknown>>) {
  if (!isKey(key) || !isLine(reason)) return undefined
  return { do: verb, key, ...(reason === '' ? {} : { reason }) } as const
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestText
}

function isLine(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestLine
}

function isKey(value: unknown): value is string {
  return isLine(value) && value !== ''
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{16,128}$/.test(value)
}

function isTags(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= mostTags && value.every((tag) => isLine(tag))
}
