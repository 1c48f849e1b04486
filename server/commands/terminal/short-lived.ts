/** The major versions of V8 that know `PARSER`, in Node 22 to 26: others would print a warning. */
const KNOWN_FROM = 12
const KNOWN_TO = 14

/**
 * Keeps V8 from compiling WebAssembly again for speed. The only WebAssembly here is undici's HTTP
 * parser, one large function: that took a sixth of an audit's CPU on Node 22. It passes bodies on
 * unread, however large.
 */
const PARSER = '--wasm-tiering-budget=1000000000'

/**
 * Node 22 goes from its quick compiler straight to the most expensive one after 3,000 calls of a
 * function: a seventh of an audit's CPU, mostly too late to help. With four times as many calls an
 * audit of an ordinary store takes 14 % less, and a page of 2 MB a tenth more.
 */
const LATE_COMPILER = '--invocation-count-for-turbofan=12000'
const WITHOUT_MAGLEV = 12

/** Whether this is a V8 whose flags were looked up. */
export function isKnownV8(v8: string): boolean {
  const major = Number.parseInt(v8, 10)
  return major >= KNOWN_FROM && major <= KNOWN_TO
}

/** The flags of V8 for a process that lives for seconds, and for its workers. */
export function shortLivedFlags(v8: string): string[] {
  const major = Number.parseInt(v8, 10)
  return [
    // Of workers, which start later. Small: garbage would stay until the end.
    '--max-semi-space-size=2',
    ...(isKnownV8(v8) ? [PARSER] : []),
    ...(major === WITHOUT_MAGLEV ? [LATE_COMPILER] : []),
  ]
}
