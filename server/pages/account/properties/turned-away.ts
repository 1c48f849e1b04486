import type { TurnedAway } from '../../../attribution/beacon/days.ts'

/** Why a visit did not count, for the owner who waits for the first, and what to do about it. */
export function tellTurnedAway(turned: TurnedAway): { title: string; points: string[] } {
  if ('origin' in turned) {
    return {
      title: `A page of ${turned.origin} has the tag, but may not report`,
      points: ['If that is your store, add its address: Change it, Where its pages are.'],
    }
  }
  return turned.reason === 'bot'
    ? {
        title: 'A visit came from a program, and does not count',
        points: ['Open the store in a browser of your own.'],
      }
    : {
        title: 'A visit came, but nothing shows that AI sent it',
        points: ['Open the store by the link above: it ends in utm_source=chatgpt.com.'],
      }
}
