/** A refusal of the viewer itself. */
export const viewerErrorCodes = ['PORT_INVALID', 'PORT_IN_USE', 'PAGE_ABSENT'] as const

/** The codes of refusals of the viewer itself. */
export type ViewerErrorCode = (typeof viewerErrorCodes)[number]

/** A refusal of the viewer itself. Compare `code`. */
export class ViewerError extends Error {
  override readonly name = 'ViewerError'
  readonly code: ViewerErrorCode
  constructor(code: ViewerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
