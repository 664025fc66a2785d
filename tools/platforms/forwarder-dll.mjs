// @ts-check
/**
 * A library for 64-bit Windows that holds no code: one name, and where the loader finds it instead. Wine's own libraries are made
 * like this where a function has moved.
 */

const page = 0x1000
const alignment = 0x200
const headersAt = 0x40
const optionalAt = headersAt + 24
const optionalBytes = 240

/**
 * @param {{ readonly library: string, readonly name: string, readonly to: string }} forward `to` is `library.function`
 * @returns {Buffer}
 */
export function emptyForwarder({ library, name, to }) {
  const table = exportTable({ library, name, to })
  const headers = Buffer.alloc(alignment)
  headers.write('MZ')
  headers.writeUInt32LE(headersAt, 0x3c)
  headers.write('PE\0\0', headersAt)
  headers.writeUInt16LE(0x8664, headersAt + 4) // x64
  headers.writeUInt16LE(1, headersAt + 6) // sections
  headers.writeUInt16LE(optionalBytes, headersAt + 20)
  headers.writeUInt16LE(0x2022, headersAt + 22) // executable, large addresses, a library
  writeOptionalHeader(headers, table.bytes)
  const section = optionalAt + optionalBytes
  headers.write('.rdata', section)
  headers.writeUInt32LE(alignment, section + 8)
  headers.writeUInt32LE(page, section + 12)
  headers.writeUInt32LE(alignment, section + 16)
  headers.writeUInt32LE(alignment, section + 20)
  headers.writeUInt32LE(0x40000040, section + 36) // initialised, readable
  return Buffer.concat([headers, table.section])
}

/** @param {Buffer} headers @param {number} exportBytes */
function writeOptionalHeader(headers, exportBytes) {
  headers.writeUInt16LE(0x20b, optionalAt) // 64 bit
  headers.writeUInt32LE(alignment, optionalAt + 8)
  headers.writeBigUInt64LE(0x180000000n, optionalAt + 24) // where it would like to be
  headers.writeUInt32LE(page, optionalAt + 32)
  headers.writeUInt32LE(alignment, optionalAt + 36)
  headers.writeUInt16LE(6, optionalAt + 40)
  headers.writeUInt16LE(6, optionalAt + 48)
  headers.writeUInt32LE(2 * page, optionalAt + 56)
  headers.writeUInt32LE(alignment, optionalAt + 60)
  headers.writeUInt16LE(2, optionalAt + 68)
  headers.writeUInt16LE(0x100, optionalAt + 70)
  for (const at of [72, 88]) headers.writeBigUInt64LE(0x100000n, optionalAt + at)
  for (const at of [80, 96]) headers.writeBigUInt64LE(0x1000n, optionalAt + at)
  headers.writeUInt32LE(16, optionalAt + 108) // directories, of which the first says what is exported
  headers.writeUInt32LE(page, optionalAt + 112)
  headers.writeUInt32LE(exportBytes, optionalAt + 116)
}

/** @param {{ readonly library: string, readonly name: string, readonly to: string }} forward */
function exportTable({ library, name, to }) {
  const section = Buffer.alloc(alignment)
  let end = 52
  const put = (/** @type {string} */ text) => {
    const at = end
    end += section.write(`${text}\0`, at, 'latin1')
    return page + at
  }
  section.writeUInt32LE(put(library), 12)
  for (const at of [16, 20, 24]) section.writeUInt32LE(1, at) // first ordinal, functions, names
  section.writeUInt32LE(page + 40, 28)
  section.writeUInt32LE(page + 44, 32)
  section.writeUInt32LE(page + 48, 36)
  section.writeUInt32LE(put(to), 40)
  section.writeUInt32LE(put(name), 44)
  return { section, bytes: end }
}
