export { serveView, type ViewOptions, type ViewServing } from './serve-view.ts'
