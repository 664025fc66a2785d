/** Only for the command that asks a person. No other code may import it. @internal */
export { grantPersonalWrite, type PersonalWriteSeen } from './personal-grants.ts'
export { readPersonal } from './personal-space.ts'
