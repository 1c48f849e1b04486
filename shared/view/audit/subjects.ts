import type { CheckName } from '../../audit/vocabulary.ts'

interface Subject {
  name: string
  /** What it is, to who runs a store. */
  about: string
}

/** What the gaps of a check are about. */
export const SUBJECTS: Record<CheckName, Subject> = {
  well_known: {
    name: 'Finding the store',
    about:
      'Whether AI agents are let in, and the file in which they read what the store offers: its manifest.',
  },
  schema: {
    name: 'Product pages',
    about:
      'What the code of your product pages tells programs: name, price, stock. It is called markup.',
  },
  entity: {
    name: 'Who you are',
    about: 'What the code of your home page tells programs about the business behind the store.',
  },
  feed: {
    name: 'Product feed',
    about: 'The list of your products as a file, which Google and OpenAI take.',
  },
  catalog: {
    name: 'Catalog for agents',
    about: 'The list of products that agents ask your store for instead of reading its pages.',
  },
  checkout: {
    name: 'Checkout for agents',
    about: 'Where an agent fills a cart and pays without operating your pages.',
  },
  acp: {
    name: 'Checkout over ACP',
    about: 'The same over the protocol that OpenAI and Stripe publish.',
  },
  pages: {
    name: 'Pages for agents',
    about: 'Whether an agent with a browser can operate your pages, from a product to the payment.',
  },
  attribution: {
    name: 'Counting what AI brings',
    about: 'The tag in your pages, which counts visits from AI.',
  },
}
