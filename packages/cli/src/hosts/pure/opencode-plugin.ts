/** The text of our opencode plugin. opencode starts no commands at moments of a session, so this small module does. */

/** `command` is how `agentm` is started there, such as `['npx', '-y', '@agentm/cli']`. */
export function opencodePlugin(command: readonly [string, ...string[]]): string {
  const [program, ...first] = command
  return `// Written by agentm init --host opencode, and deleted by agentm init --host opencode --remove.
// It gives each session what agentm's memory knows, and lets agentm learn from the session. If agentm fails, nothing happens.
import { spawn } from 'node:child_process'

const program = ${quoted(program)}
const first = [${first.map(quoted).join(', ')}]

export const AgentmPlugin = async ({ directory }) => {
  // Sessions that were given what memory knows, and sessions of sub-agents.
  const begun = new Set()
  const shortened = new Set()
  const children = new Set()

  /** Answers what the hook printed; nothing if it fails or takes too long. */
  function hook(event, input) {
    return new Promise((resolve) => {
      const child = spawn(program, [...first, 'hook', event, '--host', 'opencode'], {
        cwd: directory,
        stdio: ['pipe', 'pipe', 'ignore'],
        // Ends its work when opencode has ended already.
        detached: process.platform !== 'win32',
        // On Windows the command is a script, which only a shell can start.
        shell: process.platform === 'win32',
      })
      const timer = setTimeout(() => child.kill(), 10_000)
      let printed = ''
      const end = (text) => {
        clearTimeout(timer)
        resolve(text)
      }
      child.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
      child.on('error', () => end(''))
      child.on('close', (code) => end(code === 0 ? printed.trim() : ''))
      child.stdin.on('error', () => {})
      child.stdin.end(JSON.stringify({ cwd: directory, ...input }))
    })
  }

  return {
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {}
      if (event.type === 'session.created' && info?.parentID) children.add(info.id)
      if (event.type === 'session.compacted') {
        begun.delete(sessionID)
        shortened.add(sessionID)
      }
      if (event.type === 'session.idle')
        await hook(children.has(sessionID) ? 'subagent-stop' : 'stop', { session_id: sessionID })
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      if (children.has(sessionID)) return
      const prompt = parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\\n')
      const source = shortened.delete(sessionID) ? 'compact' : 'startup'
      const isFirst = !begun.has(sessionID)
      begun.add(sessionID)
      const told = [
        isFirst ? await hook('session-start', { session_id: sessionID, source }) : '',
        await hook('prompt-submit', { session_id: sessionID, prompt }),
      ].filter((text) => text !== '')
      if (told.length === 0) return
      const id = 'prt_' + Date.now().toString(36) + Math.random().toString(36).slice(2)
      parts.push({ id, sessionID, messageID: message.id, type: 'text', synthetic: true, text: told.join('\\n\\n') })
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const text = await hook('pre-compact', { session_id: sessionID })
      if (text !== '') output.context.push(text)
    },
  }
}
`
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
