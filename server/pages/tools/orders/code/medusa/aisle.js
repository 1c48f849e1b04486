module.exports = {
  resolve: 'aisle-medusa',
  options: {
    url: process.env.AISLE_URL,
    key: process.env.AISLE_KEY,
    domain: 'shop.example',
    // Shows your products to agents. Leave it out, and nothing is published.
    catalog: {
      url: process.env.MEDUSA_BACKEND_URL,
      publishableKey: process.env.MEDUSA_PUBLISHABLE_KEY,
      productUrl: 'https://shop.example/us/products/{handle}',
    },
  },
}
