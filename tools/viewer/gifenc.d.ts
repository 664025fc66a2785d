/** What we use of gifenc, which comes without types. */
declare module 'gifenc' {
  export type Palette = readonly (readonly number[])[]
  interface Frame {
    readonly palette?: Palette
    readonly delay: number
  }
  interface Encoder {
    writeFrame(indexed: Uint8Array, width: number, height: number, frame: Frame): void
    finish(): void
    bytes(): Uint8Array
  }
  const gifenc: {
    GIFEncoder(): Encoder
    quantize(rgba: Uint8Array, colours: number): Palette
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array
  }
  export default gifenc
}
