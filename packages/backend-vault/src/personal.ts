/** For the one command that asks a person. Nothing else may import it. @internal */
export { grantPersonalWrite, type PersonalWriteSeen } from './personal-grants.ts'
export { readPersonal } from './personal-space.ts'
