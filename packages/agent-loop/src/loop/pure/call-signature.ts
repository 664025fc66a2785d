/** Identifies a call by its tool and arguments, without its id or formatting. The separator cannot occur in the name of a tool. */
import { canonicalArgs } from './canonical-args.ts'

export function callSignature(tool: string, args: string): string {
  return `${tool.trim()}\u0000${canonicalArgs(args)}`
}
