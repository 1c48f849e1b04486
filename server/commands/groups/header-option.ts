/** What a store's owner gives: sent to that domain alone, and not stored. */
export const HEADER = [
  '--header <name: value>',
  'send this header to the store, such as that of a crawl signature; several, each with its own --header',
  (header: string, headers: string[] = []) => [...headers, header],
] as const
