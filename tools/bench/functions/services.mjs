// @ts-check
/** The services that all programs call. They do nothing but count, so that only the time of the engines is measured. */

/** @typedef {{ readonly id: string, readonly address: string }} Order */

/** How often each call was made. A second time for the same call is a step that ran twice. @type {Map<string, number>} */
const calls = new Map()
/** @type {{ left: number, readonly finish: (at: number) => void } | undefined} */
let expected
/** @type {Map<string, () => void>} */
const approvers = new Map()

/** Resolves with the time of the last of this many calls, counted from now. @param {number} count @returns {Promise<number>} */
export function afterCalls(count) {
  calls.clear()
  return new Promise((finish) => (expected = { left: count, finish }))
}

/** How many calls were made twice, since `afterCalls`. */
export function doubleCalls() {
  return [...calls.values()].filter((times) => times > 1).length
}

/** Resolves when somebody asks for the approval of this. @param {string} tag @returns {Promise<void>} */
export function untilAsked(tag) {
  return new Promise((resolve) => approvers.set(tag, resolve))
}

/** @param {string} call */
function tally(call) {
  calls.set(call, (calls.get(call) ?? 0) + 1)
  if (expected === undefined) return
  expected.left -= 1
  if (expected.left === 0) expected.finish(performance.now())
}

/** @param {Order} order */
export async function reserve({ id }) {
  tally(`reserve ${id}`)
  return { reservation: `r-${id}` }
}

/** @param {{ readonly reservation: string }} reserved */
export async function release({ reservation }) {
  tally(`release ${reservation}`)
}

/** @param {Order} order */
export async function charge({ id }) {
  tally(`charge ${id}`)
  return { payment: `p-${id}` }
}

/** @param {{ readonly payment: string }} charged */
export async function refund({ payment }) {
  tally(`refund ${payment}`)
}

/** Fails for good if there is no such address. @param {Order} order */
export async function ship({ id, address }) {
  tally(`ship ${id}`)
  if (address === 'nowhere') throw Object.assign(new Error(`nobody delivers to ${address}`), { retryable: false })
  return { parcel: `t-${id}` }
}

/** @param {string} tag */
export async function requestApproval(tag) {
  tally(`request ${tag}`)
  approvers.get(tag)?.()
  approvers.delete(tag)
}

/** @param {string} tag @param {string} host */
export async function deploy(tag, host) {
  tally(`deploy ${tag} ${host}`)
  return `${host} runs ${tag}`
}

/** @param {string} tag */
export async function announce(tag) {
  tally(`announce ${tag}`)
}

/** @param {string} customer */
export async function welcome(customer) {
  tally(`welcome ${customer}`)
}

/** @param {string} customer @param {number} day */
export async function meter(customer, day) {
  tally(`meter ${customer} ${day}`)
  return 2
}

/** @param {string} customer @param {number} used */
export async function invoice(customer, used) {
  tally(`invoice ${customer}`)
  return { customer, used }
}
