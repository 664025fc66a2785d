export const checkKindName = 'check'
