/** The same in a terminal: shows the command, and copies it. */
import { useState } from 'preact/hooks'
import { typed } from '../about.ts'
import { tellPerson } from '../notices.ts'
import { Icon } from './icons.tsx'

export function CopyCommand({ words, label = 'Copy as command' }: { readonly words: string; readonly label?: string }) {
  return <CopyText command={typed(words)} label={label} />
}

/** A whole command line, as it is typed. */
export function CopyText({ command, label }: { readonly command: string; readonly label: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command)
    } catch {
      return tellPerson(`The browser did not allow copying. The command is: ${command}`, true)
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
    return tellPerson(`Copied: ${command}`)
  }
  return (
    <button type="button" class="copy" onClick={() => void copy()} title={label} aria-label={`${label}: ${command}`}>
      <Icon name={copied ? 'check' : 'copy'} />
      <code>{command}</code>
    </button>
  )
}
