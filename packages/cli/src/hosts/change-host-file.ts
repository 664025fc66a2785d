/** A file of a host with our parts in it, or without them. */
import { connectJson, disconnectJson } from './edit-json.ts'
import { connectToml, disconnectToml } from './edit-toml.ts'
import type { Edited, HostFile, HostText, Step } from './host-file.ts'

export type Direction = 'connect' | 'disconnect'

export function changeHostFile(text: string | undefined, file: HostFile, direction: Direction): Edited {
  if (file.format === 'text') return direction === 'connect' ? placed(text, file) : cleared(text, file)
  const { connect, disconnect } = {
    json: { connect: connectJson, disconnect: disconnectJson },
    toml: { connect: connectToml, disconnect: disconnectToml },
  }[file.format]
  return (direction === 'connect' ? connect : disconnect)(text, file.parts)
}

function placed(text: string | undefined, { name, text: wanted, ours }: HostText): Edited {
  const step = (outcome: Step['outcome']) => [{ name, outcome }]
  if (text === wanted) return { text, steps: step('present') }
  if (text !== undefined && !ours.includes(text)) return { text, steps: step('kept') }
  return { text: wanted, steps: step(text === undefined ? 'added' : 'replaced') }
}

function cleared(text: string | undefined, { name, ours }: HostText): Edited {
  if (text === undefined) return { text, steps: [{ name, outcome: 'absent' }] }
  if (!ours.includes(text)) return { text, steps: [{ name, outcome: 'kept' }] }
  return { text: undefined, steps: [{ name, outcome: 'removed' }] }
}
