import { expect, test } from 'vitest'
import type { Answer } from './fetched.ts'
import { presenceOf } from './presence.ts'

const answer = (status: number, body = '', headers: Record<string, string> = {}): Answer => ({
  ...{ kind: 'answer', method: 'GET', url: 'https://shop.example/ucp', redirects: [], status },
  ...{ final_url: 'https://shop.example/ucp', headers, body, truncated: false, ms: 1 },
})

test.each([
  ['absent', [301, 304, 400, 404, 410]],
  ['requires_auth', [401]],
  ['unknown', [402, 403, 405, 406, 408, 415, 421, 423, 425, 429, 430, 436, 444, 451, 499]],
  ['unknown', [500, 503, 520, 999]],
  ['present', [200, 204]],
])('%s: %j', (is, statuses) => {
  for (const status of statuses)
    expect([status, presenceOf(answer(status)).is]).toEqual([status, is])
})

test.each([408, 425, 503])('%i may be temporary, and blocks nobody', (status) => {
  expect(presenceOf(answer(status))).toMatchObject({ why: expect.stringMatching(/ temporary$/) })
})

const SITEGROUND =
  '<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2Fucp"></head></html>'
const IMPERVA =
  '<html style="height:100%"><head></head><body><iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>'

test.each([
  ['SiteGround', answer(202, SITEGROUND, { 'sg-captcha': 'challenge' })],
  ['SiteGround', answer(200, SITEGROUND)],
  ['AWS WAF', answer(202, '', { 'x-amzn-waf-action': 'challenge' })],
  ['AWS WAF', answer(405, '', { 'x-amzn-waf-action': 'captcha' })],
  ['Cloudflare', answer(403, '<!doctype html>', { 'cf-mitigated': 'challenge' })],
  ['Imperva', answer(200, IMPERVA)],
  ['Imperva', answer(400, IMPERVA)],
  ['by its title', answer(200, '<!doctype html><title>Just a moment...</title>')],
  ['by its title', answer(503, '<html><head><title>Are you a robot?</title>')],
])('a bot challenge of %s does not tell whether something is there', (vendor, seen) => {
  expect(presenceOf(seen)).toEqual({
    is: 'unknown',
    why: `GET https://shop.example/ucp answered ${seen.status} with a bot challenge (${vendor})`,
  })
})

test.each([
  ['absent', answer(200, '<!doctype html><title>Not found</title>')],
  ['absent', answer(200, '<!doctype html><title>Just a moment-to-moment guide</title>')],
  ['absent', answer(200, '<!doctype html><script>window.KPSDK.configure([])</script>')],
  ['present', answer(200, '{"name":"/.well-known/sgcaptcha/"}')],
  ['present', answer(202, '', { 'x-amzn-waf-action': 'allow' })],
])('no challenge is %s', (is, seen) => {
  expect(presenceOf(seen).is).toBe(is)
})
