import type { Fetcher } from '../../audit/probe/fetch/fetch.ts'

/** Calls `onAnswer` after each response, with the number of responses so far. */
export function withProgress(
  fetcher: Fetcher,
  onAnswer: (count: number, url: string) => void,
): Fetcher {
  let count = 0
  return {
    open: (options) => {
      const session = fetcher.open(options)
      return {
        ...session,
        // A spread would keep the number of now.
        get used() {
          return session.used
        },
        async request(input) {
          const fetched = await session.request(input)
          if (fetched.kind !== 'not_asked') {
            count += 1
            onAnswer(count, input.url)
          }
          return fetched
        },
      }
    },
    close: () => fetcher.close(),
  }
}
