import { describeHarnessOn } from './harness-stores.ts'

describeHarnessOn('sqlite', { runs: 25, stride: 6 })
describeHarnessOn('postgres', { runs: 4, stride: 12 })
