/** What a test of plans and durable functions needs: time that passes only when nothing is left to do. */
export { type VirtualTime, type VirtualTimeOptions, virtualTime } from './testing/virtual-time.ts'
