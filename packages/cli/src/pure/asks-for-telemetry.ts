/** Whether the environment asks for telemetry. Nothing of it is loaded otherwise; the package itself reads what exactly is asked for. */
export function asksForTelemetry(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false
  return asking.some((name) => !['', 'none'].includes(env[name]?.trim().toLowerCase() ?? ''))
}

const asking = [
  'OTEL_TRACES_EXPORTER',
  'OTEL_METRICS_EXPORTER',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
]
