/** Whether everything works: what waits, who is alive, how large the log is, what is wrong, and the command for each. */
import { useEffect } from 'preact/hooks'
import type { CheckRow, CountUpTo, HealthPage } from '../../src/contract/health.ts'
import { countWords } from '../pure/words.ts'
import { CopyCommand } from '../views/copy-command.tsx'
import { Icon } from '../views/icons.tsx'
import { Checks } from './checks.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { checkEverything, error, health, isChecking, quick, slow, watchHealth } from './health-store.ts'
import { LogGrowth } from './log-growth.tsx'
import { alikeChecks } from './pure/alike-checks.ts'
import { healthVerdict } from './pure/health-verdict.ts'
import { Workers } from './workers.tsx'

export function HealthView() {
  useEffect(() => {
    document.title = 'Health · agentm'
    return watchHealth()
  }, [])
  const page = health.value
  const checks = [...(quick.value?.checks ?? []), ...(slow.value?.checks ?? [])]
  return (
    <>
      <div class="page-head">
        <h1>Health</h1>
        <CopyCommand words="doctor" />
      </div>
      {error.value !== undefined && <p class="banner is-failed">{error.value}</p>}
      <VerdictLine checks={checks} />
      {page !== undefined && <Waiting page={page} learned={quick.value?.learned} />}
      <div class="health">
        <div class="health-main">
          <Checks checks={checks} isReading={quick.value === undefined} />
          <SlowChecks />
        </div>
        {page !== undefined && (
          <div class="health-side">
            <Workers page={page} />
            {page.log !== undefined && <LogGrowth log={page.log} />}
            {page.deadLetters.count > 0 && <DeadLetters page={page} />}
          </div>
        )}
      </div>
    </>
  )
}

function VerdictLine({ checks }: { readonly checks: readonly CheckRow[] }) {
  if (checks.length === 0) return <p class="verdict is-reading">Checking…</p>
  const { status, text } = healthVerdict(alikeChecks(checks).map(({ first }) => first))
  return (
    <p class={`verdict is-${status}`} role="status">
      <Icon name={status === 'ok' ? 'done' : status === 'warn' ? 'warning' : 'failed'} />
      {text}
    </p>
  )
}

function Waiting({ page, learned = 0 }: { readonly page: HealthPage; readonly learned: number | undefined }) {
  const { steps, workers, deadLetters } = page
  const alive = workers.filter(({ isAlive, kinds }) => isAlive && kinds.length > 0).length
  return (
    <dl class="meters">
      <Fact name="Workers alive" value={countWords(alive)} isBad={alive === 0 && steps.ready.count > 0} />
      <Fact name="Ready to run" value={upTo(steps.ready)} />
      <Fact name="Running" value={upTo(steps.running)} />
      <Fact name="Waiting" value={upTo(steps.blocked)} />
      <Fact name="Dead letters" value={upTo(deadLetters)} isBad={deadLetters.count > 0} />
      {learned > 0 && <Fact name="Learned, to decide" value={countWords(learned)} />}
    </dl>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly isBad?: boolean
}

function Fact({ name, value, isBad = false }: FactProps) {
  return (
    <div class={isBad ? 'meter is-bad' : 'meter'}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function upTo({ count, isMore }: CountUpTo): string {
  return `${countWords(count)}${isMore ? '+' : ''}`
}

function SlowChecks() {
  return (
    <div class="slow-checks">
      <p class="meta">
        {slow.value === undefined
          ? 'Not checked yet: every page of the log, the names of all notes, the model, and the tools of agents. This asks the model’s server for its list of models, and starts and stops the configured MCP servers.'
          : 'Everything was checked.'}
      </p>
      <button type="button" class="button" disabled={isChecking.value} onClick={() => void checkEverything()}>
        {isChecking.value ? 'Checking…' : slow.value === undefined ? 'Check everything' : 'Check again'}
      </button>
    </div>
  )
}
