/** An export of claude.ai: one note per conversation, per memory, and per instruction and document of a project. */
import type { Read } from '../import-entry.ts'
import { conversationText, type Said } from './conversation-note.ts'
import { isObject, listIn, textIn, timeIn } from './json-fields.ts'

/** A conversation, a memory or a project, whichever the object is. */
export function claudeEntries(value: unknown, place: string): readonly Read[] {
  if (!isObject(value)) return [{ place, why: 'it is no conversation, memory or project of Claude' }]
  if ('chat_messages' in value) return [conversationEntry(value, place)]
  if ('conversations_memory' in value || 'project_memories' in value) return memoryEntries(value)
  if ('prompt_template' in value || 'docs' in value) return projectEntries(value, place)
  return [{ place, why: 'it is no conversation, memory or project of Claude' }]
}

const names: Readonly<Record<string, string>> = { human: 'You', assistant: 'Claude' }

function conversationEntry(value: unknown, place: string): Read {
  const id = textIn(value, 'uuid')
  if (id === undefined) return { place, why: 'the conversation has no uuid' }
  const title = textIn(value, 'name')?.trim() ?? 'Untitled conversation'
  const text = conversationText(title, listIn(value, 'chat_messages').map(saidIn))
  if (text === undefined) return { place, why: 'nothing was said in it' }
  return { id, kind: 'conversation', title, text, tags: [], writtenBy: 'agent', ...timeOf(value) }
}

function saidIn(message: unknown): Said {
  const parts = listIn(message, 'content').flatMap((part) =>
    textIn(part, 'type') === 'text' ? (textIn(part, 'text') ?? []) : [],
  )
  const sender = textIn(message, 'sender') ?? ''
  return { by: names[sender] ?? sender, text: parts.length > 0 ? parts.join('\n\n') : (textIn(message, 'text') ?? '') }
}

/** What Claude remembers about its user, and about each of their projects. */
function memoryEntries(value: Readonly<Record<string, unknown>>): readonly Read[] {
  const account = textIn(value, 'account_uuid') ?? 'account'
  const about = textIn(value, 'conversations_memory')
  const projects = isObject(value['project_memories']) ? Object.entries(value['project_memories']) : []
  return [
    ...(about === undefined ? [] : [memoryEntry(`memory/${account}`, 'What Claude remembers', about)]),
    ...projects.flatMap(([id, text]) =>
      typeof text === 'string' && text.trim() !== ''
        ? [memoryEntry(`memory/${account}/${id}`, 'What Claude remembers of a project', text)]
        : [],
    ),
  ]
}

function memoryEntry(id: string, title: string, text: string): Read {
  return { id, kind: 'memory', title, text, tags: [], writtenBy: 'agent' }
}

/** The instructions and documents of a project are the person's own. */
function projectEntries(value: unknown, place: string): readonly Read[] {
  const id = textIn(value, 'uuid')
  if (id === undefined) return [{ place, why: 'the project has no uuid' }]
  const name = textIn(value, 'name') ?? 'Untitled project'
  const prompt = textIn(value, 'prompt_template')
  const instructions = prompt === undefined ? [] : [{ text: prompt, title: `Instructions of ${name}` }]
  const documents = listIn(value, 'docs').map((doc, i) =>
    documentEntry(doc, { name, place: `${place}, document ${i + 1}` }),
  )
  const written = { tags: [], writtenBy: 'person', ...timeOf(value) } as const
  const entries = [
    ...instructions.map((each): Read => ({ id: `project/${id}`, kind: 'instruction', ...each, ...written })),
    ...documents,
  ]
  return entries.length > 0 ? entries : [{ place, why: 'the project has no instructions and no documents' }]
}

function documentEntry(doc: unknown, { name, place }: { readonly name: string; readonly place: string }): Read {
  const [id, text] = [textIn(doc, 'uuid'), textIn(doc, 'content')]
  if (id === undefined || text === undefined) return { place, why: 'the document has no uuid or no text' }
  const title = `${textIn(doc, 'filename') ?? 'Document'} of ${name}`
  return { id: `document/${id}`, kind: 'document', title, text, tags: [], writtenBy: 'person', ...timeOf(doc) }
}

function timeOf(value: unknown): { readonly at?: number } {
  const at = timeIn(value, 'updated_at', 'created_at')
  return at === undefined ? {} : { at }
}
