/** Key of the file in every store that holds its `id`, as JSON: what tells a store from an empty directory. */
export const storeMarkerKey = '_meta/agentm-store.json'
