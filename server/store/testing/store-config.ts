import type { StoreConfig } from '../config.ts'
import { OPEN_ACP } from '../dialects/acp/settings.ts'

/**
 * The settings of a store on a port of its own, as nobody has set any, without where its data is.
 */
export const BARE_CONFIG: Omit<StoreConfig, 'databaseUrl' | 'stopTimes'> = {
  port: 0,
  host: '127.0.0.1',
  dataDir: '',
  secretsKey: Buffer.alloc(32, 1),
  migrate: true,
  faults: [],
  official: false,
  trustedProxies: [],
  acp: OPEN_ACP,
  trustsProfiles: false,
  snippetUrl: undefined,
  payments: { psp: 'test' },
  hosts: undefined,
  adminKey: undefined,
  reporting: undefined,
  testHosts: [],
  metrics: { token: undefined, port: undefined, host: '127.0.0.1' },
}
