import { isLoopback } from '../../../shared/web/loopback.ts'

/**
 * The origin of the shop at this host, such as `shop.example`. Where only this machine reaches it,
 * nothing stands in front that speaks TLS. In production, STORE_HOSTS says which hosts there are.
 */
export const originOf = (host: string): string =>
  `${isLoopback(`http://${host}`) ? 'http' : 'https'}://${host}`
