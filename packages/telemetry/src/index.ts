export { openTelemetry, type OpenedTelemetry } from './open-telemetry.ts'
export { planIds } from './planned-ids.ts'
export { registeredTelemetry } from './registered-telemetry.ts'
export type { Telemetry } from './telemetry.ts'
