import { describeHarnessOn } from './harness-stores.ts'

describeHarnessOn('sqlite', { runs: 300, stride: 1 })
describeHarnessOn('postgres', { runs: 40, stride: 1 })
