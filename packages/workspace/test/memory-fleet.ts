import { type BackendName, memoryWorld } from './memory-world.ts'

/** Processes that save at once, each notes of one title; then every one of them is asked for. */
export async function memoryFleet(
  backend: BackendName,
  { processes, saves }: { readonly processes: number; readonly saves: number },
) {
  const { run, open, close } = await memoryWorld(backend)
  try {
    const words = Array.from({ length: processes }, (_, p) =>
      Array.from({ length: saves }, (__, i) => `quirk${p}x${i}`),
    )
    const ends = await Promise.all(words.map(async (own) => run({ saves: own.map(noteOf) })))
    const { memory } = await open()
    let found = 0
    for (const word of words.flat()) {
      const { results } = await memory.recall({ text: word, k: 1 })
      if (results[0]?.text.includes(`${word} `)) found++
    }
    const errors = ends.map((end) => end.errors).join('')
    return { saved: new Set(ends.flatMap(({ saved }) => saved)).size, found, errors }
  } finally {
    await close()
  }
}

function noteOf(word: string) {
  return { kind: 'fix', title: 'Fix the build', text: `Fix the build: ${word} was in the way.` }
}
