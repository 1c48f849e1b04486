import { isLoopback } from '../../../shared/web/address/loopback.ts'

/**
 * The origin of the shop at this host, such as `shop.example`: http if only this machine reaches
 * it, because then no proxy speaks TLS. In production, STORE_HOSTS lists the hosts.
 */
export const originOf = (host: string): string =>
  `${isLoopback(`http://${host}`) ? 'http' : 'https'}://${host}`

/** Aisle's domain for a host: an event with a port in it is rejected. */
export const domainOfHost = (host: string): string => host.replace(/:\d+$/, '')
