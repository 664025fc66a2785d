/** Telemetry of one call of a command. The package is loaded only if the environment asks for it, or the command does. */
import type { OpenedTelemetry } from '@agentm/telemetry'
import { asksForTelemetry } from './pure/asks-for-telemetry.ts'

export interface CallTelemetryPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: () => string
  /** Tells a person what is asked for and cannot be done. */
  readonly note: (text: string) => void
}

export class CallTelemetry {
  readonly #place: CallTelemetryPlace
  #opening: Promise<OpenedTelemetry | undefined> | undefined

  constructor(place: CallTelemetryPlace) {
    this.#place = place
  }

  /** `undefined` if nobody asks for it. With `pull`, metrics can be read from it whatever the environment says; this must be the first call. */
  async open({ pull = false }: { readonly pull?: boolean } = {}): Promise<OpenedTelemetry | undefined> {
    if (!pull && this.#opening === undefined && !asksForTelemetry(this.#place.env)) return undefined
    return (this.#opening ??= this.#open(pull))
  }

  /** To be called before the stores are closed: what was written last is read again for its report. */
  async settled(): Promise<void> {
    await (await this.#opening)?.settled()
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close()
  }

  async #open(pull: boolean): Promise<OpenedTelemetry | undefined> {
    const { env, version, note } = this.#place
    const { openTelemetry } = await import('@agentm/telemetry')
    const opened = await openTelemetry({
      env,
      version: version(),
      pull,
      onFailure: (why) => note(`Spans or metrics could not be sent, and work goes on without them: ${why}`),
    })
    for (const problem of opened?.problems ?? []) note(`This is not exported: ${problem}`)
    return opened
  }
}
