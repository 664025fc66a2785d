export { main, type Surroundings } from './main.ts'
export type { Terminal } from './terminal.ts'
