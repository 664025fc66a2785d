// @ts-check
/** @typedef {{ readonly what: string, readonly fault?: string }} Check what was tried, and what was wrong with it */
/** @typedef {{ readonly what: string, readonly go: () => Promise<unknown> }} Trial */

/** @param {Trial} trial @returns {Promise<Check>} */
export async function outcome({ what, go }) {
  try {
    await go()
    return { what }
  } catch (error) {
    return { what, fault: error instanceof Error ? error.message : String(error) }
  }
}
