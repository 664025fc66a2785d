import type { Workspace } from '@agentm/workspace'
import type { Changed } from '../contract/frame.ts'
import type { MemoryChange } from '../contract/memory.ts'
import { noteAddress } from './pure/note-address.ts'

type Memory = Awaited<ReturnType<Workspace['memory']>>

/** Does what the person asked for. The page was started with `--write`, and whoever uses it has its token: a person, not an agent. */
export async function makeMemoryChange(memory: Memory, change: MemoryChange): Promise<Changed> {
  const by = 'person'
  switch (change.do) {
    case 'save': {
      const { text, kind, tags, isPersonal, title } = change
      const scope = isPersonal ? { scope: 'personal' as const } : {}
      const saved = await memory.save({ text, kind, tags, by, ...scope, ...(title === undefined ? {} : { title }) })
      return { message: saveOutcomes[saved.outcome], next: noteAddress(saved.key) }
    }
    case 'edit': {
      const { key, text, title, tags, ifHash } = change
      await memory.edit(key, { text, tags, ifHash, by, ...(title.trim() === '' ? {} : { title: title.trim() }) })
      return { message: 'Saved.' }
    }
    case 'supersede': {
      const { key, text, title, reason, ifHash } = change
      const named = title.trim() === '' ? {} : { title: title.trim() }
      await memory.supersede(key, { text, reason, ifHash, by, ...named })
      return { message: 'Replaced. The old version is in the history.' }
    }
    case 'forget': {
      const { key, reason } = change
      const { alreadyForgotten } = await memory.forget(key, { by, ...(reason === undefined ? {} : { reason }) })
      return { message: alreadyForgotten ? 'It was already forgotten.' : 'Forgotten. It can be restored.' }
    }
    default: {
      const { restored } = await memory.restore(change.key, { by })
      return { message: restored ? 'Restored.' : 'It was not forgotten.' }
    }
  }
}

const saveOutcomes = {
  created: 'Saved.',
  reinforced: 'A note with this text was there already. It is confirmed now.',
  known: 'A note with this text is there already. It was not changed.',
  repeated: 'It was saved before.',
} as const
