// @ts-check
/** Small pictures and PDFs for tests, made from nothing, so that each is a whole and valid file. */
import { crc32, deflateSync } from 'node:zlib'

/**
 * A PNG of one colour. Other colours are other bytes.
 * @param {readonly [number, number, number]} [colour]
 * @param {number} [size]
 */
export function samplePng(colour = [255, 0, 0], size = 4) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.concat(Array.from({ length: size }, () => Buffer.from(colour)))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function chunk(type, data) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** One black pixel. */
export function sampleGif() {
  return Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
}

/** One pixel, without loss. */
export function sampleWebp() {
  return Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
}

/** One grey pixel. */
export function sampleJpeg() {
  const tables = Buffer.concat([Buffer.from([0xff, 0xdb, 0, 67, 0]), Buffer.alloc(64, 1)])
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0])
  const codes = Buffer.from([0xff, 0xc4, 0, 20, 0, 1, ...Array.from({ length: 15 }, () => 0), 0])
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x3f])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), tables, frame, codes, scan, Buffer.from([0xff, 0xd9])])
}

/**
 * A PDF with empty pages; `compressed` keeps its objects in a stream, as newer programs write them.
 * @param {number} [pages]
 * @param {{ readonly compressed?: boolean, readonly says?: string }} [options]
 */
export function samplePdf(pages = 1, { compressed = false, says = 'Hello' } = {}) {
  const kids = Array.from({ length: pages }, (_, i) => `${i + 3} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>'),
  ]
  const comment = `%${says}\n`
  if (!compressed) {
    const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('')
    return Buffer.from(`%PDF-1.4\n${comment}${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1')
  }
  const packed = deflateSync(Buffer.from(objects.join('\n')))
  const head = `%PDF-1.5\n${comment}9 0 obj\n<< /Type /ObjStm /N ${objects.length} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), packed, Buffer.from('\nendstream\nendobj\n%%EOF\n')])
}
