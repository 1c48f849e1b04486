import { BASKET_PATH } from '../settings.ts'

// The tools of the shop's pages (WebMCP): search and product have the names and the input of UCP's
// catalog, and answer in its form, from the markup of the shop's own pages. Where a browser has no
// WebMCP nothing happens.
//
// Unspecified: UCP names no tool that adds to the basket of a page, whose id no agent has.
export const TOOLS_SCRIPT = `
(() => {
  const { modelContext } = document
  if (!modelContext) return
  const pageAt = async (path) => {
    const answer = await window.fetch(path)
    if (!answer.ok) throw new Error('The shop has no such product.')
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  }
  const priceOf = ({ price, priceCurrency }) => ({
    amount: Math.round(Number(price) * 100),
    currency: priceCurrency,
  })
  const productAt = async (id) => {
    const page = await pageAt('/products/' + encodeURIComponent(id))
    const blocks = [...page.querySelectorAll('script[type="application/ld+json"]')]
    const node = blocks.map(({ textContent }) => JSON.parse(textContent)).find(({ offers, hasVariant }) => offers || hasVariant)
    const variants = (node.hasVariant ?? [node]).map(({ name, offers }) => ({
      id: new URL(offers.url).searchParams.get('variant') ?? id,
      title: name,
      price: priceOf(offers),
      availability: { available: !offers.availability.endsWith('OutOfStock') },
    }))
    const prices = variants.map(({ price }) => price).sort((a, b) => a.amount - b.amount)
    return {
      id,
      title: node.name,
      description: { plain: node.description },
      url: node.url,
      price_range: { min: prices[0], max: prices.at(-1) },
      variants,
    }
  }
  const catalog = (properties, required) => ({
    type: 'object',
    properties: { catalog: { type: 'object', properties, required } },
    required: ['catalog'],
  })
  const text = (description) => ({ type: 'string', description })
  const tools = [
    {
      name: 'search_catalog',
      title: 'Search the shop',
      description: 'Finds products of this shop by words of their name.',
      inputSchema: catalog({ query: text('Words of the name, such as rain jacket') }, ['query']),
      annotations: { readOnlyHint: true },
      execute: async ({ catalog: { query } }) => {
        const words = query.toLowerCase().split(/\\s+/)
        const page = await pageAt('/')
        const links = [...page.querySelectorAll('a[href^="/products/"]')]
        const found = links.filter(({ textContent }) =>
          words.every((word) => textContent.toLowerCase().includes(word)),
        )
        const ids = [...new Set(found.map((link) => link.getAttribute('href').split('/')[2]))]
        return { products: await Promise.all(ids.slice(0, 5).map(productAt)) }
      },
    },
    {
      name: 'get_product',
      title: 'Read a product',
      description: 'Reads one product of this shop, with its variants, prices and stock.',
      inputSchema: catalog({ id: text('The id of the product') }, ['id']),
      annotations: { readOnlyHint: true },
      execute: async ({ catalog: { id } }) => ({ product: await productAt(id) }),
    },
    {
      name: 'add_to_basket',
      title: 'Add to the basket',
      description: 'Puts a product or variant into the basket of this browser.',
      inputSchema: {
        type: 'object',
        properties: {
          id: text('The id of the variant, or of a product without variants'),
          quantity: { type: 'integer', minimum: 1, maximum: 99 },
        },
        required: ['id'],
      },
      annotations: { readOnlyHint: false },
      execute: async ({ id, quantity = 1 }) => {
        const body = new URLSearchParams({ item: id, quantity: String(quantity) })
        const { ok } = await window.fetch('${BASKET_PATH}', { method: 'POST', body })
        if (!ok) throw new Error('It could not be added.')
        return { basket: new URL('${BASKET_PATH}', location.href).href }
      },
    },
  ]
  for (const tool of tools) modelContext.registerTool(tool)
})()
`
