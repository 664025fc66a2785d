/** What a call is, apart from its id and its spelling. The separator can stand in no tool's name. */
import { canonicalArgs } from './canonical-args.ts'

export function callSignature(tool: string, args: string): string {
  return `${tool.trim()}\u0000${canonicalArgs(args)}`
}
