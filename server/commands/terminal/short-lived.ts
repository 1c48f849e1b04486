/** The major versions of V8 that know `LATER`, in Node 22 to 26: others would complain of it. */
const KNOWN_FROM = 12
const KNOWN_TO = 14

/**
 * How often something has to run before V8 compiles it again for speed: ten times as often as usual. An
 * audit has read and judged everything before that pays, and it cost a quarter of its CPU, in threads
 * beside it. What runs for longer, such as the reading of a whole catalog, gets there some
 * milliseconds later. The last one is for undici's parser of HTTP, and ends after 40 KB of headers.
 */
const LATER = [
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-turbofan=30000',
  '--wasm-tiering-budget=1000000000',
]

/** The flags of V8 for a process that lives for a second, and for its workers. */
export function shortLivedFlags(v8: string): string[] {
  const major = Number.parseInt(v8, 10)
  return [
    // As `npm start` has it: garbage would lie until the end.
    '--max-semi-space-size=2',
    ...(major >= KNOWN_FROM && major <= KNOWN_TO ? LATER : []),
  ]
}
