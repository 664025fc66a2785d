/** Notes about topics, and a model server on loopback that knows which words belong to which topic. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { CliWorld } from './cli-world.ts'

const syllables = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'wo', 'zu']

/** Twelve invented words of a topic. No other topic has one of them. */
const wordsOf = (topic: number) =>
  Array.from(
    { length: 12 },
    (_, i) =>
      [topic, topic + i * 7, i, topic * 3 + i]
        .map((n, at) => `${syllables[(n + at * 5) % syllables.length]}`)
        .join('') + String.fromCodePoint(97 + i, 97 + (topic % 26), 97 + Math.floor(topic / 26)),
  )

/** Writes notes of four lines. Each line has other words of the topic of its note. */
export async function writeTopics(world: CliWorld, count: number): Promise<void> {
  await world.agentm(['save', 'The office cat is called Ada.', '--personal'])
  const home = path.join(world.home, '.agentm/memory/personal/notes')
  await mkdir(home, { recursive: true })
  for (let topic = 0; topic < count; topic++) {
    const words = wordsOf(topic)
    const lines = [0, 3, 6, 9].map(
      (from) => `- ${words.slice(from, from + 3).join(' ')} and plain talk of the day, line ${from}`,
    )
    await writeFile(path.join(home, `topic-${topic}.md`), `---\nkind: note\nstatus: active\n---\n${lines.join('\n')}\n`)
  }
}

const topicOf = new Map(
  Array.from({ length: 80 }, (_, topic) => wordsOf(topic).map((word) => [word, topic] as const)).flat(),
)

/** The topics of its words, with a component that all texts have in common, as narrow models do. */
export function knowing(text: string): readonly number[] {
  const vector = Array.from({ length: 81 }, (_, i) => (i === 80 ? 2 : 0.001 * ((text.length * (i + 3)) % 17)))
  for (const word of text.toLowerCase().split(/[^a-z]+/)) {
    const topic = topicOf.get(word)
    if (topic !== undefined) vector[topic] = (vector[topic] ?? 0) + 1
  }
  return vector
}

export type VectorAnswer = (texts: readonly string[], response: ServerResponse) => void

/** An endpoint of embeddings or of a reranker: both are given texts. */
export async function vectorServer(answer: VectorAnswer = withVectors(knowing)) {
  const asked: string[][] = []
  const now = { answer }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as { input?: string[]; documents?: string[] }
      const texts = body.input ?? body.documents ?? []
      asked.push(texts)
      now.answer(texts, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, asked, answers: (other: VectorAnswer) => (now.answer = other) }
}

export function withVectors(vectorOf: (text: string) => readonly unknown[]): VectorAnswer {
  return (texts, response) =>
    response.end(JSON.stringify({ data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })) }))
}
