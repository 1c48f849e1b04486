import { expect, test } from 'vitest'
import { AGENT_VERSIONS, agentProfile, agentProfilePath } from './agent-profile.ts'
import { inspectProfile } from './profile.ts'

test.each(AGENT_VERSIONS)('the profile of %s is right but for having no endpoints', (version) => {
  const { errors, dropped, capabilities } = inspectProfile(agentProfile(version))
  // Those are a business's alone.
  expect(errors.filter(({ field }) => !field.endsWith('.endpoint'))).toEqual([])
  expect(dropped).toEqual([])
  expect(capabilities).toContain('dev.ucp.shopping.checkout')
  expect(capabilities.some((name) => name.includes('catalog'))).toBe(version !== '2026-01-23')
})

test('each version has an address of its own', () => {
  expect(AGENT_VERSIONS.map(agentProfilePath)).toEqual([
    '/.well-known/ucp-agent',
    '/.well-known/ucp-agent/2026-04-08',
    '/.well-known/ucp-agent/2026-01-23',
  ])
})
