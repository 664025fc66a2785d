// @ts-check
/**
 * A package of this folder's own install. By name at run time, so that the repository type-checks without that install.
 * @param {string} name
 * @returns {Promise<any>}
 */
export function loadPeer(name) {
  return import(name)
}
