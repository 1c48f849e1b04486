import { STOP_TIMES } from '../../process/stop-times.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { startMeasured } from '../outbox/testing/receiver.ts'
import { serveStore } from '../serve.ts'
import { officialMeasure, parsedJson } from './official/measure.ts'
import { BARE_CONFIG } from './store-config.ts'
import { startTlsFront } from './tls-front.ts'

const BUSINESS = 'ucp.example'
const PLATFORM = 'agent.example'

/**
 * A store as it is run, behind TLS at `https://ucp.example`, and the platform that calls it at
 * `https://agent.example`: the store reads profiles there, and sends its webhooks there. What a
 * client gets as `env` leads it to these two and to nobody else.
 */
export async function startOnlineStore() {
  const { url } = await storeDatabase()
  const platform = await startMeasured()
  const profiles = new Map<string, string>()
  platform.answer = ({ method, url = '' }, response) => {
    const profile = profiles.get(url)
    if (method === 'GET' && profile !== undefined) {
      response.setHeader('content-type', 'application/json')
      response.setHeader('cache-control', 'public, max-age=60')
    } else if (method === 'GET') response.statusCode = 404
    response.end(profile)
  }
  const errors: string[] = []
  const store = await serveStore(
    {
      ...BARE_CONFIG,
      databaseUrl: url,
      trustsProfiles: true,
      hosts: [BUSINESS],
      testHosts: [{ pattern: PLATFORM, origin: platform.origin }],
      stopTimes: STOP_TIMES,
    },
    (error) => errors.push(String(error)),
  )
  const measure = officialMeasure(process.env.OFFICIAL_SCHEMAS)
  const front = await startTlsFront(
    { [BUSINESS]: `http://127.0.0.1:${store.port}`, [PLATFORM]: platform.origin },
    async ({ path, headers, sent, received, ...passed }) =>
      measure
        ?.exchange({
          ...passed,
          path,
          headers: new Headers(
            Object.entries(headers).map(([name, value]) => [name, String(value)]),
          ),
          sent: parsedJson(sent),
          received: parsedJson(received),
        })
        .catch((fault: Error) => errors.push(`${path} ${fault.message}`)),
  )
  return {
    url: `https://${BUSINESS}`,
    env: front.env,
    agent: front.agent,
    /** Other hosts that a client asked for. */
    refused: front.refused,
    /**
     * What failed inside the store, and what the official schemas say is wrong, if they are given.
     */
    errors,
    /** What the platform received: whoever reads its profiles, and the webhooks of orders. */
    received: platform.received,
    /** Publishes a profile of the platform, and returns where. */
    publish: (path: string, profile: string): string => {
      profiles.set(path, profile)
      return `https://${PLATFORM}${path}`
    },
    close: async () => {
      await front.close()
      await store.stop()
      await platform.close()
    },
  }
}
