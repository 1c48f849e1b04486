import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { field, isRecord } from '../../../shared/web/json/json.ts'
import { type CorpusPage, pagesOf, parsedJson } from './corpus.ts'
import { NOTHING, type Prediction, priceOfText } from './prediction.ts'

const run = promisify(execFile)

/** Prints a line of JSON for each id on the command line: what extruct reads from its page. */
const SCRIPT = `
import gzip, json, os, sys
import extruct
folder = sys.argv[1]
for line in sys.stdin:
    page = json.loads(line)
    path = os.path.join(folder, page['id'] + '.html.gz')
    with gzip.open(path, 'rt', encoding='utf8', errors='replace') as file:
        html = file.read()
    try:
        data = extruct.extract(html, base_url=page['url'], uniform=True, errors='ignore',
                               syntaxes=['json-ld', 'microdata', 'opengraph'])
    except Exception:
        data = None
    print(json.dumps({'id': page['id'], 'data': data}, default=str))
`

/** Ten minutes are enough for thousands of pages. */
const LONGEST = { timeout: 600_000, maxBuffer: 2 ** 30 }

/** The version of extruct that an interpreter imports, or null where it imports none. */
export async function findExtruct(python: string): Promise<string | null> {
  const ask =
    'import extruct, sys\ntry:\n  from importlib.metadata import version\n  print(version("extruct"))\nexcept Exception:\n  print("unknown")'
  return run(python, ['-c', ask], LONGEST).then(
    ({ stdout }) => stdout.trim() || 'unknown',
    () => null,
  )
}

/** What extruct makes of the pages of a folder, in the order of `pages`. Throws if it fails. */
export async function predictWithExtruct(
  python: string,
  folder: string,
  pages: readonly CorpusPage[],
): Promise<(Prediction | null)[]> {
  const running = run(python, ['-c', SCRIPT, pagesOf(folder)], LONGEST)
  running.child.stdin?.end(pages.map(({ id, url }) => `${JSON.stringify({ id, url })}\n`).join(''))
  const { stdout } = await running
  const read = new Map<unknown, unknown>()
  for (const line of stdout.split('\n')) {
    const page = parsedJson(line)
    read.set(field(page, 'id'), field(page, 'data'))
  }
  return pages.map(({ id }) => (isRecord(read.get(id)) ? predictFrom(read.get(id)) : null))
}

/**
 * The benchmark's baseline makes predictions of what extruct reads (extractors/run_extruct.py): the
 * first Product with its first offer; microdata before JSON-LD, and Open Graph where neither says.
 * Brand and GTIN, which it leaves out, are read in the same way.
 */
function predictFrom(data: unknown): Prediction {
  const read = [
    fromProduct(field(data, 'microdata')),
    fromProduct(field(data, 'json-ld')),
    fromOpenGraph(field(data, 'opengraph')),
  ]
  const first = <Key extends keyof Prediction>(key: Key) =>
    read.reduce<Prediction[Key] | null>((value, each) => value ?? each[key], null)
  return {
    price: first('price'),
    currency: first('currency'),
    availability: first('availability'),
    sku: first('sku'),
    brand: first('brand'),
    gtin: first('gtin'),
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

const textOf = (value: unknown): string | null => {
  const [first] = listOf(value)
  const text = typeof first === 'number' ? String(first) : first
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}

/** The first of these keys that has a text, in any case. */
function textAt(node: unknown, ...keys: string[]): string | null {
  if (!isRecord(node)) return null
  const lower = new Map(Object.entries(node).map(([key, value]) => [key.toLowerCase(), value]))
  return keys.reduce<string | null>((text, key) => text ?? textOf(lower.get(key)), null)
}

function fromProduct(nodes: unknown): Prediction {
  const product = listOf(nodes).find((node) =>
    listOf(field(node, '@type')).some((type) => String(type).includes('Product')),
  )
  if (product === undefined) return NOTHING
  const [offer] = listOf(field(product, 'offers'))
  const price = textAt(offer, 'price', 'highprice', 'lowprice')
  const brand = listOf(field(product, 'brand'))[0]
  return {
    price: price === null ? null : priceOfText(price),
    currency: textAt(offer, 'pricecurrency'),
    availability: stockOf(textAt(offer, 'availability')),
    sku: textAt(product, 'sku', 'productid'),
    brand: isRecord(brand) ? textAt(brand, 'name') : textOf(brand),
    gtin: textAt(product, 'gtin13', 'gtin14', 'gtin12', 'gtin8', 'gtin'),
  }
}

function fromOpenGraph(nodes: unknown): Prediction {
  const [node] = listOf(nodes)
  const price = textAt(node, 'og:price:amount', 'product:price:amount')
  return {
    price: price === null ? null : priceOfText(price),
    currency: textAt(node, 'og:price:currency', 'product:price:currency'),
    availability: stockOf(textAt(node, 'og:availability', 'product:availability')),
    sku: textAt(node, 'og:sku', 'product:sku'),
    brand: null,
    gtin: null,
  }
}

function stockOf(text: string | null): Prediction['availability'] {
  const word = text?.toLowerCase().replace(/[\s_]/g, '') ?? ''
  if (/(instock|limitedavailability|presale|preorder|instoreonly)$/.test(word)) return 'InStock'
  return /(outofstock|soldout|discontinued)$/.test(word) ? 'OutOfStock' : null
}
