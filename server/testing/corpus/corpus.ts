import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { isRecord } from '../../../shared/web/json/json.ts'

/** What is wrong with a folder that is given as a corpus; its message says what to do. */
export class CorpusError extends Error {
  override name = 'CorpusError'
}

/** A page of `<folder>/pages` with the values that are accepted for it, by field. */
export interface CorpusPage {
  id: string
  url: string
  html: string
  accepted: ReadonlyMap<string, readonly string[]>
}

const unzip = promisify(gunzip)
const ENDING = '.html.gz'

export const pagesOf = (folder: string): string => join(folder, 'pages')

/**
 * Reads `<folder>/pages/<id>.html.gz` and `truth.json`, an object of id → `url` and lists of
 * accepted values: the shape of https://github.com/scrapinghub/product-extraction-benchmark. Throws
 * a CorpusError that names what is missing or broken.
 */
export async function readCorpus(folder: string): Promise<CorpusPage[]> {
  const pages = pagesOf(folder)
  const names = await readdir(pages).catch(() => {
    throw new CorpusError(
      `${folder} is not a corpus: it has no folder "pages". Name a folder with pages/truth.json and pages/<id>${ENDING}.`,
    )
  })
  const truths = await readTruths(join(pages, 'truth.json'))
  const ids = names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -8))
  const unknown = ids.find((id) => !truths.has(id))
  if (unknown !== undefined) {
    throw new CorpusError(
      `pages/${unknown}${ENDING} has no entry in pages/truth.json. Add "${unknown}", or remove the page.`,
    )
  }
  return Promise.all(
    [...truths].map(async ([id, truth]) => ({ id, ...truth, html: await readHtml(pages, id) })),
  )
}

async function readHtml(pages: string, id: string): Promise<string> {
  const zipped = await readFile(join(pages, `${id}${ENDING}`)).catch(() => {
    throw new CorpusError(
      `pages/truth.json has an entry "${id}", but pages/${id}${ENDING} cannot be read. Add the page, or remove the entry.`,
    )
  })
  return unzip(zipped).then(
    (html) => html.toString('utf8'),
    (error: Error) => {
      throw new CorpusError(
        `pages/${id}${ENDING} is not valid gzip: ${error.message}. Compress the page again.`,
      )
    },
  )
}

async function readTruths(path: string) {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CorpusError(
      `${path} cannot be read. It holds the accepted values of each page, by its id.`,
    )
  })
  const json = parsedJson(text)
  if (!isRecord(json) || Object.keys(json).length === 0) {
    throw new CorpusError(`${path} is not a JSON object of page id → accepted values.`)
  }
  return new Map(
    Object.entries(json).map(([id, values]) => {
      if (!isRecord(values) || typeof values.url !== 'string') {
        throw new CorpusError(`In ${path}, "${id}" has no "url". Add the address of the page.`)
      }
      const accepted = Object.entries(values).map(([name, list]): [string, string[]] => [
        name,
        Array.isArray(list) ? list.filter((value) => typeof value === 'string') : [],
      ])
      return [id, { url: values.url, accepted: new Map(accepted) }] as const
    }),
  )
}

/** Undefined where the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
