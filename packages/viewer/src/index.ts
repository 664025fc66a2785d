export { serveView, type ViewOptions, type ViewServing } from './serve-view.ts'
export { ViewerError, type ViewerErrorCode } from './viewer-error.ts'
