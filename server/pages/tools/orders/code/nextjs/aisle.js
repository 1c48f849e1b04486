import { createAisle } from 'aisle-node'

let made

/** Made when it is needed: `next build` runs without the key. */
export const aisle = () =>
  (made ??= createAisle({
    url: process.env.AISLE_URL,
    key: process.env.AISLE_KEY,
    domain: 'shop.example',
  }))
