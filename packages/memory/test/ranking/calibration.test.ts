import { describe, expect, it } from 'vitest'
import { isCalibrated, thresholdsOf, uncalibrated } from '../../src/ranking.ts'

describe('thresholds', () => {
  it('are the general ones for an embedder nobody measured', () => {
    expect(isCalibrated('nobody/measured-this')).toBe(false)
    expect(thresholdsOf('nobody/measured-this')).toEqual(uncalibrated)
    expect(uncalibrated).toMatchObject({ route: 0.82, upgrade: 0.6, provisionDedup: 0.9, beliefDedup: 0.86 })
  })

  it('are an embedder’s own where somebody did, and hold for no other version of it', () => {
    const own = thresholdsOf('static-1/glove-6b-50k.1/256')
    expect(isCalibrated('static-1/glove-6b-50k.1/256')).toBe(true)
    expect(own).not.toEqual(uncalibrated)
    expect(own.upgrade).toBeLessThanOrEqual(own.route)
    expect(thresholdsOf('static-2/glove-6b-50k.1/256')).toEqual(uncalibrated)
  })
})
