/** The kind of the step that brings together what the steps of a plan changed. */
export const mergeKindName = 'merge'
