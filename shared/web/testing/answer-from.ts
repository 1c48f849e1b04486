import type { Answer } from '../http/fetched.ts'

/** An empty 200 from an address, unless a test says otherwise. */
export const answerFrom = (url: string, change: Partial<Answer> = {}): Answer => ({
  kind: 'answer',
  method: 'GET',
  url,
  final_url: url,
  redirects: [],
  status: 200,
  headers: {},
  body: '',
  truncated: false,
  ms: 1,
  ...change,
})
