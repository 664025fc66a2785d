export class CrewRefusedError extends Error {
  override readonly name = 'CrewRefusedError'
  readonly code = 'CREW_REFUSED'
}
