import { describe, expect, it } from 'vitest'
import { telemetrySettings } from '../../src/pure/telemetry-settings.ts'

const endpoint = 'http://127.0.0.1:4318'

describe('what the environment asks for', () => {
  it.each([
    [{}, undefined, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, 'http/protobuf', 'http/protobuf'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }, 'http/protobuf', undefined],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json', undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRICS_EXPORTER: 'none' }, 'http/protobuf', undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'TRUE' }, undefined, undefined],
    [{ OTEL_TRACES_EXPORTER: ' ' }, undefined, undefined],
  ])('%j', (env, traces, metrics) => {
    expect(telemetrySettings(env)).toMatchObject({ traces, metrics, problems: [], content: false, ratio: 1 })
  })

  it('says what it cannot do, once', () => {
    const { traces, metrics, problems } = telemetrySettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    })
    expect([traces, metrics]).toEqual([undefined, undefined])
    expect(problems).toEqual([expect.stringContaining('OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported')])
    expect(telemetrySettings({ OTEL_METRICS_EXPORTER: 'console' }).problems).toHaveLength(1)
  })

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }, 0.25],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' }, 1],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, 1],
  ])('samples as %j says', (env, ratio) => {
    expect(telemetrySettings(env).ratio).toBe(ratio)
  })
})
