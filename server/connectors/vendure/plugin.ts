import {
  ConfigService,
  EventBus,
  JobQueueService,
  PluginCommonModule,
  ScheduledTask,
  TransactionalConnection,
  type VendureConfig,
  VendurePlugin,
} from '@vendure/core'
import { Connector, warn } from './connector.ts'
import { catalogMiddleware } from './middleware.ts'
import { AisleReportEntity } from './report-entity.ts'
import type { PublishedCatalog } from './shelf.ts'

interface PluginOptions {
  url?: string
  /** A key with the scope `report:write` for the domain. */
  key?: string
  domain?: string
  /** Left out: nothing is published for agents. */
  catalog?: Partial<PublishedCatalog>
}

const CONNECTOR = 'aisle-connector'

let given: PluginOptions = {}

/** The plugin as a shop's `vendure-config` names it: `AislePlugin.init({ url, key, domain })`. */
// biome-ignore lint/complexity/noStaticOnlyClass: Vendure's plugins are classes.
class AislePlugin {
  static init(options: PluginOptions): typeof AislePlugin {
    given = options
    return AislePlugin
  }
}

const sendWaiting = new ScheduledTask({
  id: 'aisle-send-waiting',
  description: 'Reports orders to Aisle that it has not taken yet',
  schedule: '* * * * *',
  execute: ({ injector }) => injector.get<Connector>(CONNECTOR).catchUp(),
})

VendurePlugin({
  imports: [PluginCommonModule],
  entities: [AisleReportEntity],
  compatibility: '^3.3.0',
  providers: [
    {
      provide: CONNECTOR,
      inject: [TransactionalConnection, EventBus, JobQueueService, ConfigService],
      useFactory: (
        connection: TransactionalConnection,
        events: EventBus,
        jobs: JobQueueService,
        config: ConfigService,
      ) => {
        const { url = '', key = '', domain = '' } = given
        return new Connector({ url, key, domain }, connection, events, jobs, config)
      },
    },
  ],
  configuration: (config: VendureConfig) => {
    config.customFields.Order = [
      ...(config.customFields.Order ?? []),
      {
        name: 'aisleVisit',
        type: 'string',
        nullable: true,
        label: [{ languageCode: 'en', value: 'Visit from an AI assistant' }],
      },
    ]
    config.schedulerOptions.tasks = [...(config.schedulerOptions.tasks ?? []), sendWaiting]
    config.apiOptions.middleware.push(...catalogMiddleware(given.catalog, config, warn))
    return config
  },
})(AislePlugin)

export { AislePlugin }
