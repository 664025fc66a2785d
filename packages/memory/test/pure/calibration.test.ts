import { describe, expect, it } from 'vitest'
import { isCalibrated, thresholdsOf, uncalibrated } from '../../src/index.ts'

describe('thresholds', () => {
  it('are the general ones for an embedder nobody measured', () => {
    expect(isCalibrated('nobody/measured-this')).toBe(false)
    expect(thresholdsOf('nobody/measured-this')).toEqual(uncalibrated)
    expect(uncalibrated).toMatchObject({ route: 0.82, upgrade: 0.6, provisionDedup: 0.9, beliefDedup: 0.86 })
  })
})
