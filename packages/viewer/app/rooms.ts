/** The parts of the page, in the order in which they are named at its top. A part is loaded when it is first looked at. */
import type { ComponentType } from 'preact'
import { PlansRoom } from './plans/plans-room.tsx'

export interface RoomProps {
  /** What stands in the address after the name of the room. */
  readonly parts: readonly string[]
}

export interface Room {
  /** The first word of its addresses. */
  readonly name: string
  readonly title: string
  readonly load: () => Promise<ComponentType<RoomProps>>
}

/** The first is what the page begins with. */
export const rooms: readonly Room[] = [
  { name: 'plans', title: 'Plans', load: async () => PlansRoom },
  { name: 'memory', title: 'Memory', load: async () => (await import('./memory/memory-room.tsx')).MemoryRoom },
  { name: 'beliefs', title: 'Beliefs', load: async () => (await import('./beliefs/beliefs-room.tsx')).BeliefsRoom },
  {
    name: 'sessions',
    title: 'Sessions',
    load: async () => (await import('./sessions/sessions-room.tsx')).SessionsRoom,
  },
  { name: 'health', title: 'Health', load: async () => (await import('./health/health-room.tsx')).HealthRoom },
]
