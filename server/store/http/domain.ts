/** Aisle's domain for a host: an event with a port in it is rejected. */
export const domainOfHost = (host: string): string => host.replace(/:\d+$/, '')
