// The one API beyond ECMAScript that every runtime of ours has: https://url.spec.whatwg.org/#api
declare class URL {
  static canParse(url: string, base?: string | URL): boolean
  static parse(url: string, base?: string | URL): URL | null
  constructor(url: string, base?: string | URL)
  href: string
  readonly origin: string
  protocol: string
  username: string
  password: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  readonly searchParams: URLSearchParams
  hash: string
  toString(): string
}

declare class URLSearchParams {
  constructor(init?: string | Record<string, string>)
  get(name: string): string | null
  has(name: string): boolean
  keys(): IterableIterator<string>
  set(name: string, value: string): void
  toString(): string
  delete(name: string): void
}
