import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, LookupFunction, Server } from 'node:net'
import { buildConnector } from 'undici'
import { afterAll, expect, test } from 'vitest'
import { CHECK_NAMES, type CheckName } from '../../shared/audit/vocabulary.ts'
import { DomainUnreadable } from './audit-domain.ts'
import type { Resolve } from './probe/fetch/address.ts'
import { createFetcher } from './probe/fetch/fetch.ts'
import { auditHere } from './testing/audit-here.ts'

const PEM = readFileSync('shared/testing/loopback.pem', 'utf8')

const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return (server.address() as AddressInfo).port
}
const http = await portOf(createHttpServer((_, response) => response.end('a shop')))
const https = await portOf(
  createHttpsServer({ key: PEM, cert: PEM }, (_, response) => response.end('a shop')),
)

const lookup: LookupFunction = (_, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)

/** Dials our servers, whatever the public address: the handshake and its failure are real. */
const toOurs =
  (https: number): typeof buildConnector =>
  (options) => {
    const connect = buildConnector({ ...options, lookup })
    return (target, callback) =>
      connect({ ...target, port: String(target.protocol === 'https:' ? https : http) }, callback)
  }

const PUBLIC: Resolve = async () => [{ address: '93.184.215.14', family: 4 }]
const PRIVATE: Resolve = async () => [{ address: '10.0.0.1', family: 4 }]
const NOWHERE: Resolve = async () => []

/** How the audit of shop.com is refused. */
async function refusalOf(
  resolve: Resolve,
  checks: readonly CheckName[] = CHECK_NAMES,
  port = https,
): Promise<DomainUnreadable> {
  const fetcher = createFetcher({ userAgent: 'Test/1', resolve, connector: toOurs(port) })
  try {
    const deps = { fetcher }
    const done = await auditHere({ domain: 'shop.com', checks }, deps).then(
      (result) => result,
      (error) => error,
    )
    if (done instanceof DomainUnreadable) return done
    throw new Error(`expected a refusal, got ${JSON.stringify(done)}`)
  } finally {
    await fetcher.close()
  }
}

test('an invalid certificate and an unreachable name are one refusal in other words', async () => {
  const certificate = await refusalOf(PUBLIC)
  const name = await refusalOf(NOWHERE)
  expect(certificate.code).toBe('domain_unreachable')
  expect(name.code).toBe('domain_unreachable')
  expect(certificate.message).toMatch(
    /^GET https:\/\/shop\.com\/ gave no answer: the TLS certificate is not valid \([A-Z_]*(CERT|LEAF_SIGNATURE)[A-Z_]*\); install one that is valid for this name\.$/,
  )
  expect(name.message).toBe(
    'GET https://shop.com/ gave no answer: no public web server answered there; check the host name, its DNS records and its firewall.',
  )
})

test('where only http answers, a check that needs https says why it has nothing to judge', async () => {
  // TLS is asked of the port that speaks none.
  const { code, message } = await refusalOf(PUBLIC, ['catalog'], http)
  expect(code).toBe('domain_unreachable')
  expect(message).toBe(
    'GET https://shop.com/ gave no answer: no public web server answered there; check the host name, its DNS records and its firewall.',
  )
  // With all checks, it is judged that https is missing.
  await expect(refusalOf(PUBLIC, CHECK_NAMES, http)).rejects.toThrow('"score"')
})

test('a private address is never asked for its certificate', async () => {
  expect((await refusalOf(PRIVATE)).message).toBe((await refusalOf(NOWHERE)).message)
})
