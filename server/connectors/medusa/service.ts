import { MedusaService, type ReportRow } from '@medusajs/framework/utils'
import type { AisleEvent } from '../../../aisle-node/index.d.ts'
import { addOnce } from '../reporting/add-once.ts'
import type { ShopReport } from '../reporting/reports.ts'
import { createReportSender, type ReportTable } from '../reporting/sender.ts'
import { AisleReport } from './report-model.ts'

/** The options of the plugin in `medusa-config`. */
interface MedusaOptions {
  url?: string
  /** A key with the scope `report:write` for the domain. */
  key?: string
  domain?: string
  /** Left out: nothing is published for agents. */
  catalog?: Partial<CatalogOptions>
}

export interface CatalogOptions {
  /** The public address of this server. */
  url: string
  publishableKey: string
  /** The page of a product, with `{handle}` in it. */
  productUrl: string
  /** Whose prices are shown; left out, those of the first region. */
  region?: string
}

interface Dependencies {
  logger: { warn(message: string): void }
}

const KEPT_MS = 7 * 24 * 3_600_000

/** The module of the plugin: what waits for Aisle, and what sends it. */
export class AisleModuleService extends MedusaService({ AisleReport }) {
  /** Null: nothing is published for agents. */
  readonly catalog: CatalogOptions | null
  /** From when on the next look for orders has to go. */
  seenUntil = 0
  readonly #sender: ReturnType<typeof createReportSender> | null

  constructor(dependencies: Dependencies, settings: MedusaOptions = {}) {
    super(dependencies, settings)
    const warn = (message: string) => dependencies.logger.warn(`Aisle: ${message}`)
    const { url = '', key = '', domain = '' } = settings
    this.catalog = readCatalog(settings.catalog)
    if (settings.catalog !== undefined && this.catalog === null) {
      warn('catalog needs url, publishableKey, and productUrl. Nothing is published for agents.')
    }
    this.#sender = null
    try {
      const plugin = 'aisle-medusa'
      this.#sender = createReportSender({ url, key, domain, plugin, table: this.#table(), warn })
    } catch (error) {
      // Unspecified: a shop without a key starts, and its orders wait until it has one.
      warn(error instanceof Error ? error.message : String(error))
    }
  }

  /** Adds reports that are not there yet. */
  async note(reports: readonly ShopReport[]): Promise<void> {
    for (const { id, event } of reports) {
      await addOnce(
        async () => (await this.listAisleReports({ id }, { take: 1 })).length > 0,
        () => this.createAisleReports({ id, event }),
      )
    }
  }

  /** Sends what waits. Never rejects. */
  async send(): Promise<void> {
    await this.#sender?.send()
  }

  async forgetOld(now: number): Promise<void> {
    const created_at = { $lt: new Date(now - KEPT_MS) }
    const old = await this.listAisleReports({ created_at }, { take: 1000 })
    if (old.length > 0) await this.deleteAisleReports(old.map(({ id }) => id))
  }

  #table(): ReportTable {
    return {
      waiting: async (most) => {
        const order = { tries: 'ASC', created_at: 'ASC' }
        const rows = await this.listAisleReports({ outcome: null }, { take: most, order })
        for (const { id, tries } of rows) this.#tries.set(id, tries)
        return rows.map(readReport)
      },
      settle: async (id, refused) => {
        this.#tries.delete(id)
        await this.updateAisleReports({ id, outcome: refused ?? 'sent' })
      },
      keep: async (id) => {
        const tries = (this.#tries.get(id) ?? 0) + 1
        await this.updateAisleReports({ id, tries })
      },
    }
  }

  /** How often each of the batch was tried. */
  readonly #tries = new Map<string, number>()
}

function readCatalog(given: Partial<CatalogOptions> = {}): CatalogOptions | null {
  const { url, publishableKey, productUrl } = given
  if (!url || !publishableKey || !productUrl) return null
  return { ...given, url: url.replace(/\/+$/, ''), publishableKey, productUrl }
}

/** What `note` wrote. */
const readReport = ({ id, event }: ReportRow): ShopReport => ({ id, event: event as AisleEvent })
