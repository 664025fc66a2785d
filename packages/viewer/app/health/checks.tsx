import type { CheckHelp, CheckRow } from '../../src/contract/health.ts'
import { about } from '../about.ts'
import { CopyText } from '../views/copy-command.tsx'
import { Icon } from '../views/icons.tsx'
import { countWords } from '../pure/words.ts'
import { alikeChecks } from './pure/alike-checks.ts'
import { inUrgency } from './pure/health-verdict.ts'

const icons = { ok: 'done', warn: 'warning', fail: 'failed' } as const
const words = { ok: 'in order', warn: 'warning', fail: 'failed' } as const

/** What each check found, and the commands that help. */
export function Checks({ checks, isReading }: { readonly checks: readonly CheckRow[]; readonly isReading: boolean }) {
  return (
    <section aria-labelledby="checks-title" aria-busy={isReading}>
      <h2 id="checks-title">Checks</h2>
      <ul class="checks">
        {alikeChecks(inUrgency(checks)).map(({ first: check, others }, i) => (
          <li key={`${check.name} ${i}`} class={`check is-${check.status}`}>
            <span class="check-mark">
              <Icon name={icons[check.status]} />
              <span class="only-read">{words[check.status]}</span>
            </span>
            <div class="check-body">
              <h3>{check.name}</h3>
              <p>{check.text}</p>
              {others.length > 0 && (
                <details>
                  <summary>and {countWords(others.length)} more that the same helps</summary>
                  <ul class="alike">
                    {others.map(({ text }, at) => (
                      <li key={at}>{text}</li>
                    ))}
                  </ul>
                </details>
              )}
              {check.help.map((help) => (
                <HelpLine key={help.command} help={help} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function HelpLine({ help: { to, command } }: { readonly help: CheckHelp }) {
  return (
    <div class="help-line">
      <span>{to}</span>
      <CopyText command={typedHere(command)} label={to} />
    </div>
  )
}

/** As a person calls agentm here, also in a line of several commands. */
export function typedHere(command: string): string {
  return command.replaceAll(/(^|&& )agentm (?=\S)/g, `$1${about.value.command} `)
}
