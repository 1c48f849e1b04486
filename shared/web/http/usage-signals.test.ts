import { expect, test } from 'vitest'
import { usageSignalsOf } from './robots.ts'
import { nameOfSignal, readUsageSignal, refusingSignals } from './usage-signals.ts'

const PRODUCT = 'https://shop.example/products/lamp'
const AGENT = 'ChatGPT-User'

const refusedBy = (file: string, token = AGENT) =>
  refusingSignals(usageSignalsOf(file, [{ token }], PRODUCT).get(token) ?? []).map(
    ({ use, signal }) => `${use} ${signal.line}`,
  )

test.each([
  ['nothing', 'User-agent: *\nAllow: /', []],
  ['training alone', 'User-agent: *\nContent-Signal: search=yes,ai-train=no', []],
  ['input', 'User-agent: *\nContent-Signal: ai-input=no', ['ai-input 2']],
  ['any case and spacing', 'user-agent:*\n content-SIGNAL :  Search = NO ', ['search 2']],
  ['both', 'User-agent: *\nContent-Signal: search=no, ai-input=no', ['search 2', 'ai-input 2']],
  ['AIPREF, with its path', 'User-agent: *\nContent-Usage: / ai-use=n', ['ai-use 2']],
  ['AIPREF, about training', 'User-agent: *\nContent-Usage: / train-ai=n, search=y', []],
  ['another folder', 'User-agent: *\nContent-Usage: /blog/ search=n', []],
  [
    'the longest path counts',
    'User-agent: *\nContent-Usage: / ai-use=n\nContent-Usage: /products/ ai-use=y',
    [],
  ],
  [
    'of two as long, the one that refuses',
    'User-agent: *\nContent-Usage: / ai-use=y\nContent-Usage: / ai-use=n',
    ['ai-use 3'],
  ],
  [
    'an own group goes before *',
    'User-agent: *\nContent-Signal: search=no\n\nUser-agent: ChatGPT-User\nAllow: /',
    [],
  ],
  [
    'names above it alone, where it stands among names',
    'User-agent: GPTBot\nContent-Signal: search=no\n\nUser-agent: ChatGPT-User\nAllow: /',
    [],
  ],
  [
    'an agent that is named without rules',
    'User-agent: *\nContent-Signal: search=no\nAllow: /\n\nUser-agent: ChatGPT-User',
    [],
  ],
  ['another agent', 'User-agent: GPTBot\nContent-Signal: search=no', []],
  ['before any group', 'Content-Signal: search=no\nUser-agent: *\nAllow: /', []],
  ['a comment', 'User-agent: *\n# Content-Signal: search=no', []],
  ['words that mean nothing', 'User-agent: *\nContent-Signal: search=maybe, no, =no, search', []],
])('%s', (_, file, refused) => {
  expect(refusedBy(file)).toEqual(refused)
})

test('a signal is no rule of access', () => {
  const [signal] = usageSignalsOf(
    'User-agent: a\nContent-Signal: search=no',
    [{ token: 'a' }],
    PRODUCT,
  ).get('a')!
  expect(nameOfSignal(signal!)).toBe('line 2 of robots.txt, "Content-Signal: search=no"')
})

test('only the two fields are read, and a header is named as one', () => {
  expect(readUsageSignal('content-type', 'search=no', null)).toBeNull()
  const header = readUsageSignal('content-usage', 'train-ai=n, ai-use="n"', null)!
  expect([...header.uses]).toEqual([
    ['train-ai', false],
    ['ai-use', false],
  ])
  expect(nameOfSignal(header)).toBe('the header "Content-Usage: train-ai=n, ai-use="n""')
})

test('a long value and many lines are cut, and what stands first still counts', () => {
  const many = `User-agent: *\nContent-Signal: search=no${', x=no'.repeat(50_000)}\n${'Content-Signal: ai-train=no\n'.repeat(5_000)}`
  const [first, ...rest] = usageSignalsOf(many, [{ token: AGENT }], PRODUCT).get(AGENT)!
  expect(refusedBy(many)).toEqual(['search 2'])
  expect(first!.text).toHaveLength(300)
  expect(rest).toHaveLength(49)
})
