/** Where a feed can be uploaded to: apart from the rules, which the help of a command needs not. */
export const DESTINATION_NAMES = [
  'openai',
  'google',
  'microsoft',
  'meta',
  'stripe',
  'paypal',
] as const
export type FeedDestination = (typeof DESTINATION_NAMES)[number]
