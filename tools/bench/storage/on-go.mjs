// @ts-check
import { endWithParent } from '../../end-with-parent.mjs'

/**
 * The worker's side of `race`: ready, go, answer.
 * @param {() => Promise<unknown>} work
 */
export function onGo(work) {
  endWithParent()
  process.once('message', () => {
    work().then(
      (answer) => process.send?.({ answer }),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.send?.('ready')
}
