declare module 'html-encoding-sniffer' {
  /** The name of the encoding by BOM, transport label, the document's own declaration, default. */
  export default function sniffEncoding(
    bytes: Uint8Array,
    options?: {
      xml?: boolean
      transportLayerEncodingLabel?: string
      defaultEncoding?: string
      maxPrescanBytes?: number
    },
  ): string
}
