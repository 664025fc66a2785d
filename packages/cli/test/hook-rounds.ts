/** A store of many notes, and the hooks asked with ever less time: what they say is all of it, or nothing. */
import { CliWorld, type Ran } from './cli-world.ts'

const subjects = ['lock', 'retry', 'schema', 'release', 'vector', 'lease', 'budget', 'token']

export async function hookRounds({ notes, limits }: { readonly notes: number; readonly limits: readonly number[] }) {
  const world = await CliWorld.make()
  try {
    await world.agentm(['save', 'Every write takes the lock first', '--kind', 'decision'])
    for (let i = 0; i < notes; i++) await world.file(`.agentm/memory/projects/acme/fact/n${i}.md`, noteText(i))
    await world.agentm(['reindex'])
    return {
      prompt: await answersOf(world, 'prompt-submit', limits),
      session: await answersOf(world, 'session-start', limits),
    }
  } finally {
    await world.remove()
  }
}

function noteText(i: number): string {
  const [one, other] = [subjects[i % 8], subjects[(i * 5 + 3) % 8]]
  return `---\nkind: fact\nstatus: active\ncreated: 2026-01-0${1 + (i % 9)}\nslug: n${i}\n---\n\n# The ${one} of part ${i}\n\nPart ${i} keeps its ${other} apart.\n`
}

async function answersOf(world: CliWorld, hook: string, limits: readonly number[]) {
  const input = JSON.stringify({ cwd: world.repo, prompt: 'which write takes the lock first?' })
  const ask = (ms: number) => world.agentm(['hook', hook, '--within', String(ms)], input)
  const whole = await ask(60_000)
  const answers: Ran[] = []
  for (const ms of limits) answers.push(await ask(ms))
  return { whole, answers }
}
