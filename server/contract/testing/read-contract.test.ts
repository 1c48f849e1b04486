import { expect, test } from 'vitest'
import { readContract } from './read-contract.ts'

const CONTRACT = `# Title

Text that is for readers.

## Orders

> An order is
> placed.

\`\`\`
* 2 of tent are left in stock
POST /orders as another agent ×3
Content-Type: text/plain
{
  "items": [{ "id": "tent", "quantity": 1 }]
}
→ 200 text/html
Allow: GET
{ "id": "$order" }
! event { "of": "$order" }
\`\`\`

| Rule | Request | Answer |
|---|---|---|
| A quantity is positive. | \`items.0.quantity: 0\` | 422 \`{ "code": "bad" }\` |

> Another.

\`\`\`
GET /orders
→ 204
\`\`\`
`

test('rows are read with their lines, and a table varies the row before it', () => {
  const [placed, positive, other, ...more] = readContract(CONTRACT)
  const request = {
    kind: 'exchange',
    method: 'POST',
    target: '/orders',
    caller: 'another agent',
    times: 3,
    headers: { 'content-type': 'text/plain' },
  }
  expect(more).toEqual([])
  expect(placed).toEqual({
    line: 10,
    section: 'Orders',
    sentence: 'An order is placed.',
    steps: [
      { kind: 'given', text: '2 of tent are left in stock' },
      {
        ...request,
        body: '{\n  "items": [{ "id": "tent", "quantity": 1 }]\n}',
        status: 200,
        type: 'text/html',
        expectedHeaders: { allow: 'GET' },
        expected: '{ "id": "$order" }',
      },
      { kind: 'told', what: 'event', expected: '{ "of": "$order" }' },
    ],
  })
  expect(positive).toMatchObject({
    line: 25,
    sentence: 'A quantity is positive.',
    steps: [
      { kind: 'given' },
      { ...request, body: '{"items":[{"id":"tent","quantity":0}]}', status: 422 },
    ],
  })
  expect(other).toMatchObject({ sentence: 'Another.', steps: [{ method: 'GET', times: 1 }] })
})

test.each([
  ['```\nGET /x\n→ 200\n```', 'Line 1: requests without a sentence.'],
  ['> A.\n```\nGET /x\n```', 'Line 2: a request has no answer ("→ 200").'],
  ['> A.\n```\n```', 'Line 2: a request has no answer ("→ 200").'],
  ['> A.\n```\n{}\n```', 'Line 3: "{}" belongs to no request.'],
  ['| A. | `a: 1` | 200 |', 'Line 1: a row that varies nothing.'],
  ['> A.\n```\nGET /x\n→ 200\n```\n| A. | more | 200 |', 'Line 6: "more" changes nothing.'],
  ['> A.\n```\nGET /x\n→ 200\n```\n## B\n| A. | — | 200 |', 'Line 7: a row that varies nothing.'],
  ['> A\n> b.\n## B\n> C.\n```\nGET /x\n→ 200\n```', 'Line 2: a sentence without requests.'],
  ['> A.\n\n> B.\n```\nGET /x\n→ 200\n```', 'Line 1: a sentence without requests.'],
  ['> A.\n```\nGET /x\n→ 200\n```\n> B.', 'Line 6: a sentence without requests.'],
  ['> A.\n```\nGET /x\n→ 200', 'Line 2: requests without an end.'],
])('%j cannot be read', (text, message) => {
  expect(() => readContract(text)).toThrow(message)
})
