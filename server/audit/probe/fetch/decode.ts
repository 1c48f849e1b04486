import { MIMEType } from 'node:util'
import sniffEncoding from 'html-encoding-sniffer'

/** Where `<meta charset>` must be (https://html.spec.whatwg.org/#charset, "first 1024 bytes"). */
const SNIFFED_BYTES = 1024

/** A body as text. `contentType` is the header's value; bytes that mean nothing become U+FFFD. */
export function decodeBody({
  bytes,
  contentType,
  truncated = false,
}: {
  bytes: Uint8Array
  contentType: string | undefined
  truncated?: boolean
}): string {
  return decoderOf(encodingOf(bytes, parseMime(contentType), truncated)).decode(bytes)
}

/** Decodes a body that comes in parts; a character may be split between two. */
export function createTextStream(contentType: string | undefined): {
  /** The first part must be longer than what names the encoding, unless it is the last. */
  text: (bytes: Uint8Array) => string
  end: () => string
} {
  let decoder: TextDecoder | null = null
  const started = (bytes: Uint8Array) => {
    decoder ??= decoderOf(encodingOf(bytes, parseMime(contentType), true))
    return decoder
  }
  return {
    text: (bytes) => started(bytes).decode(bytes, { stream: true }),
    end: () => decoder?.decode() ?? '',
  }
}

/**
 * HTML and XML name their encoding themselves; all else by its charset parameter, or UTF-8.
 * `isCut`: the last character may not be whole.
 */
function encodingOf(bytes: Uint8Array, type: MIMEType | null, isCut: boolean): string {
  const start = bytes.subarray(0, SNIFFED_BYTES)
  const label = type?.params.get('charset')
  const transport = label ? { transportLayerEncodingLabel: label } : {}
  const essence = type?.essence ?? ''
  if (essence === 'text/html') {
    const named = sniffEncoding(start, { ...transport, defaultEncoding: '' })
    // Browsers find a later `<meta charset>` too
    // (https://html.spec.whatwg.org/#change-the-encoding), and text in another encoding is hardly
    // ever valid UTF-8.
    return named || (isUtf8(bytes, isCut) ? 'UTF-8' : 'windows-1252')
  }
  if (/^(text|application)\/xml$|\+xml$/.test(essence)) {
    return sniffEncoding(start, { ...transport, xml: true })
  }
  return sniffEncoding(start, { ...transport, maxPrescanBytes: 0, defaultEncoding: 'UTF-8' })
}

function isUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return true
  } catch {
    return false
  }
}

/** Some encodings have no decoder, such as https://encoding.spec.whatwg.org/#replacement. */
function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}

/** A Content-Type that is broken counts as none. */
export function parseMime(contentType: string | undefined): MIMEType | null {
  try {
    return contentType === undefined ? null : new MIMEType(contentType)
  } catch {
    return null
  }
}
