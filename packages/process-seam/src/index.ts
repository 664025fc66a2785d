export type { SeamContext } from './context.ts'
export { offerSaveHere, type OfferedSave } from './offer-save-here.ts'
export { recallHere, type RecallHereOptions } from './recall-here.ts'
export { statePath } from './state-path.ts'
