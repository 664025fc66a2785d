/**
 * Whether a path matches a glob: `*` and `?` within a name, `**` across directories, `[a-z]` and `[!a-z]`, and `{one,two}`. All
 * alternatives are followed at once, so the time grows with the length of the path and of the glob, whatever the glob says. Names
 * that begin with a dot match like others.
 */
export type PathTest = (path: string) => boolean

/** The longest glob that is read. */
export const longestGlob = 500

/** `undefined` if this is no glob: too long, or with a bracket or brace that does not end. */
export function globTest(glob: string): PathTest | undefined {
  if (glob.length > longestGlob) return undefined
  const program: Instruction[] = []
  const at = readSequence({ glob, at: 0, depth: 0 }, program)
  if (at !== glob.length) return undefined
  program.push({ do: 'end' })
  return (path) => runs(program, path)
}

type Instruction =
  | { readonly do: 'take'; readonly fits: (character: string) => boolean }
  | { readonly do: 'go'; to: readonly number[] }
  | { readonly do: 'end' }

interface Reading {
  readonly glob: string
  readonly at: number
  readonly depth: number
}

/** Adds what it reads to the program, up to the end or to what ends an alternative. The result is where it stopped; -1 is a fault. */
function readSequence({ glob, at: from, depth }: Reading, program: Instruction[]): number {
  let at = from
  while (at >= 0 && at < glob.length) {
    if (depth > 0 && (glob[at] === ',' || glob[at] === '}')) return at
    at = readOne({ glob, at, depth }, program)
  }
  return at
}

function readOne({ glob, at, depth }: Reading, program: Instruction[]): number {
  const isStart = at === 0 || glob[at - 1] === '/'
  if (isStart && glob.startsWith('**/', at)) return repeated(program, { fits: any, after: '/', next: at + 3 })
  if (glob.startsWith('**', at)) return repeated(program, { fits: any, next: at + 2 })
  switch (glob[at]) {
    case '*':
      return repeated(program, { fits: inName, next: at + 1 })
    case '?':
      return take(program, inName, at + 1)
    case '[':
      return readClass(glob, at, program)
    case '{':
      return readAlternatives({ glob, at, depth }, program)
    case '\\':
      return take(program, same(glob[at + 1] ?? '\\'), at + 2)
    default:
      return take(program, same(glob[at] ?? ''), at + 1)
  }
}

function any(): boolean {
  return true
}

function inName(character: string): boolean {
  return character !== '/'
}

function same(wanted: string): (character: string) => boolean {
  return (character) => character === wanted
}

function take(program: Instruction[], fits: (character: string) => boolean, next: number): number {
  program.push({ do: 'take', fits })
  return next
}

/** Any number of characters; with `after`, either none at all or some that end with it. */
function repeated(program: Instruction[], { fits, after, next }: Repeated): number {
  const start = program.length
  if (after === undefined) {
    program.push({ do: 'go', to: [start + 1, start + 3] }, { do: 'take', fits }, { do: 'go', to: [start] })
    return next
  }
  program.push(
    { do: 'go', to: [start + 1, start + 5] },
    { do: 'go', to: [start + 2, start + 4] },
    { do: 'take', fits },
    { do: 'go', to: [start + 1] },
    { do: 'take', fits: same(after) },
  )
  return next
}

interface Repeated {
  readonly fits: (character: string) => boolean
  /** What ends it, if it is there at all. */
  readonly after?: string
  readonly next: number
}

function readClass(glob: string, at: number, program: Instruction[]): number {
  const [whole, not = '', inner = ''] = /^\[([!^]?)(\]?[^\]]*)\]/.exec(glob.slice(at)) ?? []
  if (whole === undefined || inner === '') return -1
  const ranges = [...inner.matchAll(/(.)-(.)|(.)/gs)].map(([, low, high, one = '']) => [low ?? one, high ?? one])
  const isIn = (character: string): boolean =>
    ranges.some(([low = '', high = '']) => low <= character && character <= high)
  return take(program, (character) => inName(character) && isIn(character) === (not === ''), at + whole.length)
}

function readAlternatives({ glob, at: from, depth }: Reading, program: Instruction[]): number {
  const fork = { do: 'go' as const, to: [] as readonly number[] }
  program.push(fork)
  const ends: { do: 'go'; to: readonly number[] }[] = []
  let at = from
  do {
    fork.to = [...fork.to, program.length]
    at = readSequence({ glob, at: at + 1, depth: depth + 1 }, program)
    const end = { do: 'go' as const, to: [] as readonly number[] }
    program.push(end)
    ends.push(end)
  } while (at >= 0 && glob[at] === ',')
  for (const end of ends) end.to = [program.length]
  return at >= 0 && glob[at] === '}' ? at + 1 : -1
}

function runs(program: readonly Instruction[], path: string): boolean {
  let states = reached(program, [0])
  for (const character of path) {
    if (states.size === 0) return false
    const next = [...states].filter((at) => fitsAt(program[at], character)).map((at) => at + 1)
    states = reached(program, next)
  }
  return [...states].some((at) => program[at]?.do === 'end')
}

function fitsAt(instruction: Instruction | undefined, character: string): boolean {
  return instruction?.do === 'take' && instruction.fits(character)
}

/** Where the program can stand without reading another character. */
function reached(program: readonly Instruction[], from: readonly number[]): ReadonlySet<number> {
  const found = new Set<number>()
  const open = [...from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue
    found.add(at)
    const instruction = program[at]
    if (instruction?.do === 'go') open.push(...instruction.to)
  }
  return found
}
