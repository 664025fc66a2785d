import { expect, it } from 'vitest'
import { parseTranscript, transcriptHosts } from '@agentm/transcripts'

const text = (part: string) => part.repeat(Math.ceil(300_000 / part.length))

it.each(transcriptHosts)('hostile texts take time in proportion to their length in %s', (host) => {
  const parts = [
    '<system-reminder>',
    '<command-args>',
    '</x>',
    '<a_',
    '\n',
    ' ',
    '*** Add File: a ',
    '```',
    'Exit code',
    '&& apply_patch',
  ]
  const begun = process.cpuUsage()
  for (const part of parts)
    for (const before of [
      '',
      '<a',
      '<a_b',
      '<command-message>a</command-message>\n<command-name>/a</command-name>',
      '*** Begin Patch\n*** Add File: a',
    ]) {
      const said = `${before}${text(part)}b`
      const records = [
        { type: 'user', id: 'u', message: { content: said }, content: said },
        { type: 'assistant', message: { content: [{ type: 'text', text: said }] } },
        {
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: said }] },
        },
        {
          type: 'response_item',
          payload: { type: 'custom_tool_call', name: 'apply_patch', call_id: 'c', input: said },
        },
        {
          type: 'response_item',
          payload: {
            type: 'function_call',
            name: 'exec_command',
            call_id: 'd',
            arguments: JSON.stringify({ cmd: said }),
          },
        },
        { type: 'response_item', payload: { type: 'function_call_output', call_id: 'd', output: said } },
        {
          type: 'gemini',
          id: 'g',
          toolCalls: [
            { id: 'f', name: 'web_fetch', args: { prompt: said }, status: 'success', result: [{ text: said }] },
          ],
        },
        { message: { role: 'user' }, part: { type: 'text', text: said } },
      ]
      expect(
        parseTranscript(host, records.map((record) => JSON.stringify(record)).join('\n')).length,
      ).toBeGreaterThanOrEqual(records.length)
    }
  const { user, system } = process.cpuUsage(begun)
  // A few seconds; an expression whose time grows with the square of the length would take minutes.
  expect((user + system) / 1e6).toBeLessThan(60)
})
