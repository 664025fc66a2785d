import { defineTool, type Tool } from '@agentm/agent-loop'
import { z } from 'zod'

/** What the tools work on: names, and how often each was removed. */
export interface Shelf {
  readonly files: Set<string>
  readonly removals: string[]
}

export function toolsFor(shelf: Shelf): readonly Tool[] {
  const list = defineTool({
    name: 'list',
    description: 'Lists the files.',
    input: z.object({}),
    nature: 'pure',
    run: async () => [...shelf.files].join('\n') || 'nothing',
  })
  const remove = defineTool({
    name: 'remove',
    description: 'Removes one file.',
    input: z.object({ file: z.string() }),
    nature: 'effectful',
    run: async ({ file }) => {
      shelf.removals.push(file)
      shelf.files.delete(file)
      return `${file} is gone`
    },
    // After a crash: whether the file is still there says whether it was removed.
    verify: async ({ file }) =>
      shelf.files.has(file) ? { happened: false } : { happened: true, text: `${file} is gone` },
  })
  return [list, remove]
}
